/* Eight products that need the one port that multiplies; removed: two. */
#include "common.h"
NOINLINE uint64_t kernel(uint64_t n) {
  uint64_t a = 3;
  for (uint64_t i = 0; i < n; ++i)
#ifdef REMOVED
    __asm__ volatile("leaq 1(%%r8), %%r8\n leaq 1(%%r9), %%r9\n leaq 1(%%r10), %%r10\n leaq 1(%%r11), %%r11" ::: "r8", "r9", "r10", "r11");
#else
    __asm__ volatile("imulq $3, %%r8, %%r9\n imulq $3, %%r8, %%r10\n imulq $3, %%r8, %%r11\n imulq $3, %%r8, %%rax\n"
                     "imulq $3, %%r8, %%rcx\n imulq $3, %%r8, %%rdx\n imulq $3, %%r8, %%rsi\n imulq $3, %%r8, %%r9"
                     ::: "r9", "r10", "r11", "rax", "rcx", "rdx", "rsi");
#endif
  return a;
}
int main(int argc, char **argv) { printf("%lu\n", (unsigned long)kernel(TIMES(REMOVED_OR(375000000, 150000000)))); }
