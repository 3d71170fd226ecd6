// Two threads, each: quicksort, merge sort and heap sort of its own arrays of growing size.
#include <algorithm>
#include <pthread.h>
#include <random>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#define N __attribute__((noinline))
static N void quick(int *a, long n) {
  if (n < 2)
    return;
  int p = a[n / 2];
  long i = 0, j = n - 1;
  for (;;) {
    while (a[i] < p)
      ++i;
    while (p < a[j])
      --j;
    if (i >= j)
      break;
    std::swap(a[i++], a[j--]);
  }
  quick(a, i);
  quick(a + i, n - i);
}
static N void merge(int *a, long m, long n, int *t) {
  long i = 0, j = m, k = 0;
  while (i < m && j < n)
    t[k++] = a[j] < a[i] ? a[j++] : a[i++];
  while (i < m)
    t[k++] = a[i++];
  while (j < n)
    t[k++] = a[j++];
  for (long x = 0; x < n; ++x)
    a[x] = t[x];
}
static N void msort(int *a, long n, int *t) {
  if (n < 2)
    return;
  msort(a, n / 2, t);
  msort(a + n / 2, n - n / 2, t);
  merge(a, n / 2, n, t);
}
static N void sift(int *a, long i, long n) {
  int v = a[i];
  for (long c; (c = 2 * i + 1) < n; i = c) {
    if (c + 1 < n && a[c] < a[c + 1])
      ++c;
    if (a[c] <= v)
      break;
    a[i] = a[c];
  }
  a[i] = v;
}
static N void heap(int *a, long n) {
  for (long i = n / 2; i-- > 0;)
    sift(a, i, n);
  for (long i = n; --i > 0;) {
    std::swap(a[0], a[i]);
    sift(a, 0, i);
  }
}
static void *work(void *s) {
  long scale = (long)s;
  std::mt19937 r(1);
  for (long n = 1000; n <= 100000; n *= 10)
    for (int rep = 0; rep < scale * 100000 / n; ++rep) {
      std::vector<int> v(n), t(n);
      for (int k = 0; k < 3; ++k) {
        for (auto &x : v)
          x = r();
        k == 0 ? quick(v.data(), n) : k == 1 ? msort(v.data(), n, t.data()) : heap(v.data(), n);
      }
      if (!std::is_sorted(v.begin(), v.end()))
        abort();
    }
  return 0;
}
int main(int c, char **v) {
  long s = c > 1 ? atol(v[1]) : 10;
  pthread_t t[2];
  for (auto &x : t)
    pthread_create(&x, 0, work, (void *)s);
  for (auto &x : t)
    pthread_join(x, 0);
}
