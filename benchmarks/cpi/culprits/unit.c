/* Square roots that wait for nothing but the unit; removed: products. */
#include "common.h"
NOINLINE double kernel(uint64_t n) {
  double a = 2;
  for (uint64_t i = 0; i < n; ++i)
#ifdef REMOVED
    __asm__ volatile("mulsd %0, %%xmm4\n addsd %0, %%xmm5" ::"x"(a) : "xmm4", "xmm5");
#else
    __asm__ volatile("sqrtpd %0, %%xmm4\n sqrtpd %0, %%xmm5\n sqrtpd %0, %%xmm6\n sqrtpd %0, %%xmm7" ::"x"(a) : "xmm4", "xmm5", "xmm6", "xmm7");
#endif
  return a;
}
int main(int argc, char **argv) { printf("%g\n", kernel(TIMES(REMOVED_OR(250000000, 50000000)))); }
