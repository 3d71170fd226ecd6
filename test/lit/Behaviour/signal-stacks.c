// Which stack a handler of the program runs on, and what the program is told of its alternative
// stacks, is as without us; samples need no room on a stack that has none.
// RUN: %build
// RUN: %same --options=sample_period_us=50 %t.native %t
#include "busy.h"
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static char *Alternative;
static size_t Size;

static const char *where(void) {
  char *Here = __builtin_frame_address(0);
  if (Alternative && Here >= Alternative && Here < Alternative + Size)
    return "the alternative stack";
  pthread_attr_t Attributes;
  void *Low;
  size_t Whole;
  EXPECT(!pthread_getattr_np(pthread_self(), &Attributes));
  EXPECT(!pthread_attr_getstack(&Attributes, &Low, &Whole));
  return Here >= (char *)Low && Here < (char *)Low + Whole ? "the thread's stack" : "neither";
}
static void told(void) {
  stack_t Now;
  EXPECT(!sigaltstack(0, &Now));
  printf("  flags %d, %s\n", Now.ss_flags, Now.ss_flags & SS_DISABLE    ? "none"
                                           : Now.ss_sp == Alternative ? "ours"
                                                                      : "another");
}
static void onSignal(int Signal, siginfo_t *Info, void *Context) {
  printf("signal %d, code %d, on %s\n", Signal, Info->si_code, where());
  told();
}
static void act(int Signal, int Flags) {
  struct sigaction Action = {.sa_sigaction = onSignal, .sa_flags = SA_SIGINFO | Flags}, Old;
  EXPECT(!sigaction(Signal, &Action, 0) && !sigaction(Signal, 0, &Old));
  EXPECT((Old.sa_flags & SA_ONSTACK) == (Flags & SA_ONSTACK));
}
static void sendAll(const char *When) {
  printf("%s\n", When);
  int Signals[] = {SIGUSR1, SIGUSR2, SIGTRAP, SIGPROF};
  for (int OnStack = 0; OnStack < 2; ++OnStack)
    for (unsigned I = 0; I < sizeof(Signals) / sizeof(*Signals); ++I) {
      act(Signals[I], OnStack ? SA_ONSTACK : 0);
      work(300);
      raise(Signals[I]);
    }
  act(SIGTRAP, 0);
  __asm__ volatile("int3");
  act(SIGTRAP, SA_ONSTACK);
  __asm__ volatile("int3");
  told();
}

// Directly above a page that nobody may touch.
static char *guarded(size_t Bytes) {
  size_t Pages = (Bytes + 4095) / 4096 * 4096;
  char *Low = mmap(0, Pages + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(Low != MAP_FAILED && !mprotect(Low + 4096, Pages, PROT_READ | PROT_WRITE));
  return Low + 4096;
}
static void set(char *At, size_t Bytes) {
  Alternative = At;
  Size = Bytes;
  stack_t Stack = {.ss_sp = At, .ss_size = Bytes};
  if (!At)
    Stack.ss_flags = SS_DISABLE;
  EXPECT(!sigaltstack(&Stack, 0));
}

static ucontext_t Main, Fiber;
static void onFiber(void) { work(20000); }
static void *withoutRoom(void *Argument) {
  // Less than a frame of the kernel's.
  size_t Bytes = 4096;
  EXPECT(!getcontext(&Fiber));
  Fiber.uc_stack.ss_sp = guarded(Bytes);
  Fiber.uc_stack.ss_size = Bytes;
  Fiber.uc_link = &Main;
  makecontext(&Fiber, onFiber, 0);
  EXPECT(!swapcontext(&Main, &Fiber));
  printf("back from the fiber\n");
  return Argument;
}
static void *small(void *Argument) {
  // What natively is left of the least of stacks.
  volatile char Used[9000];
  for (unsigned I = 0; I < sizeof(Used); ++I)
    Used[I] = 1;
  work(20000);
  return Used[7] ? Argument : 0;
}
static void *ends(void *Argument) {
  set(malloc(65536), 65536);
  work(3000);
  return Argument;
}
static void make(void *(*Function)(void *), size_t Bytes) {
  pthread_attr_t Attributes;
  pthread_t Thread;
  pthread_attr_init(&Attributes);
  if (Bytes)
    EXPECT(!pthread_attr_setstacksize(&Attributes, Bytes));
  EXPECT(!pthread_create(&Thread, &Attributes, Function, 0));
  EXPECT(!pthread_join(Thread, 0));
  size_t Same;
  EXPECT(!pthread_attr_getstacksize(&Attributes, &Same) && (!Bytes || Same == Bytes));
}

int main(void) {
  setvbuf(stdout, 0, _IOLBF, 0);
  make(withoutRoom, 0);
  for (int I = 0; I < 5; ++I)
    make(small, PTHREAD_STACK_MIN);
  sendAll("no alternative stack");
  set(guarded(65536), 65536);
  sendAll("a large one");
  set(0, 0);
  sendAll("none again");
  // So small that the kernel's frame does not fit, or ours.
  size_t Frame = getauxval(AT_MINSIGSTKSZ);
  for (size_t Bytes = MINSIGSTKSZ > 2048 ? 4096 : MINSIGSTKSZ; Bytes < Frame + 4096; Bytes += 1024) {
    set(guarded(Bytes), Bytes);
    work(3000);
    told();
  }
  set(0, 0);
  // By a system call of the program's own.
  struct sigaction Action = {.sa_sigaction = onSignal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGUSR1, &Action, 0);
  Alternative = guarded(Size = 65536);
  stack_t Stack = {.ss_sp = Alternative, .ss_size = Size};
  EXPECT(!syscall(SYS_sigaltstack, &Stack, 0));
  raise(SIGUSR1);
  set(0, 0);
  for (int I = 0; I < 5; ++I) {
    make(ends, 0);
    Alternative = 0;
    make(small, PTHREAD_STACK_MIN);
  }
  fflush(stdout);
  if (!fork()) {
    told();
    work(3000);
    fflush(stdout);
    _exit(0);
  }
  return 0;
}
