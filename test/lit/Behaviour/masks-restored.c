// The kernel and libc restore signal masks, too: when handlers return, at jumps, by
// contexts, in children of vfork. What the program sees then, and what programs that it
// starts inherit, is what it is without the profiler.
// RUN: %build
// RUN: %same %t.native %t
#include "busy.h"
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static sigset_t All, None;
static sigjmp_buf Jump;
static volatile int Hits;
static int Samplers[] = {SIGTRAP, SIGPROF};
static char *const Again[] = {"/proc/self/exe", "again", 0};
extern char **environ;

static void printMask(const char *Name) {
  sigset_t Now;
  sigprocmask(SIG_SETMASK, 0, &Now);
  printf("%s:", Name);
  for (int I = 1; I < 32; ++I)
    if (sigismember(&Now, I))
      printf(" %d", I);
  printf("\n");
  fflush(stdout);
}
static void openAll(void) { sigprocmask(SIG_SETMASK, &None, 0); }

// What a program that is started here sees.
static void run(const char *Name, pid_t (*Fork)(void), void (*Prepare)(void)) {
  printf("%s: ", Name);
  fflush(stdout);
  pid_t Child = Fork();
  if (!Child) {
    if (Prepare)
      Prepare();
    execv(Again[0], Again);
    _exit(1);
  }
  EXPECT(waitpid(Child, 0, 0) == Child);
}
static pid_t spawn(void) {
  pid_t Child;
  EXPECT(posix_spawn(&Child, Again[0], 0, 0, Again, environ) == 0);
  return Child;
}

static void blockAll(int Signal) { sigprocmask(SIG_BLOCK, &All, 0); }
static void jumpBack(int Signal) {
  blockAll(Signal);
  siglongjmp(Jump, 1);
}
static void openAndJump(int Signal) {
  openAll();
  longjmp(Jump, 1);
}
static void execFromHandler(int Signal) {
  printMask("on the alternative stack");
  run("fork", fork, 0);
  run("spawn", spawn, 0);
}
static void count(int Signal) { ++Hits; }
static void acceptSamplers(void) {
  for (int I = 0; I < 2; ++I)
    signal(Samplers[I], SIG_DFL);
}
static void act(int Signal, void (*Handler)(int), int Flags) {
  struct sigaction Action = {.sa_handler = Handler, .sa_flags = Flags};
  EXPECT(!sigaction(Signal, &Action, 0));
}

int main(int argc, char **argv) {
  sigfillset(&All);
  if (argc > 1) {
    printMask("after exec");
    for (int I = 0; I < 2; ++I) {
      struct sigaction Old;
      sigaction(Samplers[I], 0, &Old);
      printf("%d ignored %d\n", Samplers[I], Old.sa_handler == SIG_IGN);
    }
    return 0;
  }
  busyBegin();

  act(SIGUSR1, blockAll, 0);
  raise(SIGUSR1);
  printMask("after a handler");
  run("after a handler", fork, 0);

  if (!sigsetjmp(Jump, 1))
    blockAll(0);
  act(SIGUSR1, jumpBack, 0);
  openAll();
  if (!sigsetjmp(Jump, 1))
    raise(SIGUSR1);
  printMask("after a jump to the open");
  blockAll(0);
  if (!sigsetjmp(Jump, 1)) {
    openAll();
    siglongjmp(Jump, 1);
  }
  printMask("after a jump to the blocked");
  run("then", fork, 0);
  ucontext_t Context;
  volatile int Passed = 0;
  getcontext(&Context);
  if (!Passed++) {
    openAll();
    setcontext(&Context);
  }
  printMask("after setcontext");

  // What is blocked comes when a jump opens the mask.
  for (int I = 0; I < 2; ++I) {
    signal(Samplers[I], count);
    openAll();
    if (!sigsetjmp(Jump, 1)) {
      blockAll(0);
      raise(Samplers[I]);
      sigset_t Pending;
      sigpending(&Pending);
      printf("blocked %d: %d hits, pending", Samplers[I], Hits);
      for (int Signal = 1; Signal < 32; ++Signal)
        if (sigismember(&Pending, Signal))
          printf(" %d", Signal);
      printf("\n");
      siglongjmp(Jump, 1);
    }
    printf("open: %d hits\n", Hits);
    signal(Samplers[I], SIG_IGN);
  }

  blockAll(0);
  run("vfork that opens", (pid_t (*)(void))vfork, openAll);
  run("vfork that accepts", (pid_t (*)(void))vfork, acceptSamplers);
  printMask("behind vfork");
  openAll();
  acceptSamplers();

  stack_t Stack = {.ss_size = 65536};
  Stack.ss_sp = mmap(0, Stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(!sigaltstack(&Stack, 0));
  act(SIGUSR2, execFromHandler, SA_ONSTACK);
  raise(SIGUSR2);
  act(SIGUSR2, openAndJump, SA_ONSTACK);
  if (!setjmp(Jump))
    raise(SIGUSR2);
  printMask("after a jump from the alternative stack");
  run("then", fork, 0);

  for (int I = 0; I < 2; ++I) {
    printf("%d", sigset(Samplers[I], count) == SIG_DFL);
    sighold(Samplers[I]);
    raise(Samplers[I]);
    printf(" %d", Hits);
    printf(" %d", sigset(Samplers[I], SIG_IGN) == (void (*)(int))2);
    printf(" %d", Hits);
    sigignore(Samplers[I]);
    work(500);
    printf(" %d\n", ssignal(Samplers[I], SIG_DFL) == SIG_IGN);
  }
  busyEnd();
  return 0;
}
