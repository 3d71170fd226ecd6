// Other allocators, preloaded and linked.
// REQUIRES: libjemalloc, libtcmalloc_minimal
// RUN: %build_cxx
// RUN: %same --samplers=auto --experiments --preload=%libjemalloc %t.native %t
// RUN: %same --samplers=auto --experiments --preload=%libtcmalloc_minimal %t.native %t
// RUN: %causal_clangxx -fcausal-profile -std=c++17 -O1 -pthread -I%S/Inputs %s %libjemalloc -ldl -o %t.jemalloc
// RUN: %same --samplers=auto --experiments %t.native %t.jemalloc
// RUN: %causal_clangxx -fcausal-profile -std=c++17 -O1 -pthread -I%S/Inputs %s %libtcmalloc_minimal -ldl -o %t.tcmalloc
// RUN: %same --samplers=auto --experiments %t.native %t.tcmalloc
#include "busy.h"
#include <map>
#include <string>
#include <thread>
#include <vector>
int main() {
  busyBegin();
  std::vector<std::thread> Threads;
  std::vector<size_t> Sizes(4);
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back([&, I] {
      std::map<int, std::string> Map;
      for (int J = 0; J < 4000; ++J)
        Map[J % 500] += "x";
      Sizes[I] = Map.size();
    });
  for (auto &T : Threads)
    T.join();
  work(15000);
  busyEnd();
  printf("%zu\n", Sizes[0] + Sizes[3]);
}
