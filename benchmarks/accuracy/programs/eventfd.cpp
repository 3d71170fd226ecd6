//===- eventfd.cpp - Two threads take turns through eventfds --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <sys/eventfd.h>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Ask = accuracy::region("ask", 200);
  long Answer = accuracy::region("answer", 300);
  long Aside = accuracy::region("aside", 100);
  int Asked = eventfd(0, 0), Answered = eventfd(0, 0);
  std::thread Other([&] {
    eventfd_t Value;
    while (!eventfd_read(Asked, &Value) && Value == 1) {
      WORK(Answer); // REGION answer
      eventfd_write(Answered, 1);
    }
  });
  eventfd_t Value;
  while (accuracy::running()) {
    WORK(Ask); // REGION ask
    eventfd_write(Asked, 1);
    WORK(Aside); // REGION aside
    eventfd_read(Answered, &Value);
    ITEM_DONE();
  }
  eventfd_write(Asked, 2);
  Other.join();
  return accuracy::finish();
}
