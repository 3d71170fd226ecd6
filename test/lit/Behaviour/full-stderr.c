// A pipe for stderr that is full, and whose reader waits for the program to end: a message is
// lost, and the program goes on and ends.
// RUN: %build
// RUN: env CAUSAL_OPTIONS=output=/dev/full:experiment_ms=5:sample_period_us=100:verbosity=2 %t
// RUN: env CAUSAL_OPTIONS=output=/dev/null:enabled=0 %t.native
#include "busy.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// Has the other end of stderr.
static int run(void) {
  static char Page[4096];
  alarm(20); // Ends one that hangs.
  EXPECT(!fcntl(2, F_SETFL, O_NONBLOCK));
  while (write(2, Page, sizeof(Page)) > 0)
    ;
  EXPECT(!fcntl(2, F_SETFL, 0));
  busyBegin();
  work(40000);
  busyEnd();
  return 0;
}

int main(void) {
  int Pipe[2], Status;
  EXPECT(pipe(Pipe) == 0);
  fflush(stdout);
  pid_t Child = fork();
  if (!Child) {
    dup2(Pipe[1], 2);
    exit(run());
  }
  EXPECT(waitpid(Child, &Status, 0) == Child);
  printf("status %d\n", Status);
  return Status != 0;
}
