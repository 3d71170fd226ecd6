// Peak memory where data dominates: arrays of MB each thread: private = own half, shared = all read all.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double *A;
static long n;
static int shared;
__attribute__((noinline)) static double sum(const double *a, long k) {
  double s = 0;
  for (long i = 0; i < k; ++i)
    s += a[i];
  return s;
}
__attribute__((noinline)) static void fill(double *a, long k) {
  for (long i = 0; i < k; ++i)
    a[i] = i;
}
static void *work(void *t) {
  long h = n / 2, k = (long)t;
  static double out[2];
  if (!shared) {
    double *p = (double *)malloc(h * 8);
    fill(p, h);
    out[k] = sum(p, h);
  } else
    out[k] = sum(A, n);
  return &out[k];
}
int main(int c, char **v) {
  n = atol(v[1]) * (1 << 17);
  shared = atoi(v[2]);
  if (shared) {
    A = (double *)malloc(n * 8);
    fill(A, n);
  }
  pthread_t t[2];
  for (long i = 0; i < 2; ++i)
    pthread_create(&t[i], 0, work, (void *)i);
  for (auto x : t)
    pthread_join(x, 0);
  printf("%d\n", shared);
}
