//===- ExportCommand.cpp - causal export ----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "cpu/CPUReport.h"
#include "lib/container/RunModes.h"
#include "lib/export/CPUExport.h"
#include "lib/export/CozExport.h"
#include "lib/export/PprofExport.h"

using namespace llvm;

namespace causal {

cl::SubCommand ExportCommand("export", "Convert a profile for another tool");

namespace {
enum class ExportFormat { Coz, Pprof, Folded, Speedscope, Firefox, Perfetto };
}

static cl::list<std::string> Inputs(cl::Positional, cl::desc("[profile...]"),
                                    cl::sub(ExportCommand), cl::cat(Options));
static cl::opt<ExportFormat> Format(
    "format", cl::Required, cl::desc("Format to write"),
    cl::values(clEnumValN(ExportFormat::Coz, "coz", "Coz's text format (mode=causal)"),
               clEnumValN(ExportFormat::Pprof, "pprof",
                          "for pprof and its friends: samples, or stacks (mode=cpu)"),
               clEnumValN(ExportFormat::Folded, "folded", "a line for each stack (mode=cpu)"),
               clEnumValN(ExportFormat::Speedscope, "speedscope", "for speedscope (mode=cpu)"),
               clEnumValN(ExportFormat::Firefox, "firefox",
                          "for the Firefox Profiler: its processed format (mode=cpu)"),
               clEnumValN(ExportFormat::Perfetto, "perfetto",
                          "trace events for Perfetto and Chrome: threads' states (mode=cpu)")),
    cl::sub(ExportCommand), cl::cat(Options));
static cl::opt<RunMode> OnlyMode("mode", cl::desc("Which runs, where a format fits several modes"),
                                 cl::values(clEnumValN(RunMode::Causal, "causal", "their samples"),
                                            clEnumValN(RunMode::CPU, "cpu", "their stacks")),
                                 cl::sub(ExportCommand), cl::cat(Options));
static cl::opt<std::string> Output("o", cl::init("-"), cl::value_desc("file"),
                                   cl::desc("Where to write (default: standard output)"),
                                   cl::sub(ExportCommand), cl::cat(Options));
static cl::opt<bool> NoPhase("no-phase-correction",
                             cl::desc("Make readers' phase correction a factor of 1"),
                             cl::sub(ExportCommand), cl::cat(Options));

namespace {

/// The mode of the runs that the format is of.
Expected<RunMode> chooseMode(const Profile &P) {
  if (Format == ExportFormat::Coz)
    return RunMode::Causal;
  if (Format != ExportFormat::Pprof)
    return RunMode::CPU;
  if (OnlyMode.getNumOccurrences())
    return OnlyMode.getValue();
  std::vector<RunMode> Modes = modesOf(P);
  bool CPU = is_contained(Modes, RunMode::CPU), Causal = is_contained(Modes, RunMode::Causal);
  if (CPU && Causal)
    return createStringError(inconvertibleErrorCode(),
                             "--format=pprof is for runs of one mode, and this profile has " +
                                 describeModes(P) + ": name one with --mode=");
  return CPU ? RunMode::CPU : RunMode::Causal;
}

Error exportCPU(const Profile &P, raw_ostream &OS) {
  cpu::CPUProfile Read = cpu::loadCPU(P);
  switch (Format) {
  case ExportFormat::Folded:
    return cpu::exportFolded(Read, OS);
  case ExportFormat::Speedscope:
    return cpu::exportSpeedscope(Read, OS);
  case ExportFormat::Firefox:
    return cpu::exportFirefox(Read, OS);
  case ExportFormat::Perfetto:
    return cpu::exportTrace(Read, OS);
  case ExportFormat::Coz:
  case ExportFormat::Pprof:
    break;
  }
  return cpu::exportPprof(Read, OS);
}

} // namespace

Error runExport() {
  Expected<Profile> All = readProfile(Inputs);
  if (!All)
    return All.takeError();
  Expected<RunMode> Mode = chooseMode(*All);
  if (!Mode)
    return Mode.takeError();
  Expected<Profile> P = selectModes(std::move(*All), {*Mode}, "this export");
  if (!P)
    return P.takeError();
  ModelOptions Model;
  Model.PhaseCorrection = !NoPhase;
  return writeToOutput(Output, [&](raw_ostream &OS) {
    if (*Mode == RunMode::CPU)
      return exportCPU(*P, OS);
    return Format == ExportFormat::Coz ? exportCoz(*P, Model, OS) : exportPprof(*P, OS);
  });
}

} // namespace causal
