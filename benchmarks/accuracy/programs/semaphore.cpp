//===- semaphore.cpp - Two threads take turns through semaphores ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <semaphore.h>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Ask = accuracy::region("ask", 200);
  long Answer = accuracy::region("answer", 300);
  long Aside = accuracy::region("aside", 100);
  sem_t Asked, Answered;
  sem_init(&Asked, 0, 0);
  sem_init(&Answered, 0, 0);
  bool Stop = false; // Written between Answered and Asked.
  std::thread Other([&] {
    for (sem_wait(&Asked); !Stop; sem_wait(&Asked)) {
      WORK(Answer); // REGION answer
      sem_post(&Answered);
    }
  });
  while (accuracy::running()) {
    WORK(Ask); // REGION ask
    sem_post(&Asked);
    WORK(Aside); // REGION aside
    sem_wait(&Answered);
    ITEM_DONE();
  }
  Stop = true;
  sem_post(&Asked);
  Other.join();
  return accuracy::finish();
}
