// n-body, two threads with a barrier for each step; every thread reads all positions.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
struct Body {
  double x, y, z, vx, vy, vz, m;
};
static std::vector<Body> b;
static pthread_barrier_t bar;
static int T = 2, steps;
static long n;
__attribute__((noinline)) static void force(long i) {
  double ax = 0, ay = 0, az = 0;
  Body *p = b.data();
  for (long j = 0; j < n; ++j) {
    double dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z,
           d = dx * dx + dy * dy + dz * dz + 1e-3, w = p[j].m / (d * sqrt(d));
    ax += dx * w;
    ay += dy * w;
    az += dz * w;
  }
  p[i].vx += ax * 1e-3;
  p[i].vy += ay * 1e-3;
  p[i].vz += az * 1e-3;
}
__attribute__((noinline)) static void move(long i) {
  b[i].x += b[i].vx * 1e-3;
  b[i].y += b[i].vy * 1e-3;
  b[i].z += b[i].vz * 1e-3;
}
static void *work(void *a) {
  long t = (long)a;
  for (int s = 0; s < steps; ++s) {
    for (long i = n * t / T; i < n * (t + 1) / T; ++i)
      force(i);
    pthread_barrier_wait(&bar);
    for (long i = n * t / T; i < n * (t + 1) / T; ++i)
      move(i);
    pthread_barrier_wait(&bar);
  }
  return 0;
}
int main(int c, char **v) {
  n = 1000;
  steps = c > 1 ? atoi(v[1]) : 100;
  b.resize(n);
  for (long i = 0; i < n; ++i)
    b[i] = {double(i % 17), double(i % 31), double(i % 13), 0, 0, 0, 1};
  pthread_barrier_init(&bar, 0, T);
  pthread_t t[2];
  for (long i = 0; i < T; ++i)
    pthread_create(&t[i], 0, work, (void *)i);
  for (auto x : t)
    pthread_join(x, 0);
  printf("%g\n", b[5].x);
}
