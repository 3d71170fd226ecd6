// Functions on descriptors stay cancellation points, in the middle of a wait for
// another thread, and the thread's cleanup runs.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t
// RUN: %causal_clang -fcausal-profile -O1 -static -pthread %s -o %t.static
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t.static
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int Pipe[2], Sockets[2], Counter, Epoll, CleanedUp;
static void cleanUp(void *Argument) { ++CleanedUp; }

static void wait(long How) {
  char C;
  eventfd_t Value;
  struct pollfd Fd = {Pipe[0], POLLIN, 0};
  struct epoll_event Event;
  fd_set Set;
  FD_ZERO(&Set);
  FD_SET(Pipe[0], &Set);
  switch (How) {
  case 0:
    read(Pipe[0], &C, 1);
    return;
  case 1:
    recv(Sockets[0], &C, 1, 0);
    return;
  case 2:
    eventfd_read(Counter, &Value);
    return;
  case 3:
    poll(&Fd, 1, -1);
    return;
  case 4:
    select(Pipe[0] + 1, &Set, 0, 0, 0);
    return;
  case 5:
    epoll_wait(Epoll, &Event, 1, -1);
    return;
  case 6:
    for (;;)
      write(Pipe[1], &C, 1);
  }
}

static void *waiter(void *How) {
  pthread_cleanup_push(cleanUp, 0);
  wait((long)How);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  struct epoll_event Event = {EPOLLIN, {0}};
  pipe(Pipe);
  socketpair(AF_UNIX, SOCK_STREAM, 0, Sockets);
  Counter = eventfd(0, 0);
  Epoll = epoll_create1(0);
  epoll_ctl(Epoll, EPOLL_CTL_ADD, Pipe[0], &Event);
  for (long How = 0; How < 7; ++How) {
    pthread_t Thread;
    void *Result;
    pthread_create(&Thread, 0, waiter, (void *)How);
    pthread_cancel(Thread);
    if (pthread_join(Thread, &Result) || Result != PTHREAD_CANCELED)
      return 1;
  }
  return CleanedUp != 7;
}
