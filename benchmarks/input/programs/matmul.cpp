// C = A*B, double, i-k-j order (vectorises), rows split over two threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
static double *A, *B, *C;
static long n;
__attribute__((noinline)) static void row(const double *__restrict a, const double *__restrict b,
                                          double *__restrict c, long n) {
  for (long k = 0; k < n; ++k) {
    double x = a[k];
    for (long j = 0; j < n; ++j)
      c[j] += x * b[k * n + j];
  }
}
static void *work(void *t) {
  for (long i = (long)t; i < n; i += 2)
    row(A + i * n, B, C + i * n, n);
  return 0;
}
int main(int c, char **v) {
  n = c > 1 ? atol(v[1]) : 512;
  std::vector<double> a(n * n, 1.5), b(n * n, 2), r(n * n);
  A = a.data();
  B = b.data();
  C = r.data();
  pthread_t t[2];
  for (long i = 0; i < 2; ++i)
    pthread_create(&t[i], 0, work, (void *)i);
  for (auto x : t)
    pthread_join(x, 0);
  printf("%g\n", r[7]);
}
