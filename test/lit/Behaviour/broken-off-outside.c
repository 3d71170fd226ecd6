// As broken-off.c, for waits for the outside world.
// RUN: %build
// RUN: %same --samplers=auto --experiments --options=fixed_speedup=95:experiment_ms=100 %t.native %t
#include "break_off.h"
#include <poll.h>
#include <sys/timerfd.h>

static int Timer; // Never set.

static int byPoll(void) {
  struct pollfd Fd = {Timer, POLLIN, 0};
  return poll(&Fd, 1, -1);
}
static int byRead(void) {
  char Text[8];
  return (int)read(Timer, Text, sizeof(Text));
}
static int bySleep(void) {
  struct timespec Long = {10, 0}, Left = {0, 0};
  int Result = nanosleep(&Long, &Left);
  EXPECT(Left.tv_sec >= 8 && Left.tv_sec <= 10);
  return Result;
}

int main(void) {
  beginToBreakOff();
  Timer = timerfd_create(CLOCK_MONOTONIC, 0);
  EXPECT(Timer >= 0);
  breakOff("poll", byPoll);
  breakOff("read", byRead);
  breakOff("nanosleep", bySleep);
  busyEnd();
  return 0;
}
