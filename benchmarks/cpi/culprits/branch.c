/* A branch on random bits; removed: on the same bits, sorted. */
#include "common.h"
static unsigned char bits[1 << 14];
NOINLINE uint64_t kernel(uint64_t n) {
  uint64_t a = 0, b = 0;
  for (uint64_t i = 0; i < n; ++i) {
    if (bits[i % sizeof bits]) {
      a += 3;
      __asm__ volatile("" : "+r"(a));
    } else {
      b += 5;
      __asm__ volatile("" : "+r"(b));
    }
  }
  return a + b;
}
int main(int argc, char **argv) {
  uint64_t x = 88172645463325252u;
  for (size_t i = 0; i < sizeof bits; ++i)
    bits[i] = REMOVED_OR(i < sizeof bits / 2, (x = next_random(x)) >> 40 & 1);
  printf("%lu\n", (unsigned long)kernel(TIMES(REMOVED_OR(625000000, 100000000))));
}
