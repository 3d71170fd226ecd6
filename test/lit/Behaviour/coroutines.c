// Stacks that the program makes itself, between pages that nobody may read, and jumps
// out of signal handlers while delays are paid.
// RUN: %build
// RUN: %same --experiments %t.native %t
#include "busy.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { Coroutines = 8, Size = 32 << 10, Page = 4096 };
static ucontext_t Main, Contexts[Coroutines];
static int Steps;

static void body(int Id) {
  for (int I = 0; I < 20; ++I) {
    work(100);
    pthread_mutex_lock(&BusyMutex);
    ++Steps;
    pthread_mutex_unlock(&BusyMutex);
    swapcontext(&Contexts[Id], &Main);
  }
}

static sigjmp_buf Jump;
static volatile sig_atomic_t Armed;
static void onAlarm(int Signal) {
  if (Armed)
    siglongjmp(Jump, 1);
}

int main(void) {
  sigset_t Alarm;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &Alarm, 0); // Only this thread is to jump.
  busyBegin();
  for (int I = 0; I < Coroutines; ++I) {
    char *Low = mmap(0, Size + 2 * Page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(Low != MAP_FAILED && !mprotect(Low + Page, Size, PROT_READ | PROT_WRITE));
    getcontext(&Contexts[I]);
    Contexts[I].uc_stack.ss_sp = Low + Page;
    Contexts[I].uc_stack.ss_size = Size;
    Contexts[I].uc_link = &Main;
    makecontext(&Contexts[I], (void (*)(void))body, 1, I);
  }
  for (int Round = 0; Round < 20; ++Round)
    for (int I = 0; I < Coroutines; ++I)
      swapcontext(&Main, &Contexts[I]);

  signal(SIGALRM, onAlarm);
  pthread_sigmask(SIG_UNBLOCK, &Alarm, 0);
  struct itimerspec Often = {{0, 700000}, {0, 700000}};
  struct sigevent Event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  timer_t Timer;
  timer_create(CLOCK_MONOTONIC, &Event, &Timer);
  timer_settime(Timer, 0, &Often, 0);
  pthread_mutex_t Mine = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t Never = PTHREAD_COND_INITIALIZER;
  volatile int Jumps = 0;
  pthread_mutex_lock(&Mine);
  for (int I = 0; I < 60; ++I) {
    if (sigsetjmp(Jump, 1) == 0) {
      Armed = 1;
      for (;;) {
        work(50);
        pthread_cond_signal(&Never); // Pays.
        usleep(10);
      }
    }
    Armed = 0;
    ++Jumps;
  }
  timer_delete(Timer);
  busyEnd();
  printf("steps %d jumps %d\n", Steps, Jumps);
  return 0;
}
