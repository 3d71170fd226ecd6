//===- kernel_crowded.cpp - Calls that work, and more threads than cores --===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four threads have the kernel copy the pages of a file, each of its own so that they do
// not contend for cache lines, and work, and wait for nothing.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  constexpr double BytesPerMicrosecond = 5000;
  auto Size = static_cast<size_t>(static_cast<double>(accuracy::region("copy", 300)) /
                                  accuracy::PerMicrosecond * BytesPerMicrosecond);
  long After = accuracy::region("after", 200);
  std::vector<std::thread> Workers;
  for (int I = 0; I < 4; ++I)
    Workers.emplace_back([=] {
      std::vector<char> Buffer(Size);
      int File = memfd_create("accuracy", 0);
      if (write(File, Buffer.data(), Size) != static_cast<ssize_t>(Size))
        _exit(1);
      while (accuracy::running()) {
        ssize_t Copied = pread(File, Buffer.data(), Size, 0); // REGION copy
        if (Copied != static_cast<ssize_t>(Size))
          _exit(1);
        WORK(After); // REGION after
        ITEM_DONE();
      }
    });
  for (std::thread &W : Workers)
    W.join();
  return accuracy::finish();
}
