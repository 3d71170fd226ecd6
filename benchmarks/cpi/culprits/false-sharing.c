/* Two threads count in two places of one line; removed: in lines of their own. */
#include "common.h"
static struct { _Alignas(4096) uint64_t place[1024]; } all;
NOINLINE void kernel(volatile uint64_t *p, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i)
    *p = *p + i;
}
static uint64_t times;
static void *work(void *p) {
  kernel(p, times);
  return 0;
}
int main(int argc, char **argv) {
  times = TIMES(100000000);
  pthread_t other;
  pthread_create(&other, 0, work, &all.place[REMOVED_OR(512, 2)]);
  work(&all.place[0]);
  pthread_join(other, 0);
  printf("%lu\n", (unsigned long)all.place[0]);
}
