// The lines of an instrumented library that is loaded later are found; unloading it
// leaves nothing behind that could crash.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t %t.so
// RUN: FileCheck %s --input-file=%t.causal
// CHECK: "function":"libraryWork"
#include "Inputs/work.h"
#include <causal/causal.h>
#include <dlfcn.h>
#ifdef LIBRARY
void libraryWork(void) { WORK(1000); }
#else
int main(int argc, char **argv) {
  for (int Round = 0; Round < 5; ++Round) {
    void *Library = dlopen(argv[1], RTLD_NOW);
    if (!Library)
      return 1;
    void (*Work)(void) = (void (*)(void))dlsym(Library, "libraryWork");
    for (int I = 0; I < 50; ++I) {
      CAUSAL_PROGRESS;
      Work();
    }
    dlclose(Library);
    WORK(5000);
  }
}
#endif
