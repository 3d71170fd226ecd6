//===- saturated_spin.cpp - A spin lock that becomes the bottleneck -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <pthread.h>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Critical = accuracy::region("critical", 3);
  long Private = accuracy::region("private", 4);
  pthread_spinlock_t Lock;
  pthread_spin_init(&Lock, PTHREAD_PROCESS_PRIVATE);
  auto Worker = [&] {
    while (accuracy::running()) {
      pthread_spin_lock(&Lock); // SECTION critical
      WORK(Critical); // REGION critical
      pthread_spin_unlock(&Lock);
      WORK(Private); // REGION private
      ITEM_DONE();
    }
  };
  std::thread X(Worker), Y(Worker);
  X.join();
  Y.join();
  return accuracy::finish();
}
