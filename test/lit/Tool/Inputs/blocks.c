#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flags are live into its blocks, and its red zone is in use. */
__attribute__((noinline)) static long collatz(unsigned long n) {
  volatile long steps = 0;
  while (n != 1) {
    if (n & 1)
      n = 3 * n + 1;
    else
      n /= 2;
    ++steps;
  }
  return steps;
}

__attribute__((noinline)) static int classify(int n) {
  switch (n % 7) {
  case 0: return n + 3;
  case 1: return n * 5;
  case 2: return n - 9;
  case 3: return n ^ 77;
  case 4: return n << 2;
  case 5: return n | 1;
  default: return 4;
  }
}

__attribute__((noinline)) static void *work(void *p) {
  long sum = 0;
  for (int i = 1; i <= 1000; ++i)
    sum += collatz(i) + classify(i);
  *(long *)p = sum;
  return p;
}

int main(int argc, char **argv) {
  long sums[4];
  pthread_t threads[4];
  for (int t = 0; t < 4; ++t)
    pthread_create(&threads[t], 0, work, &sums[t]);
  for (int t = 0; t < 4; ++t)
    pthread_join(threads[t], 0);
  printf("%ld\n", sums[0] + sums[1] + sums[2] + sums[3]);
  if (argc > 1 && !strcmp(argv[1], "abort"))
    abort();
  return 3;
}
