//===- pipe.cpp - Producer and consumer over a pipe -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <fcntl.h>
#include <thread>
#include <unistd.h>

// Sixteen messages fill the pipe.
struct Message {
  char Bytes[256];
};

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Produce = accuracy::region("produce", 250);
  long Consume = accuracy::region("consume", 400);
  int Pipe[2];
  if (pipe(Pipe) || fcntl(Pipe[1], F_SETPIPE_SZ, 16 * sizeof(Message)) < 0)
    return 1;
  std::thread Producer([&] {
    Message M = {};
    while (accuracy::running()) {
      WORK(Produce); // REGION produce
      if (write(Pipe[1], &M, sizeof(M)) < 0)
        return;
    }
    close(Pipe[1]);
  });
  Message M;
  while (read(Pipe[0], &M, sizeof(M)) > 0) {
    WORK(Consume); // REGION consume
    ITEM_DONE();
  }
  Producer.join();
  return accuracy::finish();
}
