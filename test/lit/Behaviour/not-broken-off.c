// Signals while a thread pauses before a call that need not wait, since what it asks for is
// there: it is not told of them.
// RUN: %build
// RUN: %same --samplers=auto --experiments --options=fixed_speedup=95:experiment_ms=100 %t.native %t
#include "break_off.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>

int main(void) {
  int Epoll = epoll_create1(0), Pair[2];
  char C;
  struct epoll_event Readable = {.events = EPOLLIN}, Found;
  beginToBreakOff();
  EXPECT(epoll_ctl(Epoll, EPOLL_CTL_ADD, Event, &Readable) == 0);
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, Pair) == 0);
  for (int I = 0; I < 20; ++I)
    for (int How = 0; How < 5; ++How) {
      struct pollfd Fd = {Event, POLLIN, 0};
      fd_set Set;
      FD_ZERO(&Set);
      FD_SET(Event, &Set);
      eventfd_t Number;
      alarmIn(20000);
      EXPECT(read(Event, &Number, sizeof(Number)) == -1 && errno == EINTR);
      // By the first of these it pays, so they take turns.
      struct itimerval Soon = {{0, 0}, {0, 300}};
      Number = 1; // Past the profiler, which would let it pay.
      EXPECT(syscall(SYS_write, Event, &Number, sizeof(Number)) == sizeof(Number));
      setitimer(ITIMER_REAL, &Soon, 0);
      switch (How) {
      case 0:
        EXPECT(poll(&Fd, 1, -1) == 1 && Fd.revents == POLLIN);
        break;
      case 1:
        EXPECT(select(Event + 1, &Set, 0, 0, 0) == 1 && FD_ISSET(Event, &Set));
        break;
      case 2:
        EXPECT(epoll_wait(Epoll, &Found, 1, -1) == 1 && Found.events == EPOLLIN);
        break;
      case 3:
        EXPECT(recv(Pair[0], &C, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
        break;
      case 4:
        EXPECT(read(Event, &Number, sizeof(Number)) == sizeof(Number) && Number == 1);
        continue;
      }
      alarmIn(0);
      EXPECT(read(Event, &Number, sizeof(Number)) == sizeof(Number) && Number == 1);
    }
  busyEnd();
  return 0;
}
