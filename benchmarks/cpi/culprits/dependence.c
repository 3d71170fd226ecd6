/* A product of which each factor waits for the last; removed: twelve that do not. */
#include "common.h"
NOINLINE uint64_t kernel(uint64_t n) {
  uint64_t a = 3;
  for (uint64_t i = 0; i < n; ++i) {
#ifdef REMOVED
    __asm__ volatile("leaq 1(%0), %0\n leaq 1(%%r8), %%r8\n leaq 1(%%r9), %%r9\n leaq 1(%%r10), %%r10" : "+r"(a)::"r8", "r9", "r10");
#else
    __asm__ volatile("imulq %0, %0\n imulq %0, %0\n imulq %0, %0\n imulq %0, %0" : "+r"(a));
#endif
  }
  return a;
}
int main(int argc, char **argv) { printf("%lu\n", (unsigned long)kernel(TIMES(REMOVED_OR(375000000, 100000000)))); }
