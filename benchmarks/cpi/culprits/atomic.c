/* An atomic counter that nobody shares; removed: a plain one. */
#include "common.h"
#ifdef REMOVED
#define ADD "addq"
#else
#define ADD "lock addq"
#endif
NOINLINE void kernel(uint64_t *p, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i)
    __asm__ volatile(ADD " $1, (%0)" ::"r"(p) : "memory");
}
int main(int argc, char **argv) {
  uint64_t *p = calloc(64, 8);
  kernel(p, TIMES(REMOVED_OR(375000000, 75000000)));
  printf("%lu\n", (unsigned long)*p);
}
