//===- Contract.cpp -------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/Contract.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

using namespace llvm;

namespace causal {

Expected<Contract> parseContract(StringRef Text, std::string Place) {
  std::string Where = Place.empty() ? "" : Place + ": ";
  // From the end: "operator<=" is a routine, too.
  size_t At = Text.rfind("<=");
  StringRef Routine = Text.take_front(At == StringRef::npos ? 0 : At).trim();
  if (Routine.empty())
    return createStringError(inconvertibleErrorCode(),
                             Where + "'" + Text.trim() +
                                 "' is no contract: write it as 'parse<=n log n'");
  Expected<GrowthClass> Bound = parseGrowthClass(Text.substr(At + 2));
  if (!Bound)
    return createStringError(inconvertibleErrorCode(), Where + toString(Bound.takeError()));
  return Contract{Routine.str(), *Bound, std::move(Place)};
}

Expected<std::vector<Contract>> readContracts(StringRef File) {
  auto Buffer = MemoryBuffer::getFileOrSTDIN(File, /*IsText=*/true);
  if (std::error_code EC = Buffer.getError())
    return createStringError(EC, "cannot read " + File + ": " + EC.message());
  std::vector<Contract> All;
  unsigned Number = 0;
  StringRef Rest = (*Buffer)->getBuffer(), Line;
  while (!Rest.empty()) {
    std::tie(Line, Rest) = Rest.split('\n');
    ++Number;
    Line = Line.split('#').first.trim();
    if (Line.empty())
      continue;
    Expected<Contract> C = parseContract(Line, (File + ":" + Twine(Number)).str());
    if (!C)
      return C.takeError();
    All.push_back(std::move(*C));
  }
  if (All.empty())
    return createStringError(inconvertibleErrorCode(),
                             File +
                                 " has no contract: write one in each line, as 'parse<=n log n'");
  return All;
}

Expected<std::vector<Contract>> annotatedContracts(const InputModel &M) {
  std::vector<Contract> All;
  for (const InputRoutine &R : M.Routines) {
    if (R.Contract.empty())
      continue;
    std::string Place = R.File + ":" + std::to_string(R.Line);
    Expected<GrowthClass> Bound = parseGrowthClass(R.Contract);
    if (!Bound)
      return createStringError(inconvertibleErrorCode(), Place + ": the annotation of " + R.Name +
                                                             ": " + toString(Bound.takeError()));
    All.push_back({R.Name, *Bound, Place});
  }
  return All;
}

Judgement::Verdict judge(const Growth &G, const GrowthClass &Bound) {
  if (G.Is != Growth::Known)
    return Judgement::Unknown;
  if (!(Bound < G.Set.back()))
    return Judgement::Holds;
  // The exponent takes it from no class that its growth is one of them.
  if (Bound < G.Set.front() && G.Exponent.Low > Bound.Power)
    return Judgement::Broken;
  return Judgement::Unknown;
}

std::vector<Judgement> judge(const InputModel &M, const Contract &C) {
  std::vector<unsigned> Routines = findRoutines(M, C.Routine);
  if (Routines.empty())
    return {{Judgement::Unknown,
             C.Routine + " was never called, or is not instrumented under that name (it may have "
                         "been inlined: mark it noinline)"}};
  std::vector<Judgement> All;
  for (unsigned Index : Routines) {
    const InputRoutine &R = M.Routines[Index];
    Growth G = fitGrowth(meanCosts(R));
    Judgement J{judge(G, C.Bound), ""};
    std::string Name = Routines.size() > 1 ? R.Name : C.Routine;
    std::string Allowed = toString(C.Bound) + " is allowed";
    if (G.Is == Growth::FewInputs)
      J.Why = formatv("{0} had {1} input{2} that differ, {3} are the least; {4}", Name, G.Inputs,
                      G.Inputs == 1 ? "" : "s", LeastInputs, Allowed);
    else if (G.Is == Growth::NarrowSpan)
      J.Why = formatv("the inputs of {0} span {1:f1}x, {2:f0}x is the least; {3}", Name, G.span(),
                      LeastSpan, Allowed);
    else
      J.Why = formatv("{0} is {1} ({2:f0} %; exponent {3:f2} to {4:f2}; inputs {5:f0} to {6:f0}), "
                      "{7}",
                      Name, describeGrowth(G), std::min(99.0, 100 * G.Confidence), G.Exponent.Low,
                      G.Exponent.High, G.Smallest, G.Largest, Allowed);
    All.push_back(std::move(J));
  }
  return All;
}

} // namespace causal
