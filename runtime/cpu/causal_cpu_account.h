//===- causal_cpu_account.h - Where one thread's time goes ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time on the core is what the thread's CPU clock says, and each sample takes what has
// gone by on that clock since the last one. Time off the core is the rest of the wall
// clock. It is settled now and then: first the run queue, as the kernel counts it; then
// the calls that wait, by how long each kind of them took; and what is left is no
// wrapper's: page faults or other system calls, by the kernel's counts. Nothing is ever
// guessed: what nobody counted stays unexplained.
//
// What a state has got is pending until it amounts to a period, so that a stack is taken
// once for each period of waiting, however short the waits are.
//
// Pure code; zeroed is valid. Context: whoever holds the thread's account.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_ACCOUNT_H
#define CAUSAL_CPU_ACCOUNT_H

#include "cpu/causal_cpu_state.h"

namespace __causal {

/// What the kernel has counted since the last settlement.
struct KernelCounts {
  uint64_t RunQueue = 0;
  uint64_t MajorFaults = 0, Switches = 0; ///< Switches: that the thread asked for.
};

class CPUAccount {
public:
  /// A thread begins that has had CPU before; what it had is charged as well.
  void begin(uint64_t Wall, uint64_t CPU, uint64_t ChargedCPU) {
    Begin = LastWall = Wall;
    SettledCPU = CPU;
    LastCPU = ChargedCPU;
  }

  /// What the thread's CPU clock has gone on by since the last call.
  uint64_t takeCPU(uint64_t CPU) {
    uint64_t Time = CPU > LastCPU ? CPU - LastCPU : 0;
    LastCPU = CPU > LastCPU ? CPU : LastCPU;
    Charged += Time;
    return Time;
  }

  /// A call that may wait took Elapsed.
  void noteCall(CPUState S, uint64_t Elapsed) {
    Calls[index(S)] += Elapsed;
    CallTime += Elapsed;
    UnsettledCallTime += Elapsed;
  }
  /// Of all calls so far: who makes one within another takes the inner one's off.
  uint64_t callTime() const { return CallTime; }
  uint64_t unsettledCallTime() const { return UnsettledCallTime; }

  /// Off the core, and not settled.
  uint64_t unsettled(uint64_t Wall, uint64_t CPU) const {
    int64_t Time = unsettledTime(Wall, CPU);
    return Time > 0 ? static_cast<uint64_t>(Time) : 0;
  }
  /// Of that, what is neither the run queue's nor a call's.
  uint64_t unseen(uint64_t Wall, uint64_t CPU, uint64_t RunQueue) const {
    uint64_t Time = unsettled(Wall, CPU), Seen = RunQueue + UnsettledCallTime;
    return Time > Seen ? Time - Seen : 0;
  }

  void settle(uint64_t Wall, uint64_t CPU, const KernelCounts &K) {
    int64_t Balance = unsettledTime(Wall, CPU);
    LastWall = Wall;
    SettledCPU = CPU;
    // Two clocks are not read at once: what one is ahead comes back the next time.
    Ahead = Balance < 0 ? Balance : 0;
    uint64_t Left = Balance > 0 ? static_cast<uint64_t>(Balance) : 0;
    Left -= add(CPUState::RunQueue, K.RunQueue < Left ? K.RunQueue : Left);
    Left -= addCalls(Left);
    if (K.MajorFaults)
      add(CPUState::PageFault, Left);
    else if (K.Switches)
      add(CPUState::Other, Left);
  }

  /// What S has got and nobody has taken, if it is as much as Least; else 0.
  uint64_t takePending(CPUState S, uint64_t Least) {
    uint64_t &Time = Pending[index(S)], Taken = Time;
    if (Time < Least)
      return 0;
    Time = 0;
    return Taken;
  }
  uint64_t pending(CPUState S) const { return Pending[index(S)]; }

  uint64_t off(CPUState S) const { return Off[index(S)]; }
  uint64_t begun() const { return Begin; }
  /// On the core: what takeCPU() has given.
  uint64_t charged() const { return Charged; }
  /// Of the time until Wall, that no state has.
  uint64_t unexplained(uint64_t Wall) const {
    uint64_t Known = Charged;
    for (uint64_t Time : Off)
      Known += Time;
    uint64_t All = Wall > Begin ? Wall - Begin : 0;
    return All > Known ? All - Known : 0;
  }

private:
  int64_t unsettledTime(uint64_t Wall, uint64_t CPU) const {
    return static_cast<int64_t>(Wall - LastWall) - static_cast<int64_t>(CPU - SettledCPU) + Ahead;
  }

  uint64_t add(CPUState S, uint64_t Time) {
    Off[index(S)] += Time;
    Pending[index(S)] += Time;
    return Time;
  }

  static uint64_t partOf(uint64_t Whole, uint64_t Share, uint64_t All) {
    return Share ? static_cast<uint64_t>(static_cast<double>(Whole) * static_cast<double>(Share) /
                                         static_cast<double>(All))
                 : 0;
  }

  // They took so long all together, some of it on the core or on its run queue.
  uint64_t addCalls(uint64_t Left) {
    uint64_t All = UnsettledCallTime, Share = Left < All ? Left : All, Given = 0;
    UnsettledCallTime = 0;
    unsigned Most = 0;
    for (unsigned S = 0; S != CPUStates; ++S) {
      if (Calls[S] > Calls[Most])
        Most = S;
      uint64_t Part = partOf(Share, Calls[S], All);
      Given += add(static_cast<CPUState>(S), Part < Share - Given ? Part : Share - Given);
    }
    if (Share > Given) // What rounding has left.
      add(static_cast<CPUState>(Most), Share - Given);
    for (uint64_t &Time : Calls)
      Time = 0;
    return Share;
  }

  uint64_t Begin = 0, LastWall = 0, SettledCPU = 0, LastCPU = 0, Charged = 0;
  uint64_t CallTime = 0, UnsettledCallTime = 0;
  int64_t Ahead = 0;
  uint64_t Calls[CPUStates] = {}, Off[CPUStates] = {}, Pending[CPUStates] = {};
};

} // namespace __causal

#endif // CAUSAL_CPU_ACCOUNT_H
