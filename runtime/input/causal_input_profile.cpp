//===- causal_input_profile.cpp - The records of input mode ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_input_profile.h. The other threads go on while theirs are read: an activation
// that one of them is just adding may be in some of the sums only.
//
//===----------------------------------------------------------------------===//
#include "input/causal_input_profile.h"
#include "base/causal_runtime_lock.h"
#include "input/causal_input_access.h"
#include "input/causal_input_activations.h"
#include "input/causal_input_images.h"
#include "input/causal_input_routines.h"
#include "profile/causal_profile_writer.h"

using namespace __causal;

static __sanitizer::StaticSpinMutex Mutex;
static bool Ended;

void __causal::lockInputProfile() { Mutex.Lock(); }
void __causal::unlockInputProfile() { Mutex.Unlock(); }

static const char *metricName() {
  switch (TheMetric) {
  case Metric::Rms:
    return "rms";
  case Metric::External:
    return "external";
  case Metric::Trms:
    break;
  }
  return "trms";
}

void __causal::beginInputRun(uint64_t RunId) {
  Ended = false;
  for (uint32_t I = 1; I <= routinesNamed(); ++I)
    routineNamed(I)->Written = false;
  initProfileWriter(RunId, "input");
}

static void writeRoutine(uint32_t Id) {
  NamedRoutine *N = routineNamed(Id);
  if (!N || N->Written)
    return;
  N->Written = true;
  using Field = record::Routine;
  JsonRecord R = beginRecord(Field::Type);
  R.field(Field::id, Id);
  R.field(Field::name, N->Name);
  R.field(Field::file, N->File);
  R.field(Field::line, N->Line);
  endRecord(R);
}

static void writePoint(const InputThread &T, const Point &P) {
  using Field = record::InputPoint;
  JsonRecord R = beginRecord(Field::Type);
  R.field(Field::routine, P.Routine);
  R.field(Field::thread, T.Number);
  R.field(Field::input, P.Input);
  R.field(Field::calls, P.Calls);
  R.field(Field::min, P.Min);
  R.field(Field::max, P.Max);
  R.field(Field::sum, P.Sum);
  R.real(Field::sumsq, P.SumOfSquares);
  R.field(Field::thread_input, P.FromThreads);
  R.field(Field::external_input, P.FromOutside);
  endRecord(R);
}

static void writeCall(const CallRecord &C) {
  using Field = record::Call;
  JsonRecord R = beginRecord(Field::Type);
  R.field(Field::caller, C.Caller);
  R.field(Field::callee, C.Callee);
  R.field(Field::calls, C.Calls);
  R.field(Field::cost, C.Cost);
  endRecord(R);
}

static void writeTotal(uint32_t Id, const RoutineTotal &Total) {
  using Field = record::RoutineTotal;
  JsonRecord R = beginRecord(Field::Type);
  R.field(Field::routine, Id);
  R.field(Field::calls, Total.Calls);
  R.field(Field::self, Total.Self);
  R.field(Field::inclusive, Total.Inclusive);
  endRecord(R);
}

/// The holder of the lock.
static void writeThread(const InputThread &T) {
  setRunInput(CellSize, costUnit(), metricName());
  if (!openProfile())
    return;
  for (uint32_t I = 1, N = routinesNamed(); I <= N; ++I)
    if (const RoutineTotal *Total = T.Points.totalOf(I)) {
      writeRoutine(I);
      writeTotal(I, *Total);
    }
  const RecordList<Point> &Points = T.Points.points();
  for (uint32_t I = 0, N = Points.size(); I < N; ++I)
    writePoint(T, Points.at(I));
  const RecordList<CallRecord> &Calls = T.Points.calls();
  for (uint32_t I = 0, N = Calls.size(); I < N; ++I) {
    writeRoutine(Calls.at(I).Caller); // It may be pending still.
    writeCall(Calls.at(I));
  }
}

void __causal::endInputProfile(InputThread &T) {
  RuntimeLock Lock(Mutex);
  if (!Ended)
    writeThread(T);
}

static void writeSnapshot(bool Final) {
  setRunInput(CellSize, costUnit(), metricName());
  if (!openProfile())
    return;
  char Buffer[4096];
  TextBuffer Uninstrumented(Buffer, sizeof(Buffer));
  putUninstrumented(Uninstrumented);
  uint64_t Lost = lostByEnded(), Pending = 0;
  for (InputThread *T = firstInputThread(); T; T = T->Next) {
    Lost += T->Lost;
    Pending += pendingActivations(*T);
  }
  using Field = record::InputSnapshot;
  JsonRecord R = beginRecord(Field::Type);
  R.field(Field::final, Final);
  R.field(Field::threads, inputThreadsBegun());
  R.field(Field::lost, Lost);
  if (Uninstrumented.size())
    R.field(Field::uninstrumented, Uninstrumented.text());
  if (Pending)
    R.field(Field::pending, Pending);
  endRecord(R);
}

void __causal::endInputRun() {
  if (Self) // What has called exit() is not left by a return.
    endAllActivations(*Self);
  SignalsBlocked Signals;
  lockInputThreads();
  {
    RuntimeLock Lock(Mutex);
    if (!Ended) {
      for (InputThread *T = firstInputThread(); T; T = T->Next)
        writeThread(*T);
      writeSnapshot(/*Final=*/true);
    }
    Ended = true;
  }
  unlockInputThreads();
}

// What is written adds up with what comes after. The tables of other threads are theirs to
// empty: what those have is lost if the program is replaced.
void __causal::writeOwnInput() {
  InputThread *T = Self;
  if (!T)
    return;
  RuntimeLock Lock(Mutex);
  if (Ended)
    return;
  writeThread(*T);
  restartPoints(*T);
}
