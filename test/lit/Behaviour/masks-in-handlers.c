// Handlers that change the signal mask and set it back, as unwinders and locks do, see their
// own masks, also on an alternative stack that has no room for a sample; nothing of it is
// left behind them. A blocked signal of the sampler's number can be waited for, and ends
// nobody.
// RUN: %build
// RUN: %same --experiments %t.native %t
#include "busy.h"
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int Runs, Hits, Last;

static void printTraps(const char *Name) {
  sigset_t Now;
  pthread_sigmask(SIG_BLOCK, 0, &Now);
  printf("%s: SIGTRAP %d SIGPROF %d\n", Name, sigismember(&Now, SIGTRAP),
         sigismember(&Now, SIGPROF));
}

static void saveAndRestore(void) {
  sigset_t All, Old, Now;
  sigfillset(&All);
  pthread_sigmask(SIG_BLOCK, &All, &Old);
  pthread_sigmask(SIG_SETMASK, &Old, 0);
  sigprocmask(SIG_SETMASK, &All, &Old);
  sigprocmask(SIG_SETMASK, &Old, &Now);
  work(2000);
  ++Runs;
}
static void onAlternative(int Signal) { saveAndRestore(); }
static void onSignal(int Signal) {
  saveAndRestore();
  printTraps("in handler");
}
static void count(int Signal) {
  ++Hits;
  Last = Signal;
}

static char *guarded(size_t Size) {
  size_t Pages = (Size + 4095) / 4096 * 4096;
  char *Low = mmap(0, Pages + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(Low != MAP_FAILED && !mprotect(Low + 4096, Pages, PROT_READ | PROT_WRITE));
  return Low + 4096;
}

struct toSend {
  pthread_t To;
  int Signal;
};
static void *sendLater(void *Argument) {
  struct toSend *Each = Argument;
  work(3000);
  pthread_kill(Each->To, Each->Signal);
  return 0;
}

static void wait(int Signal) {
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, Signal);
  pthread_sigmask(SIG_BLOCK, &Set, 0);
  raise(Signal);
  work(1000);
  int Got = 0;
  siginfo_t Info;
  EXPECT(sigwait(&Set, &Got) == 0 && Got == Signal);
  raise(Signal);
  struct timespec Now = {0};
  EXPECT(sigtimedwait(&Set, &Info, &Now) == Signal && Info.si_pid == getpid());

  // By another thread, while the wait goes on.
  pthread_t Self = pthread_self(), Sender;
  struct toSend ToSend = {Self, Signal};
  pthread_create(&Sender, 0, sendLater, &ToSend);
  EXPECT(sigwait(&Set, &Got) == 0 && Got == Signal);
  pthread_join(Sender, 0);

  // Blocked but for the wait, which its handler ends.
  int Before = Hits;
  signal(Signal, count);
  sigset_t Open;
  pthread_sigmask(SIG_BLOCK, 0, &Open);
  sigdelset(&Open, Signal);
  pthread_create(&Sender, 0, sendLater, &ToSend);
  while (Hits == Before)
    sigsuspend(&Open);
  pthread_join(Sender, 0);
  EXPECT(Hits == Before + 1 && Last == Signal);
  pthread_sigmask(SIG_UNBLOCK, &Set, 0);
  signal(Signal, SIG_DFL);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    printTraps("after exec");
    return 0;
  }
  busyBegin();
  size_t Size = getauxval(AT_MINSIGSTKSZ) * 2 + 3072;
  stack_t Stack = {.ss_sp = guarded(Size), .ss_size = Size};
  EXPECT(sigaltstack(&Stack, 0) == 0);
  struct sigaction Alternative = {.sa_handler = onAlternative, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &Alternative, 0);
  struct sigaction Full = {.sa_handler = onSignal};
  sigfillset(&Full.sa_mask);
  sigaction(SIGUSR2, &Full, 0);
  for (int I = 0; I < 10; ++I) {
    raise(SIGUSR1);
    work(500);
  }
  printTraps("after the one");
  raise(SIGUSR2);
  printTraps("after the other");
  wait(SIGTRAP);
  wait(SIGPROF);
  printTraps("after the wait");
  busyEnd();
  printf("%d runs, %d hits\n", Runs, Hits);
  fflush(stdout);
  execl("/proc/self/exe", argv[0], "again", (char *)0);
  return 1;
}
