// Two threads that end the program at the same time, each in its way, and threads that are
// the last together: the status is as ever, and the profile is finished.
// RUN: %build
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %same --samplers=auto --options=fixed_speedup=90:output=%t.d/%%p.causal %t.native %t exit exit
// RUN: %same --samplers=auto --options=fixed_speedup=90:output=%t.d/%%p.causal %t.native %t _exit _exit
// RUN: %same --samplers=auto --options=fixed_speedup=90:output=%t.d/%%p.causal %t.native %t return _exit
// RUN: %same --samplers=auto --options=fixed_speedup=90:output=%t.d/%%p.causal %t.native %t quick_exit exit
// RUN: %same --samplers=auto --options=fixed_speedup=90:output=%t.d/%%p.causal %t.native %t pthread_exit pthread_exit
// RUN: cat %t.d/*.causal | %python %S/Inputs/finished_runs.py
#include "busy.h"
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t Together;

static void end(const char *How) {
  pthread_barrier_wait(&Together);
  if (!strcmp(How, "exit"))
    exit(7);
  if (!strcmp(How, "_exit"))
    _exit(7);
  if (!strcmp(How, "quick_exit"))
    quick_exit(7);
  if (!strcmp(How, "pthread_exit"))
    pthread_exit(0);
}
// A few experiments are enough.
static void begin(void) {
  for (int I = 0; I < 2; ++I)
    pthread_create(&BusyThreads[I], 0, busyWorker, 0);
  while (__atomic_load_n(&BusyRounds, __ATOMIC_RELAXED) < 100)
    work(50);
}
static void *ends(void *How) {
  end(How);
  return 0;
}

int main(int argc, char **argv) {
  for (int I = 0; I < 12; ++I) {
    pid_t Child = fork();
    if (!Child) {
      alarm(20); // Ends one that hangs.
      pthread_t Other;
      pthread_barrier_init(&Together, 0, 2);
      begin();
      if (!strcmp(argv[1], "pthread_exit"))
        busyEnd();
      pthread_create(&Other, 0, ends, argv[2]);
      end(argv[1]);
      return 7;
    }
    int Status;
    EXPECT(waitpid(Child, &Status, 0) == Child);
    printf("%d: %x\n", I, (unsigned)Status);
    fflush(stdout);
  }
  return 0;
}
