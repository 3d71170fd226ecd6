// Code that comes later is found with its first sample; code of no image is counted as such.
// RUN: rm -rf %t.db %t.so
// RUN: %clang -O1 -shared -fPIC -DLIBRARY %s -o %t.so -Wl,--build-id
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t -ldl
// RUN: %env_causal_opts=mode=continuous:db=%t.db %t %t.so
// RUN: %causal db collect %t.db
// RUN: %python %S/Inputs/check.py %t.db %causal --least 100 --unmapped 20 --name inLibrary
#ifdef LIBRARY
static volatile unsigned long Sink;
void inLibrary(void) {
  for (unsigned long I = 0; I < 100000000; ++I)
    Sink += I;
}
#else
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
// mov ecx, 0x10000000; 0: dec ecx; jnz 0b; ret
static const unsigned char Loop[] = {0xb9, 0, 0, 0, 0x10, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
int main(int Count, char **Words) {
  void *Library = Count > 1 ? dlopen(Words[1], RTLD_NOW) : 0;
  if (!Library)
    return 1;
  void (*F)(void) = (void (*)(void))dlsym(Library, "inLibrary");
  F();
  dlclose(Library);
  void *Code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(Code, Loop, sizeof(Loop));
  ((void (*)(void))Code)();
  return 0;
}
#endif
