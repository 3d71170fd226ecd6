//===- causal_thread_part.h - What causal profiling keeps of a thread -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The law's books of one thread, and what it does that the law needs to know. Constructed
// with the thread (causal_causal_mode.cpp). causalThread() is null in other modes, and
// wrappers then pass straight through.
//
// Context: own thread, sample handler included, unless said otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_THREAD_PART_H
#define CAUSAL_THREAD_PART_H

#include "base/causal_placement_new.h"
#include "causal/law/causal_book_cost.h"
#include "causal/law/causal_delay.h"
#include "causal/section/causal_held_locks.h"
#include "thread/causal_thread.h"

namespace __causal {

/// A call to the outside world: one that only waits, one that may, and one that would rather
/// work in the kernel, like most of the thread's.
struct OutsideCall {
  enum Kind : uint8_t { None, Waits, MayWait, Works };
};

/// Whether a signal that the program handles breaks off a call that waits.
enum class BreaksOff : uint8_t { Never, UnlessRestarted, Always };

struct CausalThread;

/// Of one thread; made anew for the next one.
struct CausalPart {
  ThreadDelay Delay;
  /// Of what it does before it meets others, and behind it.
  BookCost CostToPay, CostToMeet;
  /// Inside a wait for another thread, which will credit it when it wakes it.
  uint8_t Blocked = 0;
  /// What it is believed to do inside a call to the outside world, and when that began,
  /// pauses not counted. SleptOutside: by how much such calls were made longer since the last
  /// sample.
  OutsideCall::Kind Outside = OutsideCall::None;
  uint64_t OutsideSince = 0, SleptOutside = 0;
  /// Inside a wait for another thread's end, in whose stead it will be at work.
  uint8_t Joining = 0;
  /// Locks, and atomic stores, are meetings for it (law 11), it pays what has accrued before
  /// atomic updates, and what it calls through pointers is told apart, until the next sample.
  uint8_t LocksMeet = 0, StoresMeet = 0, UpdatesMeet = 0, DispatchesTold = 0;
  /// It takes so many locks that they are none, and the next one is soon: nobody is held up by
  /// what it pays with one in its hands.
  uint8_t ManyLocks = 0;
  /// Which locks it has is noted: critical sections are the targets.
  uint8_t TracksLocks = 0;
  /// Others' pauses prolong its waits for the outside world (law 5), until the next sample.
  uint8_t ProlongsWaits = 1;
  /// In a loop that waits for an atomic variable: 1 from a round of it to the next
  /// sample, then 2. At one more sample it has been left by a jump.
  uint8_t Spinning = 0;
  /// Of the loop that it is in, or was last.
  uint32_t SpinRounds = 0;
  /// CPU time was burnt in the sample handler: the next sample may be of that.
  bool Burnt = false;
  /// The thread's CPU time when a pause that keeps its core busy last looked; 0: it looks at
  /// the clock instead, which it does now if BurnsByClock.
  uint64_t BurnSeen = 0;
  bool BurnsByClock = false;
  /// Whether signals break off the call that the thread is about to make; those that are
  /// held back while it pauses before; and whether one came that would have.
  BreaksOff CallBreaksOff = BreaksOff::Never;
  bool BrokenOff = false;
  uint64_t HeldBack = 0;

  /// What it was last woken for, or woke others for: a part of the contexts since (law 11).
  uintptr_t Part = 0;

  /// When the thread last looked at what accrues to others.
  uint64_t LastLook = 0;
  /// Locks that it took (those that are waited for awake by themselves), atomic stores, updates
  /// and dispatches that it made, waits for the outside world; and how many of them before the
  /// last sample.
  uint32_t Locks = 0, SeenLocks = 0, SpinLocks = 0, SeenSpinLocks = 0, Stores = 0, SeenStores = 0,
           Updates = 0, SeenUpdates = 0, Dispatches = 0, SeenDispatches = 0, Waits = 0,
           SeenWaits = 0;

