//===- causal_descriptors.h - Who wakes whom through descriptors -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A descriptor is known here if this process may have both ends of what it leads to:
// a pipe, a socketpair, an eventfd, a message queue. Wake-ups through it go along
// channels: who writes into a channel wakes who waits for data in it, who reads from
// it wakes who waits for room. The keys of both are objects of the law of delays.
//
// Descriptors are duplicated, inherited, closed where nobody tells us, and used
// again. So a channel is never a promise: a thread is credited with what threads of
// this process have published under a channel's key since its wait began. Where no
// descriptor of this process is left at the other end, a wait is I/O.
//
// Pure code; fixed tables, zeroed and inert. Context: any, nothing blocks.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_DESCRIPTORS_H
#define CAUSAL_DESCRIPTORS_H

#include <stdint.h>

namespace __causal {

/// 0 is none: what lies behind belongs to the outside world.
using Channel = uint32_t;

/// Objects to wait for (law 4): data in a channel, and room in it.
constexpr uintptr_t DescriptorObjects = 0xfdull << 56;
inline uintptr_t dataObject(Channel C) {
  return DescriptorObjects | static_cast<uintptr_t>(C) << 1;
}
inline uintptr_t roomObject(Channel C) { return dataObject(C) | 1; }

/// What a descriptor reads from and writes to.
struct Descriptor {
  Channel In = 0, Out = 0;
  bool known() const { return In | Out; }
};

class Descriptors {
public:
  /// Greater descriptors are never known.
  static constexpr unsigned Limit = 65536;

  Descriptor get(int Fd) const {
    if (__builtin_expect(static_cast<unsigned>(Fd) >= Limit, 0))
      return {};
    uint64_t Word = __atomic_load_n(&Table[Fd], __ATOMIC_RELAXED);
    return {static_cast<Channel>(Word), static_cast<Channel>(Word >> 32)};
  }
  void set(int Fd, Descriptor D);
  void forget(int Fd) { set(Fd, {}); }
  /// Forgets First to Last, both included.
  void forgetRange(unsigned First, unsigned Last);
  /// All descriptors that were ever known are below.
  int end() const { return __atomic_load_n(&End, __ATOMIC_RELAXED); }
  /// Whether any descriptor was ever known: if not, nobody need look at sets of them.
  bool used() const { return end() > 0; }

  /// Whether a descriptor of this process may write into C, or read from it.
  bool hasWriters(Channel C) const {
    return C && __atomic_load_n(&counts(C).Writers, __ATOMIC_RELAXED) > 0;
  }
  bool hasReaders(Channel C) const {
    return C && __atomic_load_n(&counts(C).Readers, __ATOMIC_RELAXED) > 0;
  }

  /// A channel that no descriptor has.
  Channel newChannel();
  /// The channel of a file that is opened by name: a FIFO, a message queue.
  static Channel fileChannel(uint64_t Device, uint64_t Inode) {
    return hashedChannel((Inode ^ Device << 32 ^ Device >> 32) * 0x9E3779B97F4A7C15ull);
  }
  /// The channel of what has a unique name, by a hash of that name.
  static Channel hashedChannel(uint64_t Hash) {
    return HashedChannels | static_cast<Channel>(Hash >> 34);
  }
  /// The channel that waits on the epoll descriptor Fd read from; makes one if need
  /// be. 0 if the descriptor cannot be known.
  Channel epollChannel(int Fd);

  /// Who publishes under Object wakes the waiters on Epoll, too. When the table is
  /// full the oldest goes: its waits are I/O from then on.
  void watch(uintptr_t Object, Channel Epoll);
  void unwatch(uintptr_t Object, Channel Epoll);
  template <typename Function> void forEachWatcher(uintptr_t Object, Function F) const {
    const uint64_t *B = bucket(Object);
    for (unsigned I = 0; I < BucketSize; ++I) {
      uint64_t W = __atomic_load_n(&B[I], __ATOMIC_RELAXED);
      if (W && W >> 32 == static_cast<uint32_t>(Object))
        F(static_cast<Channel>(W));
    }
  }

  /// A signalfd reads from C the signals in Mask (bit 0 is signal 1).
  void setSignals(Channel C, uint64_t Mask);
  template <typename Function> void forEachSignalChannel(int Signal, Function F) const {
    for (const SignalChannel &S : Signals)
      if (Channel C = __atomic_load_n(&S.C, __ATOMIC_ACQUIRE))
        if (__atomic_load_n(&S.Mask, __ATOMIC_RELAXED) >> (Signal - 1) & 1)
          F(C);
  }

private:
  static constexpr unsigned Buckets = 1024, BucketSize = 4;
  // Below, channels by number; above, by a hash.
  static constexpr Channel HashedChannels = 1u << 30;

  // Channels that share an entry seem to have each other's descriptors: a wait on one
  // may then be taken for one on a thread, but earns no credit.
  struct Counts {
    int32_t Readers = 0, Writers = 0;
  };
  static constexpr Channel CountsSize = 65536;
  const Counts &counts(Channel C) const { return Ends[C % CountsSize]; }
  void count(Descriptor D, int32_t Change);
  void noteKnown(int Fd);

  struct SignalChannel {
    uint64_t Mask = 0;
    Channel C = 0;
  };

  // The lower half of an object tells channels and kinds apart.
  static unsigned bucketIndex(uintptr_t Object) {
    return (static_cast<uint32_t>(Object) * 0x9E3779B9u) >> 22;
  }
  const uint64_t *bucket(uintptr_t Object) const { return Watchers[bucketIndex(Object)]; }

  uint64_t Table[Limit] = {};
  Counts Ends[CountsSize];
  uint64_t Watchers[Buckets][BucketSize] = {};
  SignalChannel Signals[16];
  Channel LastChannel = 0;
  int End = 0;
};

extern Descriptors TheDescriptors;
inline Descriptors &descriptors() { return TheDescriptors; }

} // namespace __causal

#endif // CAUSAL_DESCRIPTORS_H
