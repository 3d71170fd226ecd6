//===- causal_random.h - xoshiro256** for the runtime -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small generator (Blackman & Vigna, xoshiro256**, seeded by splitmix64). One
// object belongs to one thread or one lock holder. Allocates and blocks never.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RANDOM_H
#define CAUSAL_RANDOM_H

#include <stdint.h>

namespace __causal {

class Random {
public:
  void seed(uint64_t Seed) {
    for (uint64_t &Word : State) {
      uint64_t Z = Seed += 0x9E3779B97F4A7C15ull;
      Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9ull;
      Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBull;
      Word = Z ^ (Z >> 31);
    }
  }

  uint64_t next() {
    uint64_t Result = rotate(State[1] * 5, 7) * 9;
    uint64_t T = State[1] << 17;
    State[2] ^= State[0];
    State[3] ^= State[1];
    State[1] ^= State[2];
    State[0] ^= State[3];
    State[2] ^= T;
    State[3] = rotate(State[3], 45);
    return Result;
  }

  /// Uniform in [0, Bound), by the multiply-and-shift method; Bound of 0 gives 0.
  uint32_t below(uint32_t Bound) { return static_cast<uint32_t>(((next() >> 32) * Bound) >> 32); }

private:
  static uint64_t rotate(uint64_t X, int K) { return (X << K) | (X >> (64 - K)); }
  uint64_t State[4] = {};
};

} // namespace __causal

#endif // CAUSAL_RANDOM_H