  /// CPU time of samples that came while the thread was spinning and inside the runtime, and
  /// that were not looked at yet.
  uint64_t SpunInRuntime = 0;
  /// When this thread was last seen to run (or was made), and where (law 9).
  uint64_t LastSample = 0;
  unsigned Core = 0;
  /// The kernel's count of waits for a core when it was last read, in nanoseconds, and how
  /// often the thread had got a core.
  uint64_t SeenWait = 0, SeenSlices = 0;

  /// Where it was made: a callPath(), or 0.
  uintptr_t Place = 0;
  /// Null where there are too many threads.
  Role *Plays = nullptr;
  HeldLocks Held;
  /// A lock whose critical section is not known yet (0: none), and the call that took it.
  uintptr_t LearnsOf = 0;
  CallChain Taking = {};
  /// Where it finds itself: its CurrentCausalThread.
  CausalThread **CausalSelf = nullptr;
  /// Where the thread yielded last, and whether that has no line table.
  uintptr_t YieldsAt = 0;
  uint8_t YieldsUnseen = 0;
};

struct alignas(64) CausalThread : ThreadBase, CausalPart {
  /// What it does meanwhile is no work.
  bool isOutside() const {
    uint8_t Call = __atomic_load_n(&Outside, __ATOMIC_RELAXED);
    return Call == OutsideCall::Waits || Call == OutsideCall::MayWait;
  }

  /// At a sample, which stands for so many periods: by how many there were since the last one.
  /// Own thread.
  void judgeMeetings(bool Experimenting, uint32_t Periods) {
    // For each lock that meets the clock is read four times, for each store twice. That is
    // little for as many as this in a period; where others sleep for the lock it has
    // to be little beside that, too.
    constexpr uint32_t FewLocks = 64, FewSpinLocks = 256, FewStores = 256, FewUpdates = 256,
                       FewDispatches = 256;
    // For a wait for the outside world it is, and where cores are shared the kernel is asked as
    // well. Most calls of who makes more than this are over at once.
    constexpr uint32_t FewWaits = 16;
    auto AreFew = [Periods](uint32_t Count, uint32_t &Seen, uint32_t Few) {
      uint32_t More = Count - Seen;
      Seen = Count;
      return More <= Few * Periods;
    };
    ManyLocks = !AreFew(Locks, SeenLocks, FewLocks);
    ManyLocks |= !AreFew(SpinLocks, SeenSpinLocks, FewSpinLocks);
    LocksMeet = !ManyLocks && Experimenting;
    // A store gives the program's own locks back.
    StoresMeet = AreFew(Stores, SeenStores, ManyLocks ? FewLocks : FewStores) && Experimenting;
    UpdatesMeet = AreFew(Updates, SeenUpdates, FewUpdates) && Experimenting;
    DispatchesTold = AreFew(Dispatches, SeenDispatches, FewDispatches) && Experimenting;
    ProlongsWaits = AreFew(Waits, SeenWaits, FewWaits);
  }

  /// Counters since the slot was first used; they outlive its threads.
  uint64_t Unlocked, Dropped, Paused, UnseenYields;
  /// Likewise, of the Delay of threads that have ended.
  uint64_t ForgivenBefore, OversleptBefore;
};

/// Makes T's part anew, whatever its slot's last thread left: all but the counters. Another
/// thread may still read the last one's books, and notices by their version, which goes on.
/// Not for handlers.
inline void constructPart(CausalThread &T) {
  uint32_t Version = T.Delay.Accruing.version();
  new (static_cast<CausalPart *>(&T)) CausalPart();
  T.Delay.Accruing.continueFrom(Version);
}

extern __thread CausalThread *CurrentCausalThread __attribute__((tls_model("initial-exec")));
/// The calling thread; null where it is not known, or in another mode. Any context.
inline CausalThread *causalThread() { return CurrentCausalThread; }
/// In causal mode all slots are such. Any context.
inline CausalThread &causalSlot(unsigned Index) {
  return static_cast<CausalThread &>(*threadSlot(Index));
}
template <typename Function> void forEachCausalSlot(Function F) {
  forEachSlot([&](ThreadBase &T) { F(static_cast<CausalThread &>(T)); });
}

} // namespace __causal

#endif // CAUSAL_THREAD_PART_H
