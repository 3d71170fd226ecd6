// A pool's threads that have nothing to do are idle; waits within their work are not, nor is
// one thread that waits for another's answer. The list is the user's.
// RUN: rm -f %t.causal %t.all.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=cpu:output=%t.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --print --expect pool:idle:2 \
// RUN:   --frames pool:idle:pool --frames pool:wait:job --expect answer:wait:5 --absent answer:idle \
// RUN:   --expect serves:idle:5 --frames serves:idle:poll
// RUN: %env_causal_opts=mode=cpu:idle_functions=nothing:output=%t.all.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.all.causal --expect pool:wait --absent pool:idle \
// RUN:   --absent serves:idle --expect serves:io:5
#include "Inputs/work.h"
#include <poll.h>
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t Work = PTHREAD_COND_INITIALIZER, Answer = PTHREAD_COND_INITIALIZER,
                      Done = PTHREAD_COND_INITIALIZER;
static int Jobs, Ends, Answers, DoneJobs;
__attribute__((noinline)) static void job(void) {
  struct timespec Until;
  clock_gettime(CLOCK_REALTIME, &Until);
  Until.tv_nsec += 10000000;
  if (Until.tv_nsec >= 1000000000)
    ++Until.tv_sec, Until.tv_nsec -= 1000000000;
  pthread_cond_timedwait(&Done, &Mutex, &Until); // For something within the job.
  ++DoneJobs;
}
static void *pool(void *Argument) {
  name("pool");
  pthread_mutex_lock(&Mutex);
  for (;;) {
    while (!Jobs && !Ends)
      pthread_cond_wait(&Work, &Mutex);
    if (!Jobs)
      break;
    --Jobs;
    job();
  }
  pthread_mutex_unlock(&Mutex);
  return Argument;
}
static void *answer(void *Argument) {
  name("answer");
  pthread_mutex_lock(&Mutex);
  while (!Answers)
    pthread_cond_wait(&Answer, &Mutex);
  pthread_mutex_unlock(&Mutex);
  return Argument;
}
static void *serves(void *Argument) {
  name("serves");
  for (int I = 0; I < 10; ++I)
    poll(0, 0, 30);
  return Argument;
}
int main(void) {
  pthread_t Threads[4];
  pthread_create(&Threads[0], 0, pool, 0);
  pthread_create(&Threads[1], 0, pool, 0);
  pthread_create(&Threads[2], 0, answer, 0);
  pthread_create(&Threads[3], 0, serves, 0);
  for (int I = 0; I < 10; ++I) {
    rest(30);
    pthread_mutex_lock(&Mutex);
    ++Jobs;
    pthread_cond_signal(&Work);
    pthread_mutex_unlock(&Mutex);
  }
  pthread_mutex_lock(&Mutex);
  Ends = Answers = 1;
  pthread_cond_broadcast(&Work);
  pthread_cond_signal(&Answer);
  pthread_mutex_unlock(&Mutex);
  for (int I = 0; I < 4; ++I)
    pthread_join(Threads[I], 0);
  return DoneJobs < 8;
}
