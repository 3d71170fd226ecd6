#include <stdio.h>

__attribute__((noinline)) static unsigned long collatz(unsigned long n) {
  unsigned long steps = 0;
  for (; n != 1; ++steps)
    n = n & 1 ? 3 * n + 1 : n / 2;
  return steps;
}

int main(void) {
  unsigned long sum = 0;
  for (int k = 1; k < 400000; ++k)
    sum += collatz(k);
  printf("%lu\n", sum);
  return 0;
}
