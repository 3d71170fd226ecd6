//===- kernel_work.cpp - A call that does not wait, but works -------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two threads meet in each round. One of them has the kernel copy a file's pages first.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <pthread.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  constexpr double BytesPerMicrosecond = 5000;
  auto Size = static_cast<size_t>(static_cast<double>(accuracy::region("copy", 300)) /
                                  accuracy::PerMicrosecond * BytesPerMicrosecond);
  long After = accuracy::region("after", 200), Beside = accuracy::region("beside", 350);
  std::vector<char> Buffer(Size);
  int File = memfd_create("accuracy", 0);
  if (write(File, Buffer.data(), Size) != static_cast<ssize_t>(Size))
    return 1;
  pthread_barrier_t Begin, End;
  pthread_barrier_init(&Begin, nullptr, 2);
  pthread_barrier_init(&End, nullptr, 2);
  bool Stop = false; // Written between End and Begin.
  std::thread Other([&] {
    for (;;) {
      pthread_barrier_wait(&Begin);
      if (Stop)
        return;
      WORK(Beside); // REGION beside
      pthread_barrier_wait(&End);
    }
  });
  while (!Stop) {
    pthread_barrier_wait(&Begin);
    ssize_t Copied = pread(File, Buffer.data(), Size, 0); // REGION copy
    if (Copied != static_cast<ssize_t>(Size))
      return 1;
    WORK(After); // REGION after
    pthread_barrier_wait(&End);
    ITEM_DONE();
    Stop = !accuracy::running();
  }
  pthread_barrier_wait(&Begin);
  Other.join();
  return accuracy::finish();
}
