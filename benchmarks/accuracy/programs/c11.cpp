//===- c11.cpp - Producer and consumer with C11's threads ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <threads.h>

static long Produce, Consume;
static mtx_t M;
static cnd_t NotFull, NotEmpty;
static int Queued;
static bool Closed;

static int produce(void *) {
  while (accuracy::running()) {
    WORK(Produce); // REGION produce
    mtx_lock(&M);
    while (Queued == 4)
      cnd_wait(&NotFull, &M);
    ++Queued;
    cnd_signal(&NotEmpty);
    mtx_unlock(&M);
  }
  mtx_lock(&M);
  Closed = true;
  cnd_signal(&NotEmpty);
  mtx_unlock(&M);
  return 0;
}

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  Produce = accuracy::region("produce", 250);
  Consume = accuracy::region("consume", 400);
  mtx_init(&M, mtx_plain);
  cnd_init(&NotFull);
  cnd_init(&NotEmpty);
  thrd_t Producer;
  thrd_create(&Producer, produce, nullptr);
  for (;;) {
    mtx_lock(&M);
    while (!Queued && !Closed)
      cnd_wait(&NotEmpty, &M);
    bool Done = !Queued;
    Queued -= !Done;
    cnd_signal(&NotFull);
    mtx_unlock(&M);
    if (Done)
      break;
    WORK(Consume); // REGION consume
    ITEM_DONE();
  }
  thrd_join(Producer, nullptr);
  return accuracy::finish();
}
