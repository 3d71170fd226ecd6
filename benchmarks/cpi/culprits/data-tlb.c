/* Pointers through 512 lines in as many pages; removed: in 8 pages. */
#include "common.h"
static size_t at(size_t i) { return REMOVED_OR(i * 64, i * 4096 + i % 64 * 64); }
NOINLINE void *kernel(void **p, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i)
    p = *p;
  return p;
}
int main(int argc, char **argv) {
  printf("%d\n", kernel(chain(512 * 4096, 512, at), TIMES(REMOVED_OR(225000000, 100000000))) != 0);
}
