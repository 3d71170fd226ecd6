// A child that may not map any memory works.
// RUN: %build
// RUN: %same %t.native %t
#include "busy.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  busyBegin();
  struct rlimit Little = {1 << 20, RLIM_INFINITY}, Old;
  for (int I = 0; I < 5; ++I) {
    EXPECT(getrlimit(RLIMIT_AS, &Old) == 0 && setrlimit(RLIMIT_AS, &Little) == 0);
    pid_t Child = fork();
    if (Child == 0) {
      work(20000);
      _exit(0);
    }
    EXPECT(setrlimit(RLIMIT_AS, &Old) == 0);
    int Status;
    EXPECT(waitpid(Child, &Status, 0) == Child && Status == 0);
  }
  busyEnd();
  puts("5 children");
  return 0;
}
