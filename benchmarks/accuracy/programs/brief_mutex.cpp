//===- brief_mutex.cpp - A mutex for less time than a sample takes -------===//
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
  long Critical = accuracy::region("critical", 2);
  long Private = accuracy::region("private", 10);
  pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
  auto Worker = [&] {
    while (accuracy::running()) {
      pthread_mutex_lock(&Lock); // SECTION critical
      WORK(Critical); // REGION critical
      pthread_mutex_unlock(&Lock);
      WORK(Private); // REGION private
      ITEM_DONE();
    }
  };
  std::thread X(Worker), Y(Worker);
  X.join();
  Y.join();
  return accuracy::finish();
}
