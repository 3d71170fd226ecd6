//===- causal_input_points.h - What a thread's activations were -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The profile of one thread: for each routine and each input that an activation of it had,
// how many there were and what they cost; what each routine cost in all; and who called
// whom. An activation is added when it ends.
//
// Context: add() by the thread itself. The writer may read meanwhile: it sees records that
// are whole but for the activation that is just being added.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_POINTS_H
#define CAUSAL_INPUT_POINTS_H

#include "input/causal_input_table.h"

namespace __causal {

constexpr uint32_t MaxRoutines = 1u << 20;

/// An activation that has ended.
struct EndedActivation {
  uint32_t Routine, Caller; ///< Caller: 0 for a thread's first.
  uint64_t Input, FromThreads, FromOutside;
  uint64_t Self, Inclusive;
  bool Outermost; ///< No activation of the routine was pending below it.
};

struct Point {
  uint32_t Routine;
  uint64_t Input, Calls, Min, Max, Sum;
  double SumOfSquares;
  uint64_t FromThreads, FromOutside;

  /// Inputs of 2^44 cells are beyond any memory.
  static uint64_t keyOf(uint32_t Routine, uint64_t Input) {
    return static_cast<uint64_t>(Routine) << 44 | (Input & ((1ull << 44) - 1));
  }
  uint64_t key() const { return keyOf(Routine, Input); }
};

struct CallRecord {
  uint32_t Caller, Callee;
  uint64_t Calls, Cost;

  static uint64_t keyOf(uint32_t Caller, uint32_t Callee) {
    return static_cast<uint64_t>(Callee) << 32 | Caller;
  }
  uint64_t key() const { return keyOf(Caller, Callee); }
};

struct RoutineTotal {
  uint64_t Calls, Self, Inclusive;
  uint32_t LastPoint, LastCall; ///< Where the last activation went, plus one.
  uint32_t Pending;             ///< Activations on the thread's stack.
};

class PointTable {
public:
  /// False if it could not be added: there is no memory.
  bool add(const EndedActivation &A) {
    RoutineTotal *Total = total(A.Routine);
    if (!Total)
      return false;
    ++Total->Calls;
    Total->Self += A.Self;
    if (A.Outermost) // What a recursive one costs is in the cost of those below.
      Total->Inclusive += A.Inclusive;
    bool HasPoint = addPoint(A, *Total), HasCall = addCall(A, *Total);
    return HasPoint && HasCall;
  }

  const RecordList<Point> &points() const { return Points; }
  const RecordList<CallRecord> &calls() const { return Calls; }
  /// Null if the routine had no activation in this thread.
  const RoutineTotal *totalOf(uint32_t Routine) const {
    RoutineTotal *T = __atomic_load_n(&Totals, __ATOMIC_ACQUIRE);
    return T && T[Routine].Calls ? &T[Routine] : nullptr;
  }

  /// The routine's total, made if there is none; null if there is no memory.
  RoutineTotal *total(uint32_t Routine) {
    if (__builtin_expect(!Totals, 0)) {
      auto *New = static_cast<RoutineTotal *>(mapMemory(MaxRoutines * sizeof(RoutineTotal)));
      if (!New)
        return nullptr;
      __atomic_store_n(&Totals, New, __ATOMIC_RELEASE);
    }
    return &Totals[Routine];
  }

  /// Gives all memory back.
  void clear() {
    Points.clear();
    PointIndex.clear();
    Calls.clear();
    CallIndex.clear();
    RoutineTotal *Old = Totals;
    __atomic_store_n(&Totals, nullptr, __ATOMIC_RELEASE);
    unmapMemory(Old, MaxRoutines * sizeof(RoutineTotal));
  }

private:
  bool addPoint(const EndedActivation &A, RoutineTotal &Total) {
    uint64_t Key = Point::keyOf(A.Routine, A.Input);
    uint32_t At = Total.LastPoint;
    Point *P;
    if (At && (P = &Points.at(At - 1))->Input == A.Input) {
      // As before.
    } else if ((At = PointIndex.find(Key, Points))) {
      P = &Points.at(At - 1);
    } else {
      if (!PointIndex.reserve(Points) || !(P = Points.append()))
        return false;
      *P = {A.Routine, A.Input, 0, ~0ull, 0, 0, 0, 0, 0};
      uint32_t I = Points.size();
      PointIndex.insert(Key, I);
      At = I + 1;
      addTo(*P, A);
      Points.publish();
      Total.LastPoint = At;
      return true;
    }
    Total.LastPoint = At;
    addTo(*P, A);
    return true;
  }

  static void addTo(Point &P, const EndedActivation &A) {
    ++P.Calls;
    P.Sum += A.Inclusive;
    P.SumOfSquares += static_cast<double>(A.Inclusive) * static_cast<double>(A.Inclusive);
    if (A.Inclusive < P.Min)
      P.Min = A.Inclusive;
    if (A.Inclusive > P.Max)
      P.Max = A.Inclusive;
    P.FromThreads += A.FromThreads;
    P.FromOutside += A.FromOutside;
  }

  bool addCall(const EndedActivation &A, RoutineTotal &Total) {
    if (!A.Caller)
      return true;
    uint32_t At = Total.LastCall;
    CallRecord *R;
    if (!At || (R = &Calls.at(At - 1))->Caller != A.Caller) {
      uint64_t Key = CallRecord::keyOf(A.Caller, A.Routine);
      At = CallIndex.find(Key, Calls);
      if (!At) {
        if (!CallIndex.reserve(Calls) || !(R = Calls.append()))
          return false;
        *R = {A.Caller, A.Routine, 0, 0};
        CallIndex.insert(Key, Calls.size());
        Calls.publish();
        At = Calls.size();
      }
      R = &Calls.at(At - 1);
      Total.LastCall = At;
    }
    ++R->Calls;
    R->Cost += A.Inclusive;
    return true;
  }

  RecordList<Point> Points;
  RecordIndex<Point> PointIndex;
  RecordList<CallRecord> Calls;
  RecordIndex<CallRecord> CallIndex;
  RoutineTotal *Totals;
};

} // namespace __causal

#endif // CAUSAL_INPUT_POINTS_H
