/* Stores to pages that were given back; removed: to the same pages, kept. */
#include "common.h"
NOINLINE void kernel(char *p, size_t pages) {
  for (size_t i = 0; i < pages; ++i)
    p[i * 4096] = 1;
}
int main(int argc, char **argv) {
  size_t pages = 64;
  char *p = mmap(0, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(p, pages * 4096, MADV_NOHUGEPAGE);
  for (int i = 0; i < TIMES(REMOVED_OR(5000000, 10000)); ++i) {
#ifndef REMOVED
    madvise(p, pages * 4096, MADV_DONTNEED);
#endif
    kernel(p, pages);
  }
  printf("%d\n", p[0]);
}
