// Who reports a crash may test memory, ours among it, by turning its bits over and back, as
// Redis does. A sample meanwhile would find them turned over. (Not the thread's own memory:
// the kernel reads that for rseq whenever the thread is interrupted.)
// RUN: %build
// RUN: %same %t.native %t
#include "busy.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

static void testMemory(int Signal) {
  char Maps[65536], *Line = Maps;
  unsigned long *Begin[200], *End[200];
  int N = 0, Size = 0, Got, Fd = open("/proc/self/maps", O_RDONLY);
  while ((Got = read(Fd, Maps + Size, sizeof(Maps) - 1 - Size)) > 0)
    Size += Got;
  Maps[Size] = 0;
  while (Line && *Line && N < 200) {
    char *Next = strchr(Line, '\n');
    if (Next)
      *Next++ = 0;
    if (strstr(Line, " rw") && strstr(Line, " 00:00 ") && !strstr(Line, "[stack]")) {
      Begin[N] = (unsigned long *)strtoul(Line, &Line, 16);
      End[N] = (unsigned long *)strtoul(Line + 1, 0, 16);
      unsigned long *Own = (unsigned long *)__builtin_thread_pointer();
      N += Own < Begin[N] || Own >= End[N];
    }
    Line = Next;
  }
  for (int Round = 0; Round < 20; ++Round)
    for (int I = 0; I < N; ++I)
      for (int Half = 0; Half < 2; ++Half)
        for (volatile unsigned long *W = Begin[I]; W < End[I]; ++W)
          *W = ~*W;
  _exit(3);
}

static void crash(int How) {
  struct sigaction Once = {.sa_handler = testMemory, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
  switch (How) {
  case 0:
    signal(SIGSEGV, testMemory);
    break;
  case 1:
    __sysv_signal(SIGSEGV, testMemory);
    break;
  default:
    sigaction(SIGSEGV, &Once, 0);
  }
  *(volatile int *)0 = 1;
}

int main(void) {
  busyBegin();
  work(2000);
  for (int How = 0; How < 3; ++How) {
    fflush(stdout);
    int Status;
    pid_t Child = fork();
    if (!Child)
      crash(How);
    EXPECT(waitpid(Child, &Status, 0) == Child);
    printf("exit %d signal %d\n", WIFEXITED(Status) ? WEXITSTATUS(Status) : -1, WTERMSIG(Status));
  }
  // What was there before is what was asked for.
  struct sigaction Old;
  signal(SIGSEGV, testMemory);
  sigaction(SIGSEGV, 0, &Old);
  EXPECT(Old.sa_handler == testMemory && Old.sa_flags & SA_RESTART);
  printf("%d %d %d\n", sigismember(&Old.sa_mask, SIGTRAP), sigismember(&Old.sa_mask, SIGPROF),
         signal(SIGSEGV, SIG_DFL) == testMemory);
  busyEnd();
  return 0;
}
