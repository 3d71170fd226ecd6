//===- MergeCommand.cpp - causal merge ------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "lib/container/BuildMatch.h"
#include "lib/container/Merge.h"
#include "lib/input/InputModel.h"

using namespace llvm;

namespace causal {

cl::SubCommand MergeCommand("merge", "Put several profiles into one file");

static cl::list<std::string> Inputs(cl::Positional, cl::OneOrMore, cl::desc("<profile>..."),
                                    cl::sub(MergeCommand), cl::cat(Options));
static cl::opt<std::string> Output("o", cl::Required, cl::value_desc("file"),
                                   cl::desc("Where to write; - for standard output"),
                                   cl::sub(MergeCommand), cl::cat(Options));

static cl::opt<bool> Force("force", cl::desc("Merge builds that do not match as well"),
                           cl::sub(MergeCommand), cl::cat(Options));

Error runMerge() {
  Merger Merged;
  Expected<Profile> P = readBuilds(Inputs, [&](const Experiment &E) { Merged.take(E); });
  if (!P)
    return P.takeError();
  if (!Force)
    if (Error E = checkBuilds(*P))
      return joinErrors(std::move(E), createStringError(inconvertibleErrorCode(),
                                                        "--force merges them all the same"));
  if (Error E = checkInputRuns(*P))
    return E;
  // By way of a temporary file, so that the output may be one of the inputs.
  return writeToOutput(Output, [&](raw_ostream &OS) {
    Merged.write(*P, OS);
    return Error::success();
  });
}

} // namespace causal
