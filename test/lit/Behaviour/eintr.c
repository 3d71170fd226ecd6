// No call ends early because of a sample, whichever sampler takes it.
// RUN: %build
// RUN: %same --experiments %t.native %t
#include "busy.h"
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int Failures;
static void check(const char *Call, long Result) {
  if (Result == -1 && errno == EINTR && ++Failures < 5)
    printf("%s: EINTR\n", Call);
}
static sem_t Semaphore, Never;
static int Pipe[2], Server, Epoll;
static struct sockaddr_in Address = {.sin_family = AF_INET};

static void *blocks(void *Argument) {
  for (int I = 0; I < 150; ++I) {
    struct timespec Short = {0, 200000}, Until;
    work(I % 7 * 30);
    check("nanosleep", nanosleep(&Short, 0));
    check("usleep", usleep(100));
    errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &Short, 0);
    check("clock_nanosleep", errno ? -1 : 0);
    work(I % 5 * 20);
    check("poll", poll(0, 0, 1));
    struct timeval Interval = {0, 200};
    check("select", select(0, 0, 0, 0, &Interval));
    struct epoll_event Event;
    check("epoll_wait", epoll_wait(Epoll, &Event, 1, 1));
    clock_gettime(CLOCK_REALTIME, &Until);
    Until.tv_nsec += 200000;
    if (Until.tv_nsec < 1000000000)
      check("sem_timedwait", sem_timedwait(&Never, &Until));
  }
  return 0;
}
static void *reads(void *Argument) {
  char Byte;
  for (;;) {
    long N = read(Pipe[0], &Byte, 1);
    check("read", N);
    check("sem_wait", sem_wait(&Semaphore));
    work(20);
    if (N == 1 && Byte == 'q')
      return 0;
  }
}
static void *accepts(void *Argument) {
  for (int I = 0; I < 100; ++I) {
    int Fd = accept(Server, 0, 0);
    check("accept", Fd);
    work(30);
    close(Fd);
  }
  return 0;
}
int main(void) {
  pthread_t Threads[4];
  socklen_t Size = sizeof(Address);
  EXPECT(pipe(Pipe) == 0 && sem_init(&Semaphore, 0, 0) == 0 && sem_init(&Never, 0, 0) == 0);
  Epoll = epoll_create1(0);
  Server = socket(AF_INET, SOCK_STREAM, 0);
  Address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT(bind(Server, (struct sockaddr *)&Address, Size) == 0 && listen(Server, 8) == 0 &&
         getsockname(Server, (struct sockaddr *)&Address, &Size) == 0);
  busyBegin();
  pthread_create(&Threads[0], 0, blocks, 0);
  pthread_create(&Threads[1], 0, blocks, 0);
  pthread_create(&Threads[2], 0, reads, 0);
  pthread_create(&Threads[3], 0, accepts, 0);
  for (int I = 0; I < 400; ++I) {
    work(50);
    EXPECT(write(Pipe[1], I == 399 ? "q" : "x", 1) == 1);
    sem_post(&Semaphore);
    if (I % 4 == 0) {
      int Fd = socket(AF_INET, SOCK_STREAM, 0);
      check("connect", connect(Fd, (struct sockaddr *)&Address, Size));
      close(Fd);
    }
  }
  for (int I = 0; I < 4; ++I)
    pthread_join(Threads[I], 0);
  busyEnd();
  printf("%d calls ended early\n", Failures);
  return 0;
}
