//===- causal_input_thread.h - A thread of the program ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime keeps of each thread: its slot and stamps, the stack of its pending
// activations, and its profile. Compiled code reads the part that is a ThreadView.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_THREAD_H
#define CAUSAL_INPUT_THREAD_H

#include "input/causal_input_cells.h"
#include "input/causal_input_crowd.h"
#include "input/causal_input_points.h"

namespace __causal {

/// A pending activation. Input is what it has so far, less what deeper ones have had
/// already: an activation's own input is complete when all above it have ended.
struct Frame {
  uint64_t Id;    ///< Names it for compiled code.
  uint32_t Stamp; ///< When it began.
  uint32_t Routine;
  int64_t Input;
  uint64_t FromThreads, FromOutside;
  uint64_t Self, OfCallees;
};

constexpr uint32_t MaxPending = 1u << 20;
/// In an id: the activation was not recorded, because too many are pending.
constexpr uint64_t NotRecorded = 1ull << 63;

struct InputThread : causal_input::ThreadView {
  Frame *Top;
  uint32_t Clock; ///< Stamp of the latest activation.
  uint32_t ClockLimit;
  uint64_t Generation; ///< Upper half of ids: how often stamps were renumbered.
  Frame *Bottom, *Limit;
  uint32_t OwnBit; ///< Bit, or CrowdBit where Bit is 0.
  bool InCrowd;
  /// An activation is being added: a handler that ends one leaves it in Deferred.
  bool Recording;
  uint8_t DeferredCount;
  uint8_t DestructorRounds;
  unsigned Slot;
  unsigned AtomicDepth;
  uint32_t Number; ///< Counts threads, from 0.
  uint64_t Lost;   ///< Activations and accesses that could not be recorded.
  CrowdMember Crowd;
  PointTable Points;
  static constexpr unsigned MaxDeferred = 32;
  EndedActivation Deferred[MaxDeferred];
  InputThread *Next; ///< In the list of all that live.
};

extern __thread InputThread *Self __attribute__((tls_model("initial-exec")));
/// Whether there has been a second thread.
extern bool Threaded;

/// The calling thread's record, made if there is none; null if there is to be none. Not
/// for handlers that interrupt it.
InputThread *beginInputThread();

/// The calling thread's record, or null. Any thread.
inline InputThread *inputThread() {
  InputThread *T = Self;
  return __builtin_expect(T != nullptr, 1) ? T : beginInputThread();
}

/// Sets up what threads need. Init only; false, with a message, if that cannot be had.
bool initInputThreads(uint32_t ClockLimit);
/// Whether there is a directory: cells can be written by the outside world. Any thread.
bool hasDirectory();
/// No thread gets a record from now on. Exit only.
void stopInputThreads();
/// In a child of fork: only the calling thread is left.
void forgetOtherInputThreads();

/// Holds the list of threads; not for handlers.
void lockInputThreads();
void unlockInputThreads();
InputThread *firstInputThread();
uint32_t inputThreadsBegun();
uint64_t lostByEnded();

/// Writes and empties the profile of a thread that ends. Set by the profile's writer.
void endInputProfile(InputThread &T);

} // namespace __causal

#endif // CAUSAL_INPUT_THREAD_H
