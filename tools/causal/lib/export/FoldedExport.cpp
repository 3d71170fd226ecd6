//===- FoldedExport.cpp - One line for each stack -------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/SourceText.h"
#include "lib/cpu/FrameNames.h"
#include "lib/export/CPUExport.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace llvm;

namespace causal::cpu {

std::string stateFrame(State S) {
  return S == State::CPU ? "" : ("[off:" + toString(S) + "]").str();
}

std::string threadTitle(const Thread &T) {
  std::string Name = printable(T.Name);
  return Name.empty() ? "thread " + std::to_string(T.Tid)
                      : Name + " (" + std::to_string(T.Tid) + ")";
}

Error checkHasCharges(const CPUProfile &P) {
  if (!P.Charges.empty())
    return Error::success();
  return createStringError(inconvertibleErrorCode(),
                           "there is no stack to export: the program was killed before its first "
                           "snapshot; causal report says more");
}

/// A semicolon ends a frame.
static std::string inFolded(std::string Name) {
  std::replace(Name.begin(), Name.end(), ';', ':');
  return Name;
}

Error exportFolded(const CPUProfile &P, raw_ostream &OS) {
  if (Error E = checkHasCharges(P))
    return E;
  std::map<std::string, Time> Sums; // Threads of one name are one.
  for (const Charge &C : P.Charges) {
    const Thread &T = P.Threads[C.Thread];
    std::string Line = inFolded(T.Name.empty() ? threadTitle(T) : printable(T.Name));
    if (P.Stacks[C.Stack].Truncated)
      Line += ";[truncated]";
    std::vector<unsigned> Places = P.placesOf(C.Stack);
    for (unsigned Place : reverse(Places))
      Line += ";" + inFolded(nameOf(P, P.Places[Place]));
    if (Places.empty())
      Line += ";[no stack]";
    if (C.In != State::CPU)
      Line += ";" + stateFrame(C.In);
    Sums[Line] += C.Ns;
  }
  for (auto &[Line, Ns] : Sums)
    OS << Line << ' ' << Ns.ns() << '\n';
  return Error::success();
}

} // namespace causal::cpu
