//===- CPUProfile.h - Where threads' time went ------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runs of mode=cpu in memory: threads with their account, stacks, and what was
// charged to them, on a core and off it. Of a run that was killed the snapshots that
// were closed count. Code is known by image and offset until FrameNames.h names it.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_CPUPROFILE_H
#define CAUSAL_CPU_CPUPROFILE_H

#include "lib/container/Profile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <functional>

namespace causal::cpu {

/// What a thread does at a time: it has a core, or it waits for something.
enum class State : uint8_t { CPU, Lock, Wait, IO, Sleep, Join, RunQueue, PageFault, Idle, Other };
constexpr unsigned NumStates = 10;
/// As records have it: "cpu", "lock", "runqueue".
llvm::StringRef toString(State S);
/// In words, after "waits for": "a lock", "a core".
llvm::StringRef wordsFor(State S);
/// Whether a wait is likely as it should be: for work, or for other threads to end.
inline bool isExpected(State S) { return S == State::Idle || S == State::Join; }
std::optional<State> stateNamed(llvm::StringRef Name);

/// In nanoseconds. Sums stop at their largest value instead of wrapping around.
class Time {
public:
  Time() = default;
  explicit Time(int64_t Ns) : Ns(uint64_t(Ns)) {}
  Time &operator+=(Time T) {
    Ns = llvm::SaturatingAdd(Ns, T.Ns);
    return *this;
  }
  explicit operator double() const { return double(Ns); }
  /// As formats have it that know no more than 63 bits.
  int64_t ns() const { return int64_t(std::min<uint64_t>(Ns, INT64_MAX)); }
  explicit operator bool() const { return Ns; }
  friend bool operator<(Time A, Time B) { return A.Ns < B.Ns; }
  friend bool operator==(Time A, Time B) { return A.Ns == B.Ns; }

private:
  uint64_t Ns = 0;
};

/// By state; that of State::CPU is what the thread's clock says.
class Times {
public:
  Time &operator[](State S) { return Of[unsigned(S)]; }
  Time operator[](State S) const { return Of[unsigned(S)]; }
  Time off() const;
  Times &operator+=(const Times &T);

private:
  std::array<Time, NumStates> Of;
};

struct Image {
  std::string Path, BuildId;
};

/// A place in the source, as far as known; of code without a name, the image.
struct Place {
  std::string Function; ///< Possibly mangled; empty if unknown.
  std::string File;     ///< Empty if unknown.
  unsigned Line = 0;
  unsigned Image = 0; ///< Of the first frame that was seen there.
};

struct Frame {
  unsigned Image;
  uint64_t Offset;
  /// Into CPUProfile::Places, innermost first; one at least once frames are named.
  llvm::SmallVector<unsigned, 1> Places;
};

struct Stack {
  std::vector<unsigned> Frames; ///< Leaf first.
  bool Truncated = false;       ///< Frames at the root are missing.
};

struct Thread {
  unsigned Run; ///< Into CPUProfile::Runs.
  int64_t Number = 0, Tid = 0;
  std::string Name;
  int64_t Begin = 0;          ///< Since the run began.
  std::optional<int64_t> End; ///< Unless it lived when the last snapshot was taken.
  Time Wall;
  Times In;
  Time Unexplained; ///< What no state was found for.
  int64_t Samples = 0;
  bool RunQueueKnown = true; ///< Else waiting for a core is part of the other states.
};

/// The time that a thread spent in one state under one stack.
struct Charge {
  unsigned Thread, Stack;
  State In;
  std::optional<unsigned> Waker;       ///< The stack that ended it.
  std::optional<unsigned> WakerThread; ///< Into CPUProfile::Threads.
  Time Ns;
  int64_t Count = 0;
};

/// What a thread did between two snapshots, as far as it is charged to stacks.
struct Slice {
  unsigned Thread;
  int64_t Begin, End; ///< Since the run began.
  Times In;
};

struct CPURun {
  std::string Id, Exe;
  int64_t StartTime = 0, Period = 0, Pid = 0;
  Time Wall;
  int64_t Dropped = 0, Truncated = 0, Snapshots = 0;
  int64_t Unsampled = 0; ///< Threads whose CPU time has no stacks.
  bool Final = false;
};

struct CPUProfile {
  std::vector<CPURun> Runs;
  std::vector<Image> Images;
  std::vector<Place> Places;
  std::vector<Frame> Frames;
  /// The first has no frame: time of which no stack is known.
  std::vector<Stack> Stacks;
  std::vector<Thread> Threads;
  std::vector<Charge> Charges;
  std::vector<Slice> Slices; ///< By run, snapshot and thread.

  /// Places from the leaf to the root, inlined calls apart.
  std::vector<unsigned> placesOf(unsigned Stack) const;
  /// Of all threads.
  Times total() const;
  Time life() const;
};

/// The runs of mode=cpu of \p P. \p Warn hears what had to be skipped.
CPUProfile readCPU(const Profile &P, llvm::function_ref<void(const llvm::Twine &)> Warn);

} // namespace causal::cpu

#endif // CAUSAL_CPU_CPUPROFILE_H
