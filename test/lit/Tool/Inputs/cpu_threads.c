// One thread computes, two contend for a lock; the first has a name of its own.
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
static volatile double Sum;
#ifdef OTHER
int Other;
#endif

__attribute__((noinline)) static void compute(int Steps) {
  for (int N = 0; N < Steps; ++N)
    Sum += N;
}

__attribute__((noinline)) static void section(void) {
  pthread_mutex_lock(&Lock);
  usleep(2000);
  pthread_mutex_unlock(&Lock);
  Sum += 1; // So that the call before is no tail call.
}

static void *computes(void *Unused) {
  pthread_setname_np(pthread_self(), "computes");
  for (int I = 0; I < 20; ++I)
    compute(3000000);
  return Unused;
}

static void *waits(void *Unused) {
  for (int I = 0; I < 50; ++I)
    section();
  return Unused;
}

int main(int Count, char **Arguments) {
  (void)Arguments;
  pthread_t Threads[3];
  pthread_create(&Threads[0], 0, computes, 0);
  for (int I = 1; I < 3; ++I)
    pthread_create(&Threads[I], 0, waits, 0);
  for (int I = 0; I < 3; ++I)
    pthread_join(Threads[I], 0);
  return Count > 1 ? 3 : 0;
}
