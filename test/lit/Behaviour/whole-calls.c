// A call that works in the kernel for long, where a sample of a timer finds it, ends as it would
// without: a write to a pipe writes everything, and a wait lasts until its time is over.
// RUN: %build
// RUN: %same --experiments %t.native %t
#include "busy.h"
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <linux/futex.h>
#include <unistd.h>

enum { Size = 8 << 20, Watched = 900 };
static char *Data;
static struct pollfd Fds[Watched];
static int Sockets[2], Pipe[2], Epoll;

static void *reads(void *Fd) {
  char *Buffer = malloc(Size);
  while (read(*(int *)Fd, Buffer, Size) > 0)
    ;
  free(Buffer);
  return 0;
}
static int Short;
static void whole(const char *Call, long Result) {
  if (Result != Size && ++Short < 5)
    printf("%s: %ld of %d\n", Call, Result, Size);
}
static void writes(void) {
  pthread_t Readers[2];
  pthread_create(&Readers[0], 0, reads, &Pipe[0]);
  pthread_create(&Readers[1], 0, reads, &Sockets[0]);
  for (int I = 0; I < 6; ++I) {
    struct iovec Parts[2] = {{Data, Size / 2}, {Data + Size / 2, Size / 2}};
    struct msghdr Message = {.msg_iov = Parts, .msg_iovlen = 2};
    whole("write", write(Pipe[1], Data, Size));
    whole("writev", writev(Pipe[1], Parts, 2));
    whole("send", send(Sockets[1], Data, Size, 0));
    whole("sendmsg", sendmsg(Sockets[1], &Message, 0));
  }
  close(Pipe[1]);
  close(Sockets[1]);
  for (int I = 0; I < 2; ++I)
    pthread_join(Readers[I], 0);
}

static int Early;
static void waited(const char *Call, long Result) {
  if (Result == -1 && errno == EINTR && ++Early < 5)
    printf("%s: EINTR\n", Call);
}
static sem_t Semaphore;
static void waits(void) {
  fd_set Set;
  int Last = 0;
  FD_ZERO(&Set);
  for (int I = 0; I < Watched; ++I)
    if (Fds[I].fd < FD_SETSIZE) {
      FD_SET(Fds[I].fd, &Set);
      Last = Fds[I].fd > Last ? Fds[I].fd : Last;
    }
  struct timespec Brief = {0, 20000};
  for (int I = 0; I < 500; ++I) {
    fd_set Copy = Set;
    struct timeval Interval = {0, 20};
    waited("poll", poll(Fds, Watched, 1));
    waited("ppoll", ppoll(Fds, Watched, &Brief, 0));
    waited("select", select(Last + 1, &Copy, 0, 0, &Interval));
  }
  // Long enough in all for ticks to come upon the few microseconds before they sleep.
  int Futex = 0;
  struct timespec Moment = {0, 1000}, Past = {1, 0};
  for (int I = 0; I < 1500; ++I) {
    struct epoll_event Event;
    waited("nanosleep", nanosleep(&Moment, 0));
    waited("usleep", usleep(1));
    waited("futex", syscall(SYS_futex, &Futex, FUTEX_WAIT, 0, &Moment));
    waited("sem_timedwait", sem_timedwait(&Semaphore, &Past));
    if (I % 16 == 0)
      waited("epoll_wait", epoll_wait(Epoll, &Event, 1, 1));
  }
}

int main(void) {
  Data = malloc(Size);
  memset(Data, 'a', Size);
  EXPECT(!pipe(Pipe) && !socketpair(AF_UNIX, SOCK_STREAM, 0, Sockets) &&
         !sem_init(&Semaphore, 0, 0));
  Epoll = epoll_create1(0);
  for (int I = 0; I < Watched; ++I) {
    Fds[I] = (struct pollfd){eventfd(0, 0), POLLIN, 0};
    EXPECT(Fds[I].fd >= 0);
  }
  busyBegin();
  writes();
  waits();
  busyEnd();
  printf("%d writes were short, %d waits ended early\n", Short, Early);
  return 0;
}
