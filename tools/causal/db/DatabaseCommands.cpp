//===- DatabaseCommands.cpp - What the commands of causal db share --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "db/DatabaseCommands.h"
#include "lib/container/SourceText.h"

#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace causal {

ArrayRef<DatabaseCommand> databaseCommands() {
  static const DatabaseCommand All[] = {
      {DaemonCommand, runDaemon},           {DbCalcCommand, runDbCalc},
      {DbCalibrateCommand, runDbCalibrate}, {DbCatCommand, runDbCat},
      {DbCollectCommand, runDbCollect},     {DbCountCommand, runDbCount},
      {DbDiffCommand, runDbDiff},           {DbExportCommand, runDbExport},
      {DbListCommand, runDbList},           {DbMergeCommand, runDbMerge},
      {DbProbeCommand, runDbProbe},         {DbProfCommand, runDbProf},
      {DbPushCommand, runDbPush},           {DbShareCommand, runDbShare},
      {DbStallsCommand, runDbStalls},       {DbStatsCommand, runDbStats},
  };
  return All;
}

void warnOf(const Twine &Message) {
  WithColor::warning(errs(), "causal") << printable(Message.str()) << '\n';
}

Expected<continuous::Database> readDatabase(StringRef Path, const continuous::Selection &Which) {
  if (size_t N = continuous::segmentsWaiting(Path.str()))
    warnOf(Twine(N) + " processes have samples that are not collected yet: causal db collect " +
           Path);
  return continuous::Database::read(Path, Which, warnOf);
}

void warnOfProblems(const continuous::Symbols &Names) {
  constexpr unsigned Most = 3;
  unsigned Said = 0;
  auto Problems = Names.problems();
  for (const auto &[Path, Why] : Problems) {
    if (StringRef(Path).starts_with("["))
      continue; // Never was a file.
    if (++Said > Most)
      break;
    warnOf("no names for " + Path + ": " + Why);
  }
  if (Said > Most)
    warnOf("nor for some other images");
}

} // namespace causal
