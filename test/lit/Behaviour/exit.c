// However a program ends, its status is its own, and what is to run at its end runs.
// RUN: %build
// RUN: %same --experiments %t.native %t exit
// RUN: %same --samplers=auto --experiments %t.native %t return
// RUN: %same --samplers=auto --experiments %t.native %t _exit
// RUN: %same --samplers=auto --experiments %t.native %t quick_exit
// RUN: %same --experiments %t.native %t leave_main
#include "busy.h"
#include <unistd.h>

static void atExit(void) { puts("atexit"); }
static void atQuickExit(void) {
  puts("at_quick_exit");
  fflush(stdout);
}
static void *goOn(void *Argument) {
  pthread_join(*(pthread_t *)Argument, 0);
  work(30000);
  puts("after main");
  __atomic_store_n(&BusyStop, 1, __ATOMIC_RELAXED);
  return 0;
}
static void end(const char *How) {
  if (!strcmp(How, "exit"))
    exit(7);
  if (!strcmp(How, "_exit"))
    _exit(8);
  if (!strcmp(How, "quick_exit"))
    quick_exit(9);
  if (!strcmp(How, "leave_main")) {
    static pthread_t Main, Last;
    Main = pthread_self();
    pthread_create(&Last, 0, goOn, &Main);
    pthread_exit(0);
  }
}
int main(int argc, char **argv) {
  atexit(atExit);
  at_quick_exit(atQuickExit);
  busyBegin();
  work(20000);
  end(argv[1]);
  return 11;
}
