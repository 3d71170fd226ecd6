//===- ExportDatabaseCommand.cpp - causal db export -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "db/DatabaseCommands.h"
#include "lib/container/SourceText.h"
#include "lib/continuous/TableExport.h"
#include "lib/export/DatabasePprof.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace causal::continuous;

namespace causal {

cl::SubCommand DbExportCommand("db export", "Convert a database for another tool");

namespace {
enum class ExportTo { CSV, Pprof };
}

static cl::opt<std::string> Path(cl::Positional, cl::Required, cl::desc("<database>"),
                                 cl::sub(DbExportCommand), cl::cat(Options));
static cl::opt<ExportTo> Format(
    "format", cl::Required, cl::desc("What to write"),
    cl::values(clEnumValN(ExportTo::CSV, "csv",
                          "tables, for the SQL in share/causal; -o is a directory"),
               clEnumValN(ExportTo::Pprof, "pprof", "CPU samples, for pprof and its friends")),
    cl::sub(DbExportCommand), cl::cat(Options));
static cl::opt<std::string> Output("o", cl::Required, cl::value_desc("path"),
                                   cl::desc("Where to write"), cl::sub(DbExportCommand),
                                   cl::cat(Options));

Error runDbExport() {
  auto DB = readDatabase(Path);
  if (!DB)
    return DB.takeError();
  Symbols Names;
  Error Failed = Format == ExportTo::CSV ? exportTables(*DB, Names, Output)
                                         : writeToOutput(Output, [&](raw_ostream &OS) {
                                             return exportPprof(*DB, Event::CPU, Names, OS);
                                           });
  warnOfProblems(Names);
  return Failed;
}

} // namespace causal
