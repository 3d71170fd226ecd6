// Pointers: each of two threads builds and searches a std::map and a hand-made binary tree.
#include <map>
#include <pthread.h>
#include <random>
#include <stdio.h>
#include <stdlib.h>
struct Node {
  long k;
  Node *l, *r;
};
__attribute__((noinline)) static Node *insert(Node *t, long k) {
  if (!t) {
    t = (Node *)malloc(sizeof *t);
    t->k = k;
    t->l = t->r = 0;
    return t;
  }
  if (k < t->k)
    t->l = insert(t->l, k);
  else if (k > t->k)
    t->r = insert(t->r, k);
  return t;
}
__attribute__((noinline)) static bool find(const Node *t, long k) {
  while (t && t->k != k)
    t = k < t->k ? t->l : t->r;
  return t;
}
__attribute__((noinline)) static long sum(const Node *t) {
  return t ? sum(t->l) + t->k + sum(t->r) : 0;
}
static void *work(void *a) {
  long n = (long)a;
  std::mt19937 r(7);
  Node *t = 0;
  std::map<long, long> m;
  long s = 0;
  for (long i = 0; i < n; ++i) {
    long k = r() % n;
    t = insert(t, k);
    ++m[k];
    s += find(t, r() % n);
    if ((i & 0x3fff) == 0)
      s += sum(t);
  }
  for (auto &p : m)
    s += p.second;
  printf("%ld\n", s);
  return 0;
}
int main(int c, char **v) {
  long n = c > 1 ? atol(v[1]) : 200000;
  pthread_t t[2];
  for (auto &x : t)
    pthread_create(&x, 0, work, (void *)n);
  for (auto x : t)
    pthread_join(x, 0);
}
