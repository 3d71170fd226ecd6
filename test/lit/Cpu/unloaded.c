// Frames of a library that is unloaded keep their image and lines, and what is loaded in its
// place has frames of its own.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -fPIC -shared -DFUNCTION=firstWork %s -o %t.1.so
// RUN: %causal_clang -fcausal-profile -O1 -fPIC -shared -DFUNCTION=secondWork %s -o %t.2.so
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=cpu:output=%t.causal %t %t.1.so firstWork %t.2.so secondWork
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --frames loads:cpu:firstWork \
// RUN:   --frames loads:cpu:secondWork --frames loads:cpu:main
// RUN: FileCheck %s --input-file=%t.causal
// CHECK-DAG: "type":"image",{{.*}}"path":"{{[^"]*}}.1.so"
// CHECK-DAG: "type":"image",{{.*}}"path":"{{[^"]*}}.2.so"
// CHECK-DAG: "type":"frame",{{.*}}"function":"firstWork"
// CHECK-DAG: "type":"frame",{{.*}}"function":"secondWork"
#include "Inputs/work.h"
#include <dlfcn.h>
#ifdef FUNCTION
void FUNCTION(void);
__attribute__((noinline)) void FUNCTION(void) { work(10); }
#else
int main(int argc, char **argv) {
  name("loads");
  for (int Round = 0; Round < 5; ++Round)
    for (int I = 1; I + 1 < argc; I += 2) {
      void *Library = dlopen(argv[I], RTLD_NOW);
      if (!Library)
        return 1;
      ((void (*)(void))dlsym(Library, argv[I + 1]))();
      dlclose(Library);
    }
  return 0;
}
#endif
