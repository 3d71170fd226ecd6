//===- ProbeFile.cpp - What `causal db probe` and calibrate write ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/ProbeFile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace llvm;

namespace causal::cpi {
namespace {

json::Object machineFields(const Machine &M) {
  return json::Object{{"cpu", M.CPU},
                      {"ghz", M.GHz},
                      {"skid", M.Skid},
                      {"data_lines", int64_t(M.DataLines)},
                      {"code_lines", int64_t(M.CodeLines)},
                      {"data_pages", int64_t(M.DataPages)}};
}

Machine machineOf(const json::Object &O) {
  Machine M;
  M.CPU = O.getString("cpu").value_or("").str();
  M.GHz = O.getNumber("ghz").value_or(0);
  M.Skid = O.getInteger("skid").value_or(-1);
  M.DataLines = O.getInteger("data_lines").value_or(0);
  M.CodeLines = O.getInteger("code_lines").value_or(0);
  M.DataPages = O.getInteger("data_pages").value_or(0);
  return M;
}

json::Array asArray(const Distinct &D) {
  return json::Array{int64_t(D.Seen), int64_t(D.Once), int64_t(D.Twice)};
}

Distinct distinctOf(const json::Object &O, StringRef Name) {
  Distinct D;
  const json::Array *A = O.getArray(Name);
  if (!A || A->size() != 3)
    return D;
  D.Seen = (*A)[0].getAsUINT64().value_or(0);
  D.Once = (*A)[1].getAsUINT64().value_or(0);
  D.Twice = (*A)[2].getAsUINT64().value_or(0);
  return D;
}

uint64_t number(const json::Object &O, StringRef Name) {
  const json::Value *V = O.get(Name);
  return V ? V->getAsUINT64().value_or(0) : 0;
}

uint64_t lookUp(const std::map<uint64_t, uint64_t> &In, uint64_t Key) {
  auto Known = In.find(Key);
  return Known == In.end() ? 0 : Known->second;
}

/// Calls \p Take with each record, its kind and its line; stops at the first error.
Error forEachRecord(StringRef Path,
                    function_ref<Error(StringRef Kind, const json::Object &, int64_t Line)> Take) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(),
                             "cannot read '" + Path + "': " + Buffer.getError().message());
  for (line_iterator Line(**Buffer); !Line.is_at_eof(); ++Line) {
    Expected<json::Value> Value = json::parse(*Line);
    if (!Value)
      consumeError(Value.takeError());
    const json::Object *O = Value ? Value->getAsObject() : nullptr;
    std::optional<StringRef> Kind = O ? O->getString("record") : std::nullopt;
    if (!Kind)
      return createStringError(inconvertibleErrorCode(),
                               "'" + Path + "', line " + Twine(Line.line_number()) +
                                   " is no record: this is no file of `causal db`");
    if (Error E = Take(*Kind, *O, Line.line_number()))
      return E;
  }
  return Error::success();
}

} // namespace

void writeProbe(ArrayRef<Observations> Images, raw_ostream &OS) {
  if (Images.empty())
    return;
  const Observations &First = Images.front();
  json::Object Head = machineFields(First.On);
  Head["record"] = "probe";
  Head["period_ns"] = First.PeriodNs;
  Head["kernel_seen"] = First.KernelSeen;
  Head["code"] = asArray(First.Code);
  OS << json::Value(std::move(Head)) << '\n';
  for (const Observations &Image : Images) {
    OS << json::Value(
              json::Object{{"record", "image"}, {"path", Image.Path}, {"build_id", Image.BuildID}})
       << '\n';
    std::set<uint64_t> Counters;
    for (const auto *Map : {&Image.Samples, &Image.Kernel, &Image.Faults})
      for (auto [At, N] : *Map)
        Counters.insert(At);
    for (uint64_t At : Counters)
      OS << json::Value(json::Object{{"record", "pc"},
                                     {"at", json::Value(At)},
                                     {"n", json::Value(lookUp(Image.Samples, At))},
                                     {"kernel", json::Value(lookUp(Image.Kernel, At))},
                                     {"faults", json::Value(lookUp(Image.Faults, At))}})
         << '\n';
    for (const auto &[At, F] : Image.Accesses)
      OS << json::Value(json::Object{{"record", "access"},
                                     {"at", json::Value(At)},
                                     {"n", json::Value(F.Samples)},
                                     {"lines", asArray(F.Lines)},
                                     {"pages", asArray(F.Pages)},
                                     {"threads", int64_t(F.Threads)},
                                     {"same", json::Value(F.SharedSame)},
                                     {"other", json::Value(F.SharedOther)}})
         << '\n';
  }
}

Expected<std::vector<Observations>> readProbe(StringRef Path) {
  std::vector<Observations> Images;
  std::optional<Observations> Head;
  Error E = forEachRecord(Path, [&](StringRef Kind, const json::Object &O, int64_t Line) -> Error {
    if (Kind == "probe") {
      Head.emplace();
      Head->On = machineOf(O);
      Head->PeriodNs = O.getNumber("period_ns").value_or(0);
      Head->KernelSeen = O.getBoolean("kernel_seen").value_or(false);
      Head->Code = distinctOf(O, "code");
      Head->Probed = true;
    } else if (Kind == "image" && Head) {
      Images.push_back(*Head);
      Images.back().Path = O.getString("path").value_or("").str();
      Images.back().BuildID = O.getString("build_id").value_or("").str();
    } else if (Kind == "pc" && !Images.empty()) {
      uint64_t At = number(O, "at");
      if (uint64_t N = number(O, "n"))
        Images.back().Samples[At] = N;
      if (uint64_t N = number(O, "kernel"))
        Images.back().Kernel[At] = N;
      if (uint64_t N = number(O, "faults"))
        Images.back().Faults[At] = N;
    } else if (Kind == "access" && !Images.empty()) {
      AccessFacts &F = Images.back().Accesses[number(O, "at")];
      F.Samples = number(O, "n");
      F.Lines = distinctOf(O, "lines");
      F.Pages = distinctOf(O, "pages");
      F.Threads = number(O, "threads");
      F.SharedSame = number(O, "same");
      F.SharedOther = number(O, "other");
    } else {
      return createStringError(inconvertibleErrorCode(),
                               "'" + Path + "', line " + Twine(Line) + ": a record '" + Kind +
                                   "' does not belong here: this is no file of `causal db "
                                   "probe`");
    }
    return Error::success();
  });
  if (E)
    return std::move(E);
  return Images;
}

void writeMachine(const Machine &M, raw_ostream &OS) {
  json::Object Fields = machineFields(M);
  Fields["record"] = "machine";
  OS << json::Value(std::move(Fields)) << '\n';
}

Expected<Machine> readMachine(StringRef Path) {
  std::optional<Machine> M;
  Error E = forEachRecord(Path, [&](StringRef Kind, const json::Object &O, int64_t) -> Error {
    if (Kind == "machine")
      M = machineOf(O);
    return Error::success();
  });
  if (E)
    return std::move(E);
  if (!M)
    return createStringError(inconvertibleErrorCode(),
                             "'" + Path + "' is no calibration of `causal db calibrate`");
  return *M;
}

} // namespace causal::cpi
