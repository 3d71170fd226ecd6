// Instrumented libraries come and go in a loop while threads run and are sampled;
// statically linked programs with threads.
// RUN: %build
// RUN: %causal_clang -fcausal-profile -O1 -fPIC -shared -DLIBRARY -I%S/Inputs %s -o %t.so
// RUN: %clang -fPIC -shared -DLIBRARY -I%S/Inputs -I%include %s -o %t.native.so
// RUN: %same --experiments %t.native %t load
// RUN: %causal_clang -fcausal-profile -D_GNU_SOURCE -DSTATIC -O1 -static -pthread -I%S/Inputs %s -o %t.static
// RUN: %causal_clang -fcausal-profile -D_GNU_SOURCE -DSTATIC -O1 -static-pie -fPIE -pthread -I%S/Inputs %s -o %t.pie
// RUN: %same --experiments --samplers=auto %t.native %t.static
// RUN: %same --experiments --samplers=auto %t.native %t.pie
#include "busy.h"
#ifdef LIBRARY
int libraryWork(void) {
  work(300);
  return 1;
}
#else
#include <dlfcn.h>
int main(int argc, char **argv) {
  int Calls = 0;
  busyBegin();
  work(20000);
#ifndef STATIC
  for (int I = 0; argc > 1 && I < 40; ++I) {
    char Path[4096];
    snprintf(Path, sizeof(Path), "%s.so", argv[0]);
    void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
    EXPECT(Library);
    int (*Work)(void) = (int (*)(void))dlsym(Library, "libraryWork");
    Calls += Work();
    dlclose(Library);
  }
#endif
  busyEnd();
  printf("%d calls\n", argc > 1 ? Calls : 0);
  return 0;
}
#endif
