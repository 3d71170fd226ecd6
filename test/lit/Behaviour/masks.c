// Signal masks read as the program set them, in new threads and exec'd programs too;
// functions that wait with a mask get the program's signals and only those.
// RUN: %build
// RUN: %same --experiments %t.native %t
#include "busy.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static volatile int Hits;
static void onSignal(int Signal) { ++Hits; }
static pthread_t Main;
static void *sender(void *Argument) {
  work(300);
  pthread_kill(Main, SIGUSR1);
  return 0;
}
static void send(pthread_t *Thread) { pthread_create(Thread, 0, sender, 0); }

static void printMask(const char *Name) {
  sigset_t Now;
  pthread_sigmask(SIG_BLOCK, 0, &Now);
  printf("%s:", Name);
  for (int I = 1; I < NSIG; ++I)
    if (sigismember(&Now, I) == 1)
      printf(" %d", I);
  puts("");
}
static void *printMaskOfThread(void *Name) {
  printMask(Name);
  return 0;
}
static void inThread(const char *Name, pthread_attr_t *Attributes) {
  pthread_t Thread;
  pthread_create(&Thread, Attributes, printMaskOfThread, (void *)Name);
  pthread_join(Thread, 0);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    printMask("after exec");
    return 0;
  }
  Main = pthread_self();
  busyBegin();
  sigset_t All, Some, Before, User;
  sigemptyset(&User);
  sigaddset(&User, SIGUSR1);
  sigfillset(&All);
  sigemptyset(&Some);
  sigaddset(&Some, SIGTRAP);
  sigaddset(&Some, SIGPROF);
  printMask("start");
  pthread_sigmask(SIG_BLOCK, &Some, &Before);
  printMask("some");
  inThread("inherited", 0);
  pthread_sigmask(SIG_UNBLOCK, &Some, 0);
  inThread("not inherited", 0);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setsigmask_np(&Attributes, &Some);
  inThread("by attribute", &Attributes);
  pthread_sigmask(SIG_SETMASK, &All, 0);
  work(1000);
  printMask("all");
  pthread_sigmask(SIG_SETMASK, &Before, 0);

  struct sigaction Action = {.sa_handler = onSignal};
  sigaction(SIGUSR1, &Action, 0);
  pthread_sigmask(SIG_BLOCK, &User, 0);
  sigset_t Wait;
  sigfillset(&Wait);
  sigdelset(&Wait, SIGUSR1);
  int Pipe[2], Epoll = epoll_create1(0);
  EXPECT(pipe(Pipe) == 0);
  struct epoll_event Event = {.events = EPOLLIN};
  epoll_ctl(Epoll, EPOLL_CTL_ADD, Pipe[0], &Event);
  for (int I = 0; I < 30; ++I) {
    // Whether or not the wait's mask shuts the sampler's signal out by itself.
    if (I == 15)
      sigemptyset(&Wait);
    pthread_t Thread;
    int Expected = Hits + 1, Signal;
    struct pollfd Poll = {.fd = Pipe[0], .events = POLLIN};
    fd_set Set;
    FD_ZERO(&Set);
    FD_SET(Pipe[0], &Set);
    send(&Thread);
    switch (I % 5) {
    case 0:
      EXPECT(sigsuspend(&Wait) == -1 && errno == EINTR);
      break;
    case 1:
      EXPECT(ppoll(&Poll, 1, 0, &Wait) == -1 && errno == EINTR);
      break;
    case 2:
      EXPECT(pselect(Pipe[0] + 1, &Set, 0, 0, 0, &Wait) == -1 && errno == EINTR);
      break;
    case 3:
      EXPECT(epoll_pwait(Epoll, &Event, 1, -1, &Wait) == -1 && errno == EINTR);
      break;
    case 4:
      EXPECT(sigwait(&User, &Signal) == 0 && Signal == SIGUSR1);
      ++Hits;
      break;
    }
    EXPECT(Hits == Expected);
    pthread_join(Thread, 0);
  }
  busyEnd();
  printf("%d hits\n", Hits);
  pthread_sigmask(SIG_SETMASK, &Some, 0);
  fflush(stdout);
  execl("/proc/self/exe", argv[0], "again", (char *)0);
  return 1;
}
