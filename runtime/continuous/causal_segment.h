//===- causal_segment.h - Counts samples in a segment -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process's side of SegmentFormat.h. Pure: the unit tests kill it between any two of
// its steps. Threads never wait for each other; one that finds that somebody was faster looks
// again, four times at most, then its sample is dropped, which is counted.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SEGMENT_H
#define CAUSAL_SEGMENT_H

#include "causal/SegmentFormat.h"

// Between two steps, one of which another process may see without the other.
#ifndef CAUSAL_SEGMENT_STEP
#define CAUSAL_SEGMENT_STEP()
#endif

namespace __causal {

namespace segment = ::causal::segment;

/// Who counts a sample in which half. While one lives, the collector leaves the half alone.
class SegmentVisit {
public:
  explicit SegmentVisit(segment::Segment &S) : S(S) { enter(); }
  ~SegmentVisit() { leave(); }
  SegmentVisit(const SegmentVisit &) = delete;
  SegmentVisit &operator=(const SegmentVisit &) = delete;

  segment::Half &half() { return S.Halves[Generation & 1]; }

  /// Begins with a sample of this weight. What is killed behind this is missing in the sums.
  void begin(uint64_t Weight) {
    CAUSAL_SEGMENT_STEP();
    __atomic_fetch_add(&half().Samples, Weight, __ATOMIC_RELAXED);
    CAUSAL_SEGMENT_STEP();
  }

  /// Takes the sample along to the next generation, which is begun if nobody has. False: it
  /// cannot begin.
  bool moveOn(uint64_t Weight, uint64_t Seconds) {
    if (!segment::beginGeneration(S, Generation, Seconds) &&
        __atomic_load_n(&S.Active, __ATOMIC_SEQ_CST) == Generation)
      return false;
    CAUSAL_SEGMENT_STEP();
    __atomic_fetch_sub(&half().Samples, Weight, __ATOMIC_RELAXED);
    leave();
    CAUSAL_SEGMENT_STEP();
    enter();
    begin(Weight);
    return true;
  }

private:
  void enter() {
    // Ends: it is repeated only if a generation has just begun.
    for (;;) {
      Generation = __atomic_load_n(&S.Active, __ATOMIC_SEQ_CST);
      __atomic_fetch_add(&half().InFlight, 1, __ATOMIC_SEQ_CST);
      CAUSAL_SEGMENT_STEP();
      if (__atomic_load_n(&S.Active, __ATOMIC_SEQ_CST) == Generation)
        return;
      leave();
    }
  }
  void leave() { __atomic_fetch_sub(&half().InFlight, 1, __ATOMIC_RELEASE); }

  segment::Segment &S;
  uint64_t Generation;
};

namespace detail {

enum class Counted : uint8_t { Yes, NoRoom, Contended };

inline bool replaceEntry(uint64_t &Place, uint64_t Old, uint64_t New) {
  return __atomic_compare_exchange_n(&Place, &Old, New, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/// Puts New in the place of Old, which goes to the overflow buffer.
inline Counted evict(segment::Half &H, uint64_t &Place, uint64_t Old, uint64_t New) {
  if (__atomic_load_n(&H.Taken, __ATOMIC_RELAXED) >= segment::OverflowWords)
    return Counted::NoRoom;
  uint64_t I = __atomic_fetch_add(&H.Taken, 1, __ATOMIC_RELAXED);
  if (I >= segment::OverflowWords)
    return Counted::NoRoom;
  CAUSAL_SEGMENT_STEP();
  // Who is killed behind this has lost Old, but not its number: Samples has it.
  if (!replaceEntry(Place, Old, New))
    return Counted::Contended;
  CAUSAL_SEGMENT_STEP();
  __atomic_store_n(&H.Overflow[I], Old, __ATOMIC_RELAXED);
  return Counted::Yes;
}

inline Counted countOnce(segment::Half &H, uint64_t Key, uint64_t Weight) {
  uint64_t *Bucket = H.Table[segment::bucketOf(Key)];
  uint64_t Words[segment::Ways];
  unsigned Least = 0, Free = segment::Ways;
  for (unsigned I = 0; I < segment::Ways; ++I) {
    Words[I] = __atomic_load_n(&Bucket[I], __ATOMIC_RELAXED);
    uint64_t Count = segment::entryCount(Words[I]);
    if (!Words[I])
      Free = I;
    else if ((Words[I] & ~segment::CountMask) == Key) {
      if (Count + Weight > segment::CountMask)
        return evict(H, Bucket[I], Words[I], Key | Weight);
      return replaceEntry(Bucket[I], Words[I], Words[I] + Weight) ? Counted::Yes
                                                                  : Counted::Contended;
    }
    if (Count < segment::entryCount(Words[Least]))
      Least = I;
  }
  if (Free < segment::Ways)
    return replaceEntry(Bucket[Free], 0, Key | Weight) ? Counted::Yes : Counted::Contended;
  return evict(H, Bucket[Least], Words[Least], Key | Weight);
}

} // namespace detail

/// Counts a sample that stands for Weight periods (1 to CountMask). Image is its place in the
/// image table. Seconds() is asked for the time where a generation begins. Sample handler.
template <typename Clock>
void countSample(segment::Segment &S, unsigned Image, unsigned Event, uint64_t Address,
                 uint64_t Weight, Clock Seconds) {
  uint64_t Key = segment::entryKey(Image + 1, Event, Address);
  SegmentVisit Visit(S);
  Visit.begin(Weight);
  for (unsigned Try = 0; Try < 4; ++Try) {
    detail::Counted Outcome = detail::countOnce(Visit.half(), Key, Weight);
    if (Outcome == detail::Counted::Yes)
      return;
    if (Outcome == detail::Counted::NoRoom && !Visit.moveOn(Weight, Seconds()))
      break;
  }
  __atomic_fetch_add(&Visit.half().Dropped, Weight, __ATOMIC_RELAXED);
}

/// The same for one that lies in no image.
inline void countUnmapped(segment::Segment &S, uint64_t Weight) {
  SegmentVisit Visit(S);
  Visit.begin(Weight);
  __atomic_fetch_add(&Visit.half().Unmapped, Weight, __ATOMIC_RELAXED);
}

/// And for one whose image finds no room.
inline void countDropped(segment::Segment &S, uint64_t Weight) {
  SegmentVisit Visit(S);
  Visit.begin(Weight);
  __atomic_fetch_add(&Visit.half().Dropped, Weight, __ATOMIC_RELAXED);
}

} // namespace __causal

#endif // CAUSAL_SEGMENT_H
