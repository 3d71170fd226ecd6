// A small limit of descriptors: of those that it could open a program can open all but a
// quarter, one after the other, and threads that begin when there are none left run. Of a
// very small limit all are the program's.
// RUN: %build
// RUN: %same --experiments --before="prlimit --nofile=64" %t.native %t
// RUN: %same --experiments --before="prlimit --nofile=256" %t.native %t
// RUN: %same --options=fixed_speedup=90 %t.native %t 64
// RUN: %same --options=fixed_speedup=90 %t.native %t 256
// RUN: %same %t.native %t 24
#include "busy.h"
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { First = 3 };
static void *shortLived(void *Argument) {
  work(300);
  return Argument;
}
static void *opens(void *Argument) {
  for (int I = 0; I < 200; ++I) {
    int Pair[2], Fd = eventfd(0, 0);
    EXPECT(Fd >= First && pipe(Pair) == 0);
    EXPECT(close(Pair[0]) == 0 && close(Pair[1]) == 0);
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, Pair) == 0);
    EXPECT(close(Pair[0]) == 0 && close(Pair[1]) == 0 && close(Fd) == 0);
  }
  return Argument;
}
static void inThreads(void *(*Start)(void *), int Count) {
  pthread_t Threads[40];
  for (int I = 0; I < Count; ++I)
    EXPECT(pthread_create(&Threads[I], 0, Start, 0) == 0);
  for (int I = 0; I < Count; ++I)
    EXPECT(pthread_join(Threads[I], 0) == 0);
}
// The lowest three quarters are the program's, one after the other.
static void useAll(int Limit) {
  int Ours = Limit < 64 ? 0 : Limit / 4;
  int Fds[256], Count = 0;
  while ((Fds[Count] = dup(1)) >= 0) {
    EXPECT(Fds[Count] == First + Count || Fds[Count] >= Limit - Ours);
    ++Count;
  }
  EXPECT(errno == EMFILE && First + Count >= Limit - Ours);
  inThreads(shortLived, 40);
  while (--Count >= 0)
    EXPECT(close(Fds[Count]) == 0);
}

// Beside threads that have begun under the limit and live.
static pthread_barrier_t Begun, Ended;
static void *lives(void *Argument) {
  work(300);
  pthread_barrier_wait(&Begun);
  pthread_barrier_wait(&Ended);
  return Argument;
}
static void useAllBesideThreads(int Limit) {
  enum { Count = 30 };
  pthread_t Threads[Count];
  pthread_barrier_init(&Begun, 0, Count + 1);
  pthread_barrier_init(&Ended, 0, Count + 1);
  for (int I = 0; I < Count; ++I)
    EXPECT(pthread_create(&Threads[I], 0, lives, 0) == 0);
  pthread_barrier_wait(&Begun);
  useAll(Limit);
  pthread_barrier_wait(&Ended);
  for (int I = 0; I < Count; ++I)
    EXPECT(pthread_join(Threads[I], 0) == 0);
}

int main(int argc, char **argv) {
  struct rlimit Limit;
  EXPECT(getrlimit(RLIMIT_NOFILE, &Limit) == 0);
  if (argc > 1)
    busyBegin();
  if (argc > 1) // Has threads already.
    Limit.rlim_cur = (rlim_t)atoi(argv[1]);
  EXPECT(setrlimit(RLIMIT_NOFILE, &Limit) == 0);
  useAll((int)Limit.rlim_cur);
  if (argc == 1)
    busyBegin();
  work(20000);
  useAll((int)Limit.rlim_cur);
  inThreads(opens, 8); // At most 24 at once.
  useAll((int)Limit.rlim_cur);
  useAllBesideThreads((int)Limit.rlim_cur);
  busyEnd();
  printf("%d\n", (int)Limit.rlim_cur);
  return 0;
}
