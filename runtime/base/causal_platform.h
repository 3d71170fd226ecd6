//===- causal_platform.h - What the runtime needs of Linux ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clock, sleep, memory and file descriptors. Context: any thread and the sample
// handler unless a function says otherwise. errno is left alone.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PLATFORM_H
#define CAUSAL_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

namespace __causal {

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t now();
/// CLOCK_REALTIME in nanoseconds.
uint64_t realTime();
/// Of the kernel, or of what differs from run to run.
uint64_t randomWord();

/// Sleeps until the monotonic time Until, through interruptions, with the timer
/// slack of this thread at its least meanwhile (the program's own sleeps keep
/// theirs). Not a cancellation point.
void sleepUntil(uint64_t Until);

/// CPU time of the calling thread in nanoseconds.
uint64_t threadCPUTime();
/// Of the thread of this process that has this threadId(); 0 if there is none.
uint64_t threadCPUTimeOf(int Id);
/// And of all threads of the process, ended ones too.
uint64_t processCPUTime();
/// The calling thread's, and how often it has given its core up or lost it.
struct ThreadUsage {
  uint64_t CPUTime, Switches;
};
ThreadUsage threadUsage();
/// Keeps this thread's core busy for Nanoseconds of CPU time; returns how long it
/// did. Seen: its CPU time, as of less than a microsecond ago. Samples that fall in here are
/// recognised by inBurn().
uint64_t burnCPU(uint64_t Nanoseconds, uint64_t &Seen);
/// The same for some ten nanoseconds, without a look at any clock.
void burnBriefly();
bool inBurn(uintptr_t PC);

/// Zeroed pages that are not counted against the overcommit limit until touched;
/// null on failure. Not for handlers.
void *mapMemory(size_t Size);

/// Moves Fd out of the numbers that programs expect to get; closes the old one.
/// Returns the new one (close-on-exec), or -1 when it would take numbers that the
/// program may need: at least half of them stay its own.
int moveDescriptorUp(int Fd);

/// While it lives a descriptor of ours may have a low number, which the program must
/// not notice by the numbers that it gets.
class OwnOpening {
public:
  OwnOpening() { __atomic_fetch_add(&Count, 1, __ATOMIC_RELAXED); }
  ~OwnOpening() {
    if (any())
      __atomic_fetch_sub(&Count, 1, __ATOMIC_RELAXED);
  }
  OwnOpening(const OwnOpening &) = delete;
  OwnOpening &operator=(const OwnOpening &) = delete;

  /// Before the program opens or closes something: waits until none is open. One that
  /// takes very long is forgotten: a signal handler of the program has interrupted it,
  /// or left it by a jump. errno stays.
  static void waitForOthers() {
    if (__builtin_expect(any(), 0))
      waitForSome();
  }
  /// Also in a child of fork().
  static void forgetOthers() { __atomic_store_n(&Count, 0, __ATOMIC_RELAXED); }

private:
  static bool any() { return __atomic_load_n(&Count, __ATOMIC_RELAXED) > 0; }
  static void waitForSome();
  static int Count;
};

/// Whether Fd is one that moveDescriptorUp() has returned. The program's calls must
/// not close it.
bool isOwnDescriptor(int Fd);
/// The first of ours from First on; -1: none.
int nextOwnDescriptor(int First);
/// The program has put a descriptor of its own in Fd's place.
void disownDescriptor(int Fd);
/// Closes one of ours, unless it is disowned.
void closeOwnDescriptor(int Fd);

int threadId();
int processId();
/// Whether the program has forbidden itself system calls: from then on nothing of ours makes one
/// that the program has not asked for. Any context.
bool isSandboxed();
/// The calling thread is about to do so. Not for handlers.
void noteSandbox();
/// The core that runs the calling thread, and how many there are for the process.
unsigned currentCore();
unsigned coreCount();
/// Whether a debugger (or strace) is attached to this process.
bool isTraced();

} // namespace __causal

#endif // CAUSAL_PLATFORM_H
