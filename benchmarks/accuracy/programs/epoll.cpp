//===- epoll.cpp - An event loop that another thread feeds ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

// Events wait in a counter, and places for eight of them in a pipe. The loop listens to a
// pipe besides, where nothing comes but its end.
int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Prepare = accuracy::region("prepare", 350);
  long Handle = accuracy::region("handle", 250);
  int Events = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE), Free[2], Idle[2];
  if (pipe(Free) || pipe(Idle) || write(Free[1], "........", 8) != 8)
    return 1;
  std::thread Feeder([&] {
    char Place;
    while (accuracy::running()) {
      WORK(Prepare); // REGION prepare
      if (read(Free[0], &Place, 1) != 1)
        return;
      eventfd_write(Events, 1);
    }
    close(Idle[1]);
  });
  int Loop = epoll_create1(0);
  epoll_event Event = {};
  Event.events = EPOLLIN;
  Event.data.fd = Events;
  epoll_ctl(Loop, EPOLL_CTL_ADD, Events, &Event);
  Event.data.fd = Idle[0];
  epoll_ctl(Loop, EPOLL_CTL_ADD, Idle[0], &Event);
  while (epoll_wait(Loop, &Event, 1, -1) == 1 && Event.data.fd == Events) {
    eventfd_t Value;
    while (!eventfd_read(Events, &Value)) {
      WORK(Handle); // REGION handle
      ITEM_DONE();
      if (write(Free[1], ".", 1) != 1)
        return 1;
    }
  }
  Feeder.join();
  return accuracy::finish();
}
