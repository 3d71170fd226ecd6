//===- Shares.cpp - A thread whose time off the core is known ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   Shares CAUSE SECONDS PERCENT
//
// The thread "subject" spends PERCENT of each cycle of 10 ms off the core, for that cause,
// and computes for the rest. Prints the share of its wall time that it has seen itself.
//
//===----------------------------------------------------------------------===//
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static constexpr uint64_t Cycle = 10000000;
static uint64_t Begin, Cycles, Off;
static const char *Cause;
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t Semaphore, Held;
static int Pipe[2];

static uint64_t timeOf(clockid_t Clock) {
  timespec T;
  clock_gettime(Clock, &T);
  return static_cast<uint64_t>(T.tv_sec) * 1000000000 + static_cast<uint64_t>(T.tv_nsec);
}
static uint64_t now() { return timeOf(CLOCK_MONOTONIC); }
static void sleepUntil(uint64_t Time) {
  timespec T = {static_cast<time_t>(Time / 1000000000), static_cast<long>(Time % 1000000000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &T, nullptr);
}
static void computeUntil(uint64_t Time) {
  volatile unsigned Sum = 0;
  while (now() < Time)
    for (unsigned I = 0; I < 500; ++I)
      Sum = Sum + I;
}
static bool is(const char *Name) { return !strcmp(Cause, Name); }

static void *sleepsUntil(void *Until) {
  pthread_setname_np(pthread_self(), "joined");
  sleepUntil(*static_cast<uint64_t *>(Until));
  return nullptr;
}
__attribute__((noinline)) static void holdUntil(uint64_t Until) {
  pthread_mutex_lock(&Mutex);
  sem_post(&Held);
  sleepUntil(Until);
  pthread_mutex_unlock(&Mutex);
}
// Ends the subject's waits when they are to end.
static void *helper(void *) {
  pthread_setname_np(pthread_self(), "helper");
  for (uint64_t I = 0; I < Cycles; ++I) {
    uint64_t Until = Begin + I * Cycle + Off;
    if (is("lock")) {
      sleepUntil(Begin + I * Cycle - Cycle / 20); // The subject still computes.
      holdUntil(Until);
    } else {
      sleepUntil(Until);
      is("wait") ? (void)sem_post(&Semaphore) : (void)!write(Pipe[1], "", 1);
    }
  }
  return nullptr;
}

static void waitOnce(uint64_t Until) {
  char C;
  pthread_t T;
  if (is("lock")) {
    sem_wait(&Held);
    pthread_mutex_lock(&Mutex);
    pthread_mutex_unlock(&Mutex);
  } else if (is("wait")) {
    sem_wait(&Semaphore);
  } else if (is("io")) {
    (void)!read(Pipe[0], &C, 1);
  } else if (is("sleep")) {
    sleepUntil(Until);
  } else if (is("join")) {
    pthread_create(&T, nullptr, sleepsUntil, &Until);
    pthread_join(T, nullptr);
  } else if (is("idle")) {
    pollfd Input = {Pipe[0], POLLIN, 0};
    poll(&Input, 1, -1);
    (void)!read(Pipe[0], &C, 1);
  }
}

static void *subject(void *) {
  pthread_setname_np(pthread_self(), "subject");
  uint64_t Waited = 0;
  for (uint64_t I = 0; I < Cycles; ++I) {
    uint64_t Start = Begin + I * Cycle, CPU = timeOf(CLOCK_THREAD_CPUTIME_ID), Came = now();
    if (!is("runqueue"))
      waitOnce(Start + Off);
    Waited += now() - Came - (timeOf(CLOCK_THREAD_CPUTIME_ID) - CPU);
    computeUntil(Start + Cycle);
  }
  uint64_t CPU = timeOf(CLOCK_THREAD_CPUTIME_ID), Wall = Cycles * Cycle;
  if (is("runqueue"))
    Waited = Wall - CPU;
  printf("share=%.2f cpu=%llu\n", 100.0 * static_cast<double>(Waited) / static_cast<double>(Wall),
         static_cast<unsigned long long>(CPU));
  return nullptr;
}

static void *rival(void *) {
  computeUntil(Begin + Cycles * Cycle);
  return nullptr;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  Cause = argv[1];
  Cycles = static_cast<uint64_t>(atof(argv[2]) * 1e9) / Cycle;
  Off = static_cast<uint64_t>(atof(argv[3]) / 100 * Cycle);
  sem_init(&Semaphore, 0, 0);
  sem_init(&Held, 0, 0);
  if (pipe(Pipe))
    return 1;
  if (is("runqueue")) { // Two threads for one core.
    cpu_set_t One;
    CPU_ZERO(&One);
    CPU_SET(0, &One);
    sched_setaffinity(0, sizeof(One), &One);
  }
  Begin = now() + Cycle;
  pthread_t Subject, Other;
  bool HasHelper = is("lock") || is("wait") || is("io") || is("idle");
  pthread_create(&Subject, nullptr, subject, nullptr);
  if (HasHelper || is("runqueue"))
    pthread_create(&Other, nullptr, HasHelper ? helper : rival, nullptr);
  pthread_join(Subject, nullptr);
  if (HasHelper || is("runqueue"))
    pthread_join(Other, nullptr);
}
