//===- InputRecords.h - The records of one run of mode=input ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a run's records (Run::ModeRecords), taken apart. Each record is known by its
// identity, so one that is read twice counts once. For InputModel alone.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_INPUTRECORDS_H
#define CAUSAL_INPUT_INPUTRECORDS_H

#include "lib/input/InputModel.h"

#include <map>

namespace causal {

struct RoutineRecord {
  std::string Name, File, Contract;
  unsigned Line = 0;
};

struct InputRecords {
  struct Total {
    int64_t Calls = 0;
    double Self = 0, Inclusive = 0;
  };
  struct Call {
    int64_t Calls = 0;
    double Cost = 0;
  };
  struct PointKey {
    int64_t Routine, Thread, Input;
    friend bool operator<(const PointKey &A, const PointKey &B) {
      return std::tie(A.Routine, A.Thread, A.Input) < std::tie(B.Routine, B.Thread, B.Input);
    }
  };

  int64_t Cell = 0, Lost = 0, Pending = 0;
  std::string Unit, Metric;
  unsigned Threads = 0;
  bool Final = false;
  std::vector<std::string> Uninstrumented;   ///< Libraries.
  uint64_t Skipped = 0;                      ///< Records that made no sense.
  std::string FirstSkipped;                  ///< What was wrong with the first one.
  std::map<int64_t, RoutineRecord> Routines; ///< By the run's own numbers.
  std::map<PointKey, InputPoint> Points;
  std::map<std::pair<int64_t, int64_t>, Call> Calls;
  std::map<int64_t, Total> Totals;
};

/// Of each run of mode=input in \p P.
std::vector<InputRecords> readInputRecords(const Profile &P);

} // namespace causal

#endif // CAUSAL_INPUT_INPUTRECORDS_H
