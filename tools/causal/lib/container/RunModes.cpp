//===- RunModes.cpp -------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/RunModes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <iterator>

using namespace llvm;

namespace causal {

namespace {

constexpr StringLiteral Names[] = {"causal", "cpu", "input", "other"};

struct RecordType {
  StringLiteral Name, Modes; ///< Modes: of runs that write it.
};
constexpr RecordType RecordTypes[] = {
#define CAUSAL_RECORD(Record, Type, Modes, Doc) {Type, Modes},
#include "causal/ProfileFormat.def"
};

} // namespace

const char *toString(RunMode Mode) { return Names[unsigned(Mode)].data(); }

RunMode modeNamed(StringRef Name) {
  const StringLiteral *It = find(Names, Name);
  return It == std::end(Names) ? RunMode::Other : RunMode(It - std::begin(Names));
}

std::optional<RunMode> modeOfRecord(StringRef Type) {
  const RecordType *Found =
      find_if(RecordTypes, [&](const RecordType &Each) { return Each.Name == Type; });
  if (Found == std::end(RecordTypes) || Found->Modes == "any" || Found->Modes == "causal")
    return std::nullopt;
  return modeNamed(Found->Modes.split('|').first);
}

std::vector<RunMode> modesOf(const Profile &P) {
  std::vector<RunMode> Modes;
  for (const Run &R : P.runs())
    if (!is_contained(Modes, R.Mode))
      Modes.push_back(R.Mode);
  llvm::sort(Modes);
  return Modes;
}

std::string describeModes(const Profile &P) {
  std::vector<std::string> Parts;
  for (RunMode Mode : modesOf(P)) {
    auto Number = count_if(P.runs(), [&](const Run &R) { return R.Mode == Mode; });
    Parts.push_back((Twine(Number) + (Number == 1 ? " run" : " runs") + " of " +
                     (Mode == RunMode::Other ? "another mode" : Twine("mode=") + toString(Mode)))
                        .str());
  }
  std::string Last = Parts.empty() ? "no run" : Parts.back();
  if (Parts.size() < 2)
    return Last;
  return join(Parts.begin(), Parts.end() - 1, ", ") + " and " + Last;
}

Expected<Profile> selectModes(Profile P, ArrayRef<RunMode> Modes, StringRef Command) {
  auto Fits = [&](const Run &R) { return is_contained(Modes, R.Mode); };
  if (all_of(P.runs(), Fits))
    return P;
  if (any_of(P.runs(), Fits))
    return P.select(Fits);
  std::vector<std::string> Wanted;
  for (RunMode Mode : Modes)
    Wanted.push_back((Twine("mode=") + toString(Mode)).str());
  std::string Uses = join(Wanted, " or ");
  return createStringError(
      inconvertibleErrorCode(),
      Command + " uses runs of " + Uses + "; this profile has " + describeModes(P) +
          ". Run the program with CAUSAL_OPTIONS=" + Wanted.front() + ", or use causal report");
}

} // namespace causal
