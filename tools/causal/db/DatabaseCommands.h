//===- DatabaseCommands.h - causal db and causal daemon ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commands on continuous databases. Their names are two words, "db prof", which causal.cpp
// makes one before it looks for a command.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_DATABASECOMMANDS_H
#define CAUSAL_TOOL_DATABASECOMMANDS_H

#include "Commands.h"
#include "lib/continuous/Collector.h"
#include "lib/continuous/Shares.h"

namespace causal {

struct DatabaseCommand {
  llvm::cl::SubCommand &Sub;
  llvm::Error (*Run)();
};
llvm::ArrayRef<DatabaseCommand> databaseCommands();

extern llvm::cl::SubCommand DbCollectCommand, DbProfCommand, DbStatsCommand, DbDiffCommand,
    DbCatCommand, DbMergeCommand, DbPushCommand, DbExportCommand, DbShareCommand, DaemonCommand;
llvm::Error runDbCollect();
llvm::Error runDbProf();
llvm::Error runDbStats();
llvm::Error runDbDiff();
llvm::Error runDbCat();
llvm::Error runDbMerge();
llvm::Error runDbPush();
llvm::Error runDbExport();
llvm::Error runDbShare();
llvm::Error runDaemon();

/// By instruction (InstructionCommands.cpp).
extern llvm::cl::SubCommand DbListCommand, DbCalcCommand, DbStallsCommand, DbCalibrateCommand,
    DbProbeCommand, DbCountCommand;
llvm::Error runDbList();
llvm::Error runDbCalc();
llvm::Error runDbStalls();
llvm::Error runDbCalibrate();
llvm::Error runDbProbe();
llvm::Error runDbCount();

/// A warning on stderr, with the escapes of a terminal taken out.
void warnOf(const llvm::Twine &Message);
/// Reads with warnings on stderr.
llvm::Expected<continuous::Database> readDatabase(llvm::StringRef Path,
                                                  const continuous::Selection &Which = {});
/// Says which images have no names, and why.
void warnOfProblems(const continuous::Symbols &Names);

/// One round for the user, and, where root runs this, one for each other user with segments.
llvm::Expected<continuous::Collected> collectForAll(const std::string &Path,
                                                    const continuous::CollectOptions &Options,
                                                    const continuous::Delta *More = nullptr);
/// Bounds as DB/settings says (db_max_mb=, keep_days=), else the defaults.
continuous::CollectOptions collectOptions(const std::string &Path);

/// `causal report` of a database: text or JSON to stdout, or a page to the file \p Page.
llvm::Error reportOnDatabase(llvm::StringRef Path, llvm::StringRef Page, bool JSON);
/// One page of HTML without scripts: images, functions and lines with most samples.
void writeDatabasePage(llvm::StringRef Title, const continuous::Shares &Images,
                       const continuous::Shares &Functions, const continuous::Shares &Lines,
                       llvm::raw_ostream &OS);

} // namespace causal

#endif // CAUSAL_TOOL_DATABASECOMMANDS_H
