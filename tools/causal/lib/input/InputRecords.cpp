//===- InputRecords.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/InputRecords.h"
#include "causal/ProfileFields.h"
#include "lib/container/RecordFields.h"
#include "lib/container/SourceText.h"

using namespace llvm;

namespace causal {

namespace {

// Each takes a record apart and adds it, or says what is wrong with it.

Error addRoutine(InputRecords &R, RecordFields &F) {
  using Field = record::Routine;
  RoutineRecord Each;
  int64_t Id = F.integer(Field::id, 1);
  Each.Name = F.string(Field::name).str();
  Each.File = F.stringOr(Field::file, "").str();
  Each.Contract = F.stringOr(Field::complexity, "").str();
  Each.Line = unsigned(F.integerOr(Field::line, 0, 0, INT32_MAX));
  Error E = F.take();
  if (!E)
    R.Routines.try_emplace(Id, std::move(Each));
  return E;
}

Error addPoint(InputRecords &R, RecordFields &F) {
  using Field = record::InputPoint;
  InputPoint P;
  InputRecords::PointKey Key;
  Key.Routine = F.integer(Field::routine, 1);
  Key.Thread = F.integerOr(Field::thread, 0);
  Key.Input = P.Input = F.integer(Field::input);
  P.Calls = F.integer(Field::calls, 1);
  P.Min = F.integer(Field::min);
  P.Max = F.integer(Field::max);
  P.Sum = F.real(Field::sum);
  P.SumSquares = F.realOr(Field::sumsq, P.Sum * P.Sum / double(std::max<int64_t>(1, P.Calls)));
  if (F.has(Field::self))
    P.Self = F.real(Field::self);
  P.ThreadInput = F.realOr(Field::thread_input, 0);
  P.ExternalInput = F.realOr(Field::external_input, 0);
  if (P.Max < P.Min)
    F.fail(Field::max, "is less than \"min\"");
  Error E = F.take();
  if (!E)
    R.Points.try_emplace(Key, P);
  return E;
}

Error addCall(InputRecords &R, RecordFields &F) {
  using Field = record::Call;
  std::pair Ends(F.integer(Field::caller), F.integer(Field::callee, 1));
  InputRecords::Call Call{F.integer(Field::calls), F.real(Field::cost)};
  Error E = F.take();
  // Of callers that are not instrumented (0) nothing is known.
  if (!E && Ends.first)
    R.Calls.try_emplace(Ends, Call);
  return E;
}

Error addTotal(InputRecords &R, RecordFields &F) {
  using Field = record::RoutineTotal;
  int64_t Id = F.integer(Field::routine, 1);
  InputRecords::Total Total{F.integer(Field::calls), F.real(Field::self), F.real(Field::inclusive)};
  Error E = F.take();
  if (!E)
    R.Totals.try_emplace(Id, Total);
  return E;
}

Error addSnapshot(InputRecords &R, RecordFields &F) {
  using Field = record::InputSnapshot;
  R.Final |= F.booleanOr(Field::final, false);
  R.Threads = unsigned(F.integerOr(Field::threads, 0, 0, INT32_MAX));
  R.Lost = F.integerOr(Field::lost, 0);
  R.Pending = F.integerOr(Field::pending, 0);
  SmallVector<StringRef> Libraries;
  F.stringOr(Field::uninstrumented, "").split(Libraries, ' ', -1, /*KeepEmpty=*/false);
  R.Uninstrumented.clear();
  for (StringRef Each : Libraries)
    R.Uninstrumented.push_back(Each.str());
  return F.take();
}

Error addRun(InputRecords &R, RecordFields &F) {
  using Field = record::Run;
  R.Cell = F.integerOr(Field::cell, 0);
  R.Unit = F.stringOr(Field::cost, "instructions").str();
  R.Metric = F.stringOr(Field::metric, "trms").str();
  return F.take();
}

Error addRecord(InputRecords &R, RecordFields &F) {
  StringRef Type = F.stringOr(record::TypeField, "");
  return Type == record::InputPoint::Type      ? addPoint(R, F)
         : Type == record::Routine::Type       ? addRoutine(R, F)
         : Type == record::Call::Type          ? addCall(R, F)
         : Type == record::RoutineTotal::Type  ? addTotal(R, F)
         : Type == record::InputSnapshot::Type ? addSnapshot(R, F)
         : Type == record::Run::Type           ? addRun(R, F)
                                               : Error::success();
}

} // namespace

std::vector<InputRecords> readInputRecords(const Profile &P) {
  simdjson::dom::parser Parser;
  std::vector<InputRecords> All;
  for (const Run &Each : P.runs()) {
    if (Each.Mode != RunMode::Input)
      continue;
    InputRecords &R = All.emplace_back();
    std::vector<StringRef> Texts = {Each.Raw};
    llvm::append_range(Texts, Each.ModeRecords);
    for (StringRef Text : Texts) {
      simdjson::dom::object O;
      if (Text.empty() || Parser.parse(Text.data(), Text.size()).get(O))
        continue; // Of a run without a header; what is no JSON never got here.
      RecordFields F(O);
      if (Error E = addRecord(R, F)) {
        ++R.Skipped;
        std::string Why = toString(std::move(E)) + ": " + printable(Text.take_front(100));
        if (R.FirstSkipped.empty())
          R.FirstSkipped = Why;
      }
    }
  }
  return All;
}

} // namespace causal
