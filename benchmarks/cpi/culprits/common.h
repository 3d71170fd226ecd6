/* What the programs of culprits.py share. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define NOINLINE __attribute__((noinline))

/* A cycle of pointers through n places, each `at(i)` bytes into a region of small pages. */
static inline void **chain(size_t bytes, size_t n, size_t (*at)(size_t)) {
  char *region = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(region, bytes, MADV_NOHUGEPAGE);
  size_t *order = malloc(n * sizeof *order);
  for (size_t i = 0; i < n; ++i)
    order[i] = i;
  srand(1);
  for (size_t i = n - 1; i; --i) {
    size_t j = rand() % i, t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  for (size_t i = 0; i < n; ++i)
    *(void **)(region + at(order[i])) = region + at(order[(i + 1) % n]);
  return (void **)(region + at(order[0]));
}

static inline uint64_t next_random(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ x << 17;
}

#ifdef REMOVED
#define REMOVED_OR(removed, with) (removed)
#else
#define REMOVED_OR(removed, with) (with)
#endif

/* The counting run needs only a part of the work: argv[1] says which. */
#define TIMES(n) ((n) / (argc > 1 ? atol(argv[1]) : 1))
