//===- functions.cpp - Work in functions, inlined and not, at a barrier ---===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <pthread.h>
#include <thread>

static long Parse, Load, Store;

// No line has all of its work, and it is part of two others.
extern "C" __attribute__((always_inline)) inline void parse() { // FUNCTION parse
  WORK(Parse);
  WORK(Parse);
}
extern "C" __attribute__((noinline)) void load() { // FUNCTION load
  WORK(Load);
  WORK(Load);
}
extern "C" __attribute__((noinline)) void store() { // FUNCTION store
  WORK(Store);
  parse();
}

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  Parse = accuracy::region("parse", 60);
  Load = accuracy::region("load", 180);
  Store = accuracy::region("store", 160);
  pthread_barrier_t Met;
  pthread_barrier_init(&Met, nullptr, 2);
  std::atomic<bool> Ends{false};
  std::thread Other([&] {
    do {
      load();
      pthread_barrier_wait(&Met);
      pthread_barrier_wait(&Met);
    } while (!Ends);
  });
  do {
    parse();
    store();
    pthread_barrier_wait(&Met);
    Ends = !accuracy::running();
    ITEM_DONE();
    pthread_barrier_wait(&Met);
  } while (!Ends);
  Other.join();
  return accuracy::finish();
}
