// A plugin that keeps its OpenMP to itself, as Python's do, finds it; the program has none.
// REQUIRES: gcc-openmp
// RUN: %gcc -shared -fPIC -O1 -fopenmp %S/Inputs/openmp-plugin.c -o %t.so
// RUN: %build
// RUN: %same %t.native %t %t.so
#include "busy.h"
#include <dlfcn.h>

int main(int argc, char **argv) {
  busyBegin();
  void *Plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  EXPECT(Plugin);
  int (*InParallel)(void) = (int (*)(void))dlsym(Plugin, "inParallel");
  for (int I = 0; I < 20; ++I)
    EXPECT(InParallel() == 1);
  busyEnd();
  puts("20 times");
  return 0;
}
