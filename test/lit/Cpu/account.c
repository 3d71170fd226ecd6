// Each thread's time is divided into states, all of which add up; stacks reach from where
// it was to its start, with a waker where another thread ended the wait.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=cpu:output=%t.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --print \
// RUN:   --expect computes:cpu --frames computes:cpu:computes --frames computes:cpu:work \
// RUN:   --expect sleeps:sleep:5 --frames sleeps:sleep:sleeps --frames sleeps:sleep:nanosleep \
// RUN:   --expect waits:lock:2 --frames waits:lock:waits --waker waits:lock:holds \
// RUN:   --frames waits:lock:pthread_mutex_lock --expect reads:io:5 --frames reads:io:reads \
// RUN:   --waker reads:io:holds --expect told:wait:5 --waker told:wait:holds \
// RUN:   --expect main:join:5 --waker main:join:computes --absent computes:lock
#include "Inputs/work.h"
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER, Other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t Condition = PTHREAD_COND_INITIALIZER;
static int Pipe[2], Ready, Told;
__attribute__((noinline)) static void *computes(void *Argument) {
  name("computes");
  work(100);
  return Argument;
}
__attribute__((noinline)) static void *sleeps(void *Argument) {
  name("sleeps");
  for (int I = 0; I < 10; ++I)
    rest(20);
  return Argument;
}
__attribute__((noinline)) static void *holds(void *Argument) {
  name("holds");
  pthread_mutex_lock(&Mutex);
  __atomic_store_n(&Ready, 1, __ATOMIC_RELEASE);
  rest(150);
  pthread_mutex_unlock(&Mutex);
  write(Pipe[1], "x", 1);
  pthread_mutex_lock(&Other);
  Told = 1;
  pthread_cond_signal(&Condition);
  pthread_mutex_unlock(&Other);
  return Argument;
}
__attribute__((noinline)) static void *waits(void *Argument) {
  name("waits");
  while (!__atomic_load_n(&Ready, __ATOMIC_ACQUIRE))
    rest(1);
  pthread_mutex_lock(&Mutex);
  pthread_mutex_unlock(&Mutex);
  return Argument;
}
__attribute__((noinline)) static void *reads(void *Argument) {
  char C;
  name("reads");
  return read(Pipe[0], &C, 1) == 1 ? Argument : 0;
}
__attribute__((noinline)) static void *told(void *Argument) {
  name("told");
  pthread_mutex_lock(&Other);
  while (!Told)
    pthread_cond_wait(&Condition, &Other);
  pthread_mutex_unlock(&Other);
  return Argument;
}
int main(void) {
  void *(*const Functions[])(void *) = {computes, sleeps, holds, waits, reads, told};
  pthread_t Threads[6];
  name("main");
  if (pipe(Pipe))
    return 1;
  for (int I = 0; I < 6; ++I)
    pthread_create(&Threads[I], 0, Functions[I], 0);
  for (int I = 0; I < 6; ++I)
    pthread_join(Threads[I], 0);
  return 0;
}
