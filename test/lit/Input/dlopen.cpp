// Routines of an image that is loaded twice are the same, and keep their names when it is gone.
// RUN: %causal_clangxx -fcausal-profile=input -O2 -DPLUGIN -fPIC -shared %s -o %t.so
// RUN: %causal_clangxx -fcausal-profile=input -O2 %s -o %t -ldl -Wl,--no-as-needed
// RUN: rm -f %t.causal; %env_causal_opts=output=%t.causal %t %t.so
// RUN: %python %S/Inputs/points.py %t.causal total | FileCheck %s
// RUN: grep -c '"name":"total"' %t.causal | FileCheck %s --check-prefix=NAMES
// What is not instrumented is named: here libstdc++ and libm, as the linker left them.
// RUN: grep '"uninstrumented":"[^"]*libstdc++' %t.causal
// RUN: not grep '"uninstrumented":"[^"]*tmp.so' %t.causal
// CHECK: total 8 calls 2
// NAMES: 1
#ifdef PLUGIN
extern "C" int total(const int *P) {
  int Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += P[I];
  return Sum;
}
#else
#include <dlfcn.h>
int main(int, char **Words) {
  int Values[8];
  for (int I = 0; I < 8; ++I) {
    asm volatile("" : "+r"(I));
    Values[I] = I;
  }
  for (int Round = 0; Round < 2; ++Round) {
    void *Image = dlopen(Words[1], RTLD_NOW);
    if (!Image)
      return 1;
    auto *Total = reinterpret_cast<int (*)(const int *)>(dlsym(Image, "total"));
    if (!Total || Total(Values) != 28)
      return 2;
    dlclose(Image);
  }
}
#endif
