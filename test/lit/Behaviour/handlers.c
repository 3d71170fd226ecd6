// The program's own handlers of SIGSEGV, SIGPROF, SIGTRAP and of a real-time timer
// work as they did, get their own signals and no others, and see what they installed.
// RUN: %build
// RUN: %same --experiments %t.native %t
#include "busy.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static sigjmp_buf Jump;
static char *Page;
static volatile int Traps, Profs, Wakes, Codes, InTrapMask;

static void onFault(int Signal, siginfo_t *Info, void *Context) {
  work(300);
  mprotect(Page, 4096, PROT_READ | PROT_WRITE);
}
static void onFaultJump(int Signal) { siglongjmp(Jump, 1); }
static void onTrap(int Signal, siginfo_t *Info, void *Context) {
  sigset_t Now;
  ++Traps;
  Codes += Info->si_code == SI_TKILL || Info->si_code == SI_KERNEL;
  sigprocmask(SIG_SETMASK, 0, &Now);
  InTrapMask += sigismember(&Now, SIGUSR1) * 10 + sigismember(&Now, SIGUSR2) * 100;
}
static void onProf(int Signal) { ++Profs; }
static void onWake(int Signal, siginfo_t *Info, void *Context) {
  Wakes += Info->si_value.sival_int;
}

int main(void) {
  busyBegin();
  Page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction Fault = {.sa_sigaction = onFault, .sa_flags = SA_SIGINFO}, Old;
  sigaction(SIGSEGV, &Fault, 0);
  for (int I = 0; I < 50; ++I) {
    mprotect(Page, 4096, PROT_NONE);
    Page[I] = (char)I;
    work(100);
  }
  signal(SIGSEGV, onFaultJump);
  volatile int Jumps = 0;
  while (sigsetjmp(Jump, 1) == 0 || ++Jumps < 50) {
    mprotect(Page, 4096, PROT_NONE);
    Page[0] = 1;
  }

  struct sigaction Trap = {.sa_sigaction = onTrap, .sa_flags = SA_SIGINFO};
  sigaddset(&Trap.sa_mask, SIGUSR1);
  sigaction(SIGTRAP, &Trap, 0);
  EXPECT(sigaction(SIGTRAP, 0, &Old) == 0 && Old.sa_sigaction == onTrap);
  for (int I = 0; I < 20; ++I) {
    raise(SIGTRAP);
    __asm__ volatile("int3");
    work(200);
  }
  Trap.sa_flags |= SA_RESETHAND;
  sigaction(SIGTRAP, &Trap, 0);
  raise(SIGTRAP);
  EXPECT(sigaction(SIGTRAP, 0, &Old) == 0 && Old.sa_handler == SIG_DFL);

  signal(SIGPROF, onProf);
  EXPECT(sigaction(SIGPROF, 0, &Old) == 0 && Old.sa_handler == onProf);
  struct itimerval Often = {{0, 4000}, {0, 4000}}, Never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &Often, 0);
  while (Profs < 5)
    work(1000);
  setitimer(ITIMER_PROF, &Never, 0);
  Profs = 0;
  for (int I = 0; I < 5; ++I)
    raise(SIGPROF);

  struct sigaction Wake = {.sa_sigaction = onWake, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGRTMIN + 1, &Wake, 0);
  struct sigevent Event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
  Event.sigev_value.sival_int = 3;
  timer_t Timer;
  struct itimerspec Soon = {{0, 1000000}, {0, 1000000}}, Stop = {{0, 0}, {0, 0}};
  timer_create(CLOCK_MONOTONIC, &Event, &Timer);
  timer_settime(Timer, 0, &Soon, 0);
  while (Wakes < 30)
    work(200);
  timer_settime(Timer, 0, &Stop, 0);
  int ByThree = Wakes % 3;
  busyEnd();
  printf("jumps %d traps %d codes %d mask %d profs %d wakes %d\n", Jumps, Traps, Codes, InTrapMask,
         Profs >= 5, ByThree);
  return 0;
}
