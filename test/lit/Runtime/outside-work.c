// What a call to the outside world works in the kernel, and does not wait for, is work of the
// line that makes it: others are delayed by it as by any other (laws 1, 5 and 11).
// RUN: rm -f %t.causal && head -c 4000000 /dev/zero > %t.data
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts="experiment_ms=50:fixed_speedup=50:fixed_line='outside-work.c:16':output=%t.causal" %t %t.data
// RUN: %python %S/Inputs/charged.py %t.causal
#include "Inputs/work.h"
#include <causal/causal.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
enum { Rounds = 1500, Size = 4000000 };
static char Buffer[Size];
static pthread_barrier_t Barrier;
static void readAll(int File) {
  if (pread(File, Buffer, Size, 0) != Size) // Line 16, hundreds of microseconds.
    pthread_exit(0);
}
static void *helper(void *Argument) {
  for (int I = 0; I < Rounds; ++I)
    pthread_barrier_wait(&Barrier);
  return Argument;
}
int main(int argc, char **argv) {
  pthread_t Helper;
  int File = open(argv[1], O_RDONLY);
  pthread_barrier_init(&Barrier, 0, 2);
  pthread_create(&Helper, 0, helper, 0);
  for (int I = 0; I < Rounds; ++I) {
    readAll(File);
    WORK(300);
    pthread_barrier_wait(&Barrier);
    CAUSAL_PROGRESS;
  }
  pthread_join(Helper, 0);
}
