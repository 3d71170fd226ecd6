// A program that catches the overflow of its own stack on an alternative one, hundreds of
// times, while samples come however full the stack is: each is an overflow by its address.
// RUN: %build
// RUN: %same --options=sample_period_us=50 %t.native %t
#include "busy.h"
#include <setjmp.h>
#include <signal.h>

static __thread sigjmp_buf Back;
static __thread char *Low;
static __thread volatile int Overflows, Others;

static void onFault(int Signal, siginfo_t *Info, void *Context) {
  char *Address = Info->si_addr;
  if (Address >= Low - 65536 && Address < Low + 65536)
    ++Overflows;
  else
    ++Others;
  siglongjmp(Back, 1);
}

__attribute__((noinline)) static unsigned long recurse(unsigned long N) {
  volatile char Frame[200];
  Frame[N % sizeof(Frame)] = (char)N;
  return 3 * (recurse(N + 1) + Frame[N * 7 % sizeof(Frame)]);
}

static void *overflow(void *Argument) {
  pthread_attr_t Attributes;
  void *Address;
  size_t Size;
  EXPECT(!pthread_getattr_np(pthread_self(), &Attributes));
  EXPECT(!pthread_attr_getstack(&Attributes, &Address, &Size));
  Low = Address;
  stack_t Stack = {.ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ};
  EXPECT(!sigaltstack(&Stack, 0));
  for (volatile int I = 0; I < 700; ++I)
    if (!sigsetjmp(Back, 1))
      recurse(1);
  printf("%d overflows, %d others\n", Overflows, Others);
  return Argument;
}

int main(void) {
  struct sigaction Action = {.sa_sigaction = onFault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  EXPECT(!sigaction(SIGSEGV, &Action, 0));
  for (int Size = 128; Size <= 512; Size *= 2) {
    pthread_attr_t Attributes;
    pthread_t Thread;
    pthread_attr_init(&Attributes);
    pthread_attr_setstacksize(&Attributes, Size << 10);
    EXPECT(!pthread_create(&Thread, &Attributes, overflow, 0));
    pthread_join(Thread, 0);
  }
  return 0;
}
