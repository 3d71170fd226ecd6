// The runtime lives beside the sanitizers', which still find what they look for.
// RUN: %causal_clangxx -fcausal-profile -O1 -fsanitize=address %s -o %t.asan
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t.asan
// RUN: not %env_causal_opts=experiment_ms=10:output=%t.causal %t.asan bug 2>&1 | FileCheck %s --check-prefix=ASAN
// RUN: %causal_clangxx -fcausal-profile -O1 -fsanitize=thread %s -o %t.tsan
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t.tsan
// RUN: not %env_causal_opts=experiment_ms=10:output=%t.causal %t.tsan race 2>&1 | FileCheck %s --check-prefix=TSAN
// RUN: %causal_clangxx -fcausal-profile -O1 -fsanitize=undefined %s -o %t.ubsan
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t.ubsan
// ASAN: heap-use-after-free
// TSAN: data race
#include "Inputs/work.h"
#include <causal/causal.h>
#include <mutex>
#include <string.h>
#include <thread>
static std::mutex M;
static long Guarded, Raced;
int main(int argc, char **argv) {
  bool Race = argc > 1 && !strcmp(argv[1], "race");
  auto Worker = [&] {
    for (int I = 0; I < 50; ++I) {
      WORK(1000);
      CAUSAL_PROGRESS;
      if (Race)
        ++Raced;
      std::lock_guard<std::mutex> Lock(M);
      ++Guarded;
    }
  };
  std::thread A(Worker), B(Worker);
  A.join();
  B.join();
  if (argc > 1 && !strcmp(argv[1], "bug")) {
    volatile char *P = new char[8];
    delete[] P;
    return P[3];
  }
  return Guarded != 100;
}
