// As broken-off.c, for other waits for threads than those at a pipe: a signal that comes while
// a thread pauses before them breaks them off.
// RUN: %build
// RUN: %same --samplers=auto --experiments --options=fixed_speedup=95:experiment_ms=100 %t.native %t
#include "break_off.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

static int Epoll;
static mqd_t Queue;
static sem_t Never;

static int byPoll(void) {
  struct pollfd Fd = {Event, POLLIN, 0};
  return poll(&Fd, 1, -1);
}
static int bySelect(void) {
  fd_set Set;
  FD_ZERO(&Set);
  FD_SET(Event, &Set);
  return select(Event + 1, &Set, 0, 0, 0);
}
static int byEpoll(void) {
  struct epoll_event Ready;
  return epoll_wait(Epoll, &Ready, 1, -1);
}
static int bySemaphore(void) { return sem_wait(&Never); }
static int byQueue(void) {
  char Text[16];
  return (int)mq_receive(Queue, Text, sizeof(Text), 0);
}
static int byFutex(void) {
  static unsigned Futex;
  return (int)syscall(SYS_futex, &Futex, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}
static int bySignal(void) {
  sigset_t User;
  sigemptyset(&User);
  sigaddset(&User, SIGUSR1);
  return sigwaitinfo(&User, 0);
}

int main(void) {
  beginToBreakOff();
  struct epoll_event Readable = {.events = EPOLLIN};
  Epoll = epoll_create1(0);
  EXPECT(epoll_ctl(Epoll, EPOLL_CTL_ADD, Event, &Readable) == 0);
  EXPECT(sem_init(&Never, 0, 0) == 0);
  struct mq_attr Small = {.mq_maxmsg = 1, .mq_msgsize = 16};
  Queue = mq_open("/broken-off-elsewhere", O_RDWR | O_CREAT, 0600, &Small);
  mq_unlink("/broken-off-elsewhere");
  breakOff("poll", byPoll);
  breakOff("select", bySelect);
  breakOff("epoll_wait", byEpoll);
  breakOff("pause", pause);
  breakOff("sem_wait", bySemaphore);
  if (Queue != (mqd_t)-1) // Containers may have none.
    breakOff("mq_receive", byQueue);
  breakOff("futex", byFutex);
  breakOff("sigwaitinfo", bySignal);
  busyEnd();
  return 0;
}
