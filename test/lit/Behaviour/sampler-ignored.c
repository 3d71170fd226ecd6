// The numbers that samplers use, ignored by the program while threads are sampled: it goes
// on, they stay ignored whoever is sent them, and kill as ever once that is taken back.
// RUN: %build
// RUN: %same --experiments --options=fixed_speedup=90 %t.native %t 5
// RUN: %same --experiments --options=fixed_speedup=90 %t.native %t 27
#include "busy.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void send(int Signal, int How) {
  switch (How) {
  case 0:
    raise(Signal);
    break;
  case 1:
    kill(getpid(), Signal);
    break;
  case 2:
    pthread_kill(BusyThreads[0], Signal);
    break;
  case 3:
    sigqueue(getpid(), Signal, (union sigval){0});
  }
}

// In a child, which has one thread.
static void die(int Signal, int How) {
  fflush(stdout);
  pid_t Child = fork();
  if (!Child) {
    work(2000);
    signal(Signal, SIG_DFL);
    work(2000);
    send(Signal, How);
    _exit(1);
  }
  int Status;
  EXPECT(waitpid(Child, &Status, 0) == Child);
  printf("%d: exit %d signal %d\n", How, WIFEXITED(Status) ? WEXITSTATUS(Status) : -1,
         WTERMSIG(Status));
}

int main(int argc, char **argv) {
  int Signal = atoi(argv[1]);
  busyBegin();
  for (int Round = 0; Round < 3; ++Round) {
    EXPECT(signal(Signal, SIG_IGN) == SIG_DFL);
    for (int I = 0; I < 100; ++I) {
      send(Signal, I % 4);
      work(300);
    }
    for (int How = 0; How < 4; ++How)
      if (How != 2)
        die(Signal, How);
    EXPECT(signal(Signal, SIG_DFL) == SIG_IGN);
    work(3000);
  }
  puts("goes on");
  fflush(stdout);
  // The kernel keeps one signal of a number for a thread: while one of the sampler's is being
  // delivered, this one is lost.
  for (;;) {
    send(Signal, 2);
    work(1000);
  }
}
