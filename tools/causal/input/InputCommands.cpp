//===- InputCommands.cpp --------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "input/InputCommands.h"
#include "input/InputReport.h"
#include "lib/container/SourceText.h"
#include "lib/input/GrowthDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

using namespace llvm;

namespace causal {

namespace {

/// Changes of cost below this are not told: units are whole instructions.
constexpr double LeastChange = 0.0005;

struct VerdictWord {
  const char *Word;
  raw_ostream::Colors Color;
};
VerdictWord wordFor(Judgement::Verdict Is) {
  switch (Is) {
  case Judgement::Holds:
    return {"holds", raw_ostream::GREEN};
  case Judgement::Broken:
    return {"broken", raw_ostream::RED};
  case Judgement::Unknown:
    break;
  }
  return {"unknown", raw_ostream::YELLOW};
}

/// The model of the first metric, on which contracts and growth are.
Expected<InputModel> firstModel(const Profile &P) {
  Expected<std::vector<InputModel>> Models = readInputModels(P);
  if (!Models)
    return Models.takeError();
  if (Models->empty())
    return createStringError(inconvertibleErrorCode(), "no run of mode=input");
  return std::move(Models->front());
}

std::string formatRatio(double Ratio) {
  if (std::fabs(Ratio - 1) < LeastChange)
    return "the same";
  if (Ratio >= 10)
    return formatv("{0:f1} times", Ratio).str();
  return formatv("{0}{1:f1} %", Ratio > 1 ? "+" : "-", 100 * std::fabs(Ratio - 1)).str();
}

} // namespace

bool hasAnnotatedContracts(const Profile &P) {
  Expected<InputModel> M = firstModel(P);
  if (!M) {
    consumeError(M.takeError());
    return false;
  }
  return any_of(M->Routines, [](const InputRoutine &R) { return !R.Contract.empty(); });
}

Expected<int> checkContracts(const Profile &P, ArrayRef<std::string> Texts, StringRef File,
                             raw_ostream &OS) {
  std::vector<Contract> Contracts;
  for (const std::string &Text : Texts) {
    Expected<Contract> C = parseContract(Text);
    if (!C)
      return C.takeError();
    Contracts.push_back(std::move(*C));
  }
  if (!File.empty()) {
    Expected<std::vector<Contract>> Read = readContracts(File);
    if (!Read)
      return Read.takeError();
    append_range(Contracts, *Read);
  }
  Expected<InputModel> M = firstModel(P);
  if (!M)
    return M.takeError();
  Expected<std::vector<Contract>> Annotated = annotatedContracts(*M);
  if (!Annotated)
    return Annotated.takeError();
  append_range(Contracts, *Annotated);

  bool Broken = false, Unknown = false;
  for (const Contract &C : Contracts)
    for (const Judgement &J : judge(*M, C)) {
      Broken |= J.Is == Judgement::Broken;
      Unknown |= J.Is == Judgement::Unknown;
      VerdictWord Word = wordFor(J.Is);
      WithColor(OS, Word.Color) << Word.Word;
      OS << ": " << printable(J.Why) << (C.Place.empty() ? "" : " (" + printable(C.Place) + ")")
         << '\n';
    }
  if (Unknown)
    OS << "  more inputs, smaller and larger ones, make it sure: profiles of several runs add up\n";
  // What is sure to be broken stands before what is not known.
  return Broken ? 1 : Unknown ? 2 : 0;
}

Error writeGrowthDiff(const Profile &ProfileBefore, const Profile &ProfileAfter, unsigned Top,
                      raw_ostream &OS) {
  Expected<InputModel> Before = firstModel(ProfileBefore);
  if (!Before)
    return Before.takeError();
  Expected<InputModel> After = firstModel(ProfileAfter);
  if (!After)
    return After.takeError();
  for (auto [What, A, B] :
       {std::tuple("cells of bytes", std::to_string(Before->Cell), std::to_string(After->Cell)),
        {"metric", Before->Metric, After->Metric},
        {"unit of cost", Before->Unit, After->Unit}})
    if (A != B)
      return createStringError(inconvertibleErrorCode(),
                               "these profiles cannot be compared: their " + std::string(What) +
                                   " are " + A + " and " + B + "; record both the same way");
  GrowthDiff Diff = compareGrowth(*Before, *After);
  std::vector<StringRef> Files;
  for (const InputRoutine &R : After->Routines)
    Files.push_back(R.File);
  StringMap<std::string> Names = shortNames(Files);

  OS << "== How cost grows with input: " << Before->Metric << ", in " << Before->Unit << " ==\n"
     << "cost at equal input   growth                                   routine\n";
  size_t Shown = 0, Left = 0;
  for (const GrowthChange &C : Diff.Changes) {
    bool Growth = C.Grows == GrowthChange::Slower || C.Grows == GrowthChange::Faster;
    if (!Growth && (!C.Ratio || std::fabs(*C.Ratio - 1) < LeastChange))
      continue;
    if (Top && Shown == Top) {
      ++Left;
      continue;
    }
    ++Shown;
    const InputRoutine &R = After->Routines[C.After];
    bool Worse = C.Grows == GrowthChange::Slower || (!Growth && *C.Ratio > 1);
    std::string Cost = C.Ratio ? formatRatio(*C.Ratio) : "-";
    if (C.Ratio)
      Cost += C.EqualInputs
                  ? formatv(" ({0} input{1})", C.EqualInputs, C.EqualInputs == 1 ? "" : "s").str()
                  : " (fit at " + formatCount(C.At) + ")";
    std::string Grows = describeGrowth(C.GrowthBefore), Now = describeGrowth(C.GrowthAfter);
    if (Growth)
      Grows += " -> " + Now;
    else if (C.Grows == GrowthChange::Unknown)
      Grows = "not known";
    WithColor(OS, Worse ? raw_ostream::RED : raw_ostream::GREEN) << formatv("{0,-21}", Cost);
    OS << formatv(" {0,-40} ", Grows) << routineName(R)
       << (R.File.empty() ? "" : "  " + printable(Names.lookup(R.File)))
       << (R.Line ? ":" + std::to_string(R.Line) : "") << '\n';
  }
  if (!Shown)
    OS << "Nothing changed: " << Diff.Changes.size() << " routines cost and grow as before.\n";
  if (Left)
    OS << "... " << Left << " more; --top=0 shows all\n";
  auto List = [&](const char *What, const InputModel &M, ArrayRef<unsigned> Indices) {
    if (Indices.empty())
      return;
    OS << What;
    for (unsigned I : Indices.take_front(10))
      OS << ' ' << routineName(M.Routines[I]);
    OS << (Indices.size() > 10 ? " ..." : "") << '\n';
  };
  List("Before alone:", *Before, Diff.Vanished);
  List("After alone:", *After, Diff.Added);
  return Error::success();
}

} // namespace causal
