// Code that was built without the profiler is seen as well; its waits are, too.
// RUN: rm -f %t.causal
// RUN: %clang -O1 -fomit-frame-pointer -fPIC -shared -DLIBRARY %s -o %t.so -lpthread
// RUN: %causal_clang -fcausal-profile -O1 %s %t.so -o %t
// RUN: %env_causal_opts=mode=cpu:output=%t.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --frames library:cpu:libraryWork \
// RUN:   --frames library:cpu:main --frames library:sleep:libraryWork --expect library:sleep:5
#include "Inputs/work.h"
void libraryWork(void);
#ifdef LIBRARY
__attribute__((noinline)) void libraryWork(void) {
  work(30);
  rest(100);
}
#else
int main(void) {
  name("library");
  libraryWork();
  return 0;
}
#endif
