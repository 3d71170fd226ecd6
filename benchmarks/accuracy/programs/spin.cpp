//===- spin.cpp - Two threads share a spin lock --------------------------===//
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
  long Critical = accuracy::region("critical", 120);
  long Private = accuracy::region("private", 80);
  pthread_spinlock_t Spin;
  pthread_spin_init(&Spin, PTHREAD_PROCESS_PRIVATE);
  auto Worker = [&] {
    while (accuracy::running()) {
      pthread_spin_lock(&Spin); // SECTION critical
      WORK(Critical); // REGION critical
      pthread_spin_unlock(&Spin);
      WORK(Private); // REGION private
      ITEM_DONE();
    }
  };
  std::thread X(Worker), Y(Worker);
  X.join();
  Y.join();
  return accuracy::finish();
}
