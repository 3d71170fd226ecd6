/* Stores all over 64 MB; removed: over 8 KB. */
#include "common.h"
NOINLINE uint64_t kernel(char *p, uint64_t mask, uint64_t n) {
  uint64_t x = 88172645463325252u;
  for (uint64_t i = 0; i < n; ++i) {
    x = next_random(x);
    *(uint64_t *)(p + (x & mask)) = x;
  }
  return x;
}
int main(int argc, char **argv) {
  size_t size = REMOVED_OR(8192, 64 << 20);
  char *p = malloc(size);
  memset(p, 1, size);
  printf("%lu\n", (unsigned long)kernel(p, size - 8, TIMES(REMOVED_OR(200000000, 37500000))));
}
