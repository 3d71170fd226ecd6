// A library registers its table when it is loaded and takes it back when it goes.
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clang_plugin -DLIBRARY -fPIC -shared %s -o %t.so
// RUN: %clang_plugin -DLIBRARY -fuse-ld=lld -fPIC -shared %s -o %t.lld.so
// RUN: %clang_plugin -rdynamic %s %t.stub.o -o %t.exe
// RUN: %t.exe %t.so | FileCheck %s && %t.exe %t.lld.so | FileCheck %s
// CHECK: registered 1 records
// CHECK-NEXT: registered 3 records
// CHECK-NEXT: f is 4
// CHECK-NEXT: unregistered records
// CHECK-NEXT: closed
// CHECK-NEXT: unregistered records
#ifdef LIBRARY
int one(void) { return 1; }
int three(void) { return 3; }
int f(void) { return one() + three(); }
#else
#include <dlfcn.h>
#include <stdio.h>
int main(int Argc, char **Argv) {
  void *Library = dlopen(Argv[1], RTLD_NOW);
  if (!Library)
    return puts(dlerror());
  printf("f is %d\n", ((int (*)(void))dlsym(Library, "f"))());
  fflush(stdout);
  dlclose(Library);
  puts("closed");
  fflush(stdout);
}
#endif
