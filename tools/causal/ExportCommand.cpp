//===- ExportCommand.cpp - causal export ----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "lib/export/CozExport.h"
#include "lib/export/PprofExport.h"

using namespace llvm;

namespace causal {

cl::SubCommand ExportCommand("export", "Convert a profile for another tool");

namespace {
enum class ExportFormat { Coz, Pprof };
}

static cl::list<std::string> Inputs(cl::Positional, cl::desc("[profile...]"),
                                    cl::sub(ExportCommand), cl::cat(Options));
static cl::opt<ExportFormat> Format(
    "format", cl::Required, cl::desc("Format to write"),
    cl::values(clEnumValN(ExportFormat::Coz, "coz", "Coz's text format"),
               clEnumValN(ExportFormat::Pprof, "pprof", "the samples, for pprof and its friends")),
    cl::sub(ExportCommand), cl::cat(Options));
static cl::opt<std::string> Output("o", cl::init("-"), cl::value_desc("file"),
                                   cl::desc("Where to write (default: standard output)"),
                                   cl::sub(ExportCommand), cl::cat(Options));
static cl::opt<bool> NoPhase("no-phase-correction",
                             cl::desc("Make readers' phase correction a factor of 1"),
                             cl::sub(ExportCommand), cl::cat(Options));

Error runExport() {
  Expected<Profile> P = readRuns(Inputs, {RunMode::Causal}, "causal export");
  if (!P)
    return P.takeError();
  ModelOptions Model;
  Model.PhaseCorrection = !NoPhase;
  return writeToOutput(Output, [&](raw_ostream &OS) {
    return Format == ExportFormat::Coz ? exportCoz(*P, Model, OS) : exportPprof(*P, OS);
  });
}

} // namespace causal
