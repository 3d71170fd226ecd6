// A program that finds Coz's functions by dlsym, as coz.h does, has its points.
// RUN: rm -f %t.causal
// RUN: %causal_clangxx -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=20:output=%t.causal %t
// RUN: FileCheck %s --input-file=%t.causal
// CHECK: "points":[{"name":"item","kind":"throughput","visits":{{[1-9]}}
// CHECK-SAME: {"name":"request","kind":"latency","begins":{{[1-9][0-9]*}},"ends":{{[1-9][0-9]*}},"in_flight":{{0|1}}.
#include "Inputs/work.h"
#include <cstddef>
#include <dlfcn.h>
#include <thread>
struct Counter {
  size_t Count, Backoff;
};
template <typename T> T find(const char *Name) { return reinterpret_cast<T>(dlsym(RTLD_DEFAULT, Name)); }
int main() {
  auto Get = find<Counter *(*)(int, const char *)>("_coz_get_counter");
  auto PreBlock = find<void (*)()>("_coz_pre_block");
  auto PostBlock = find<void (*)(int)>("_coz_post_block");
  auto AddDelays = find<void (*)()>("_coz_add_delays");
  if (!Get || !PreBlock || !PostBlock || !AddDelays || Get(9, "x") || Get(1, "item") != Get(1, "item") ||
      Get(1, "item") == Get(2, "item"))
    return 1;
  auto Visit = [&](int Kind, const char *Name) {
    __atomic_add_fetch(&Get(Kind, Name)->Count, 1, __ATOMIC_RELAXED);
  };
  for (int I = 0; I < 400; ++I) {
    Visit(2, "request");
    WORK(1000);
    Visit(3, "request");
    Visit(1, "item");
    AddDelays();
    PreBlock();
    PostBlock(1);
  }
}
