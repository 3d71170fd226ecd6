// fork() while other threads begin and end, and come to progress points for the first time:
// the child can do so, too.
// RUN: %build
// RUN: %same %t.native %t
#include "busy.h"
#include <sys/wait.h>
#include <unistd.h>

static volatile int Stop;

static void newPoint(void) {
#ifdef __CAUSAL_PROFILE__
  static int Number;
  char Name[20];
  snprintf(Name, sizeof(Name), "point %d", __atomic_fetch_add(&Number, 1, __ATOMIC_RELAXED) % 500);
  __causal_get_counter(CAUSAL_THROUGHPUT, Name);
#endif
}

static void *nothing(void *Argument) { return Argument; }
static void *beginThreads(void *Argument) {
  while (!Stop) {
    pthread_t Thread;
    EXPECT(pthread_create(&Thread, 0, nothing, 0) == 0);
    pthread_join(Thread, 0);
    newPoint();
  }
  return Argument;
}

static void forkOnce(void) {
  pid_t Child = fork();
  if (Child == 0) {
    alarm(20); // Ends a child that hangs.
    pthread_t Thread;
    newPoint();
    if (pthread_create(&Thread, 0, nothing, 0) || pthread_join(Thread, 0))
      _exit(1);
    _exit(0);
  }
  int Status;
  while (waitpid(Child, &Status, 0) != Child)
    ;
  EXPECT(Status == 0);
}

int main(void) {
  pthread_t Beginner;
  busyBegin();
  pthread_create(&Beginner, 0, beginThreads, 0);
  for (int I = 0; I < 100; ++I)
    forkOnce();
  Stop = 1;
  pthread_join(Beginner, 0);
  busyEnd();
  puts("forked");
  return 0;
}
