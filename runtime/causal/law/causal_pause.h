//===- causal_pause.h - Pauses that end in time ----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law 2: a thread sleeps for as long as it is sure to wake in time, and spends the rest
// awake: who comes late to a meeting holds the others up, and coming early to the next one
// does not make up for it. What a pause took too long is taken off the next one.
//
// Pure code. Context: own thread. Nanoseconds.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PAUSE_H
#define CAUSAL_PAUSE_H

#include "causal/law/causal_role.h"

#include <stdint.h>

namespace __causal {

enum class Pause : uint8_t { Asleep, Awake };

struct Pauses {
  /// How late sleeps have ended lately.
  uint64_t WakesLate = 0;
  /// Slept beyond what was asked; taken off the next pause.
  int64_t Overshoot = 0;
  /// What experiments cost the thread and baselines do not; likewise.
  int64_t Cost = 0;
  /// The sum of what pauses took beyond what they were to.
  uint64_t Overslept = 0;

  /// The thread begins or ends: what it knows of its pauses is its role's.
  void takeOver(const Role *From) {
    Overshoot = From ? From->Overshoot : 0;
    Cost = From ? From->CostOfPauses : 0;
    WakesLate = From ? From->WakesLate : 0;
  }
  void handOver(Role *To) const {
    if (!To)
      return;
    To->Overshoot = Overshoot;
    To->CostOfPauses = Cost;
    To->WakesLate = WakesLate;
  }

  /// Pauses for Time and adds the CPU time that it used on purpose to Burnt. Sleeper is as
  /// ThreadDelay::pay() says. Returns how long it took.
  template <typename Sleeper>
  uint64_t pause(uint64_t Time, Pause Kind, Sleeper &S, uint64_t &Burnt) {
    Time = lessCost(Time);
    uint64_t Elapsed = 0;
    if (Overshoot >= static_cast<int64_t>(Time)) {
      Overshoot -= static_cast<int64_t>(Time);
      return Elapsed;
    }
    uint64_t Length = static_cast<uint64_t>(static_cast<int64_t>(Time) - Overshoot);
    if (Kind == Pause::Awake) {
      Burnt += Elapsed = S.burn(Length);
    } else {
      uint64_t Begin = S.now();
      if (Length > WakesLate) {
        uint64_t Asked = Length - WakesLate;
        S.sleepUntil(Begin + Asked);
        Elapsed = S.now() - Begin;
        expectWakeUp(Elapsed > Asked ? Elapsed - Asked : 0);
      }
      if (Elapsed < Length) {
        Burnt += S.burn(Length - Elapsed);
        Elapsed = S.now() - Begin;
      }
    }
    uint64_t Over = Elapsed - Length;
    Overshoot = static_cast<int64_t>(Over < MostOvershoot ? Over : MostOvershoot);
    Overslept += Over;
    return Elapsed;
  }

  /// Pauses for Time on a core that threads share. How late sleeps ended is of no matter:
  /// others had the core. Returns how long it took.
  template <typename Sleeper> uint64_t burn(uint64_t Time, Sleeper &S, uint64_t &Burnt) {
    uint64_t Length = lessCost(Time);
    if (!Length)
      return 0;
    uint64_t Elapsed = S.burn(Length);
    Burnt += Elapsed;
    tookMore(static_cast<int64_t>(Elapsed - Length));
    return Elapsed;
  }

  /// An experiment cost the thread Time that a baseline would not have: calls of the kernel
  /// around a pause, cache lines of the books. Where threads meet every few microseconds that
  /// holds up who the others wait for. Less than nothing is taken back.
  void tookMore(int64_t Time) {
    if (-MostCost < Time && Time < MostCost)
      Cost = Cost + Time > MostCost ? MostCost : Cost + Time < -MostCost ? -MostCost : Cost + Time;
  }

private:
  /// Whoever took longer did not have its core; and who hardly ever pays has not lost more
  /// than this in the time that it pays for.
  static constexpr int64_t MostCost = 50000;

  uint64_t lessCost(uint64_t Time) {
    int64_t Paid = Cost < static_cast<int64_t>(Time) ? Cost : static_cast<int64_t>(Time);
    Cost -= Paid;
    return static_cast<uint64_t>(static_cast<int64_t>(Time) - Paid);
  }

  /// Whoever overslept by more was not alone: the process, or the machine, stood still.
  static constexpr uint64_t MostOvershoot = 10000000;

  // As late as lately, unless it was for another reason than the machine's timers.
  void expectWakeUp(uint64_t Late) {
    constexpr uint64_t Most = 100000;
    if (Late > WakesLate)
      WakesLate = Late < Most ? Late : Most;
    else
      WakesLate -= (WakesLate - Late) / 8;
  }
};

} // namespace __causal

#endif // CAUSAL_PAUSE_H
