/* Pointers through 192 KB in 48 pages; removed: through 8 KB. */
#include "common.h"
static size_t at(size_t i) { return i * 64; }
NOINLINE void *kernel(void **p, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i)
    p = *p;
  return p;
}
int main(int argc, char **argv) {
  size_t lines = REMOVED_OR(128, 3072);
  printf("%d\n", kernel(chain(lines * 64, lines, at), TIMES(REMOVED_OR(225000000, 87500000))) != 0);
}
