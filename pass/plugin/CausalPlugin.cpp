//===- CausalPlugin.cpp - Entry point of the pass plugin ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CausalPass.so: loaded by clang (-fpass-plugin=), opt (-load-pass-plugin=) and lld
// (--load-pass-plugin=). It links no LLVM library: the host has the symbols.
//
//===----------------------------------------------------------------------===//
#include "line_table/LineTableHook.h"
#include "line_table/LoopLocations.h"
#include "memory/MemoryInstrumentation.h"
#include "plugin/CheckTarget.h"
#include "plugin/ModuleSetup.h"
#include "plugin/PassOptions.h"
#include "progress/ProgressPoints.h"
#include "sync/JobDispatch.h"
#include "sync/SpinLoops.h"
#include "sync/SyncInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

using namespace llvm;
using namespace causal;

// Nearly everything is done at the start of the pipeline, at compile time: a link-time
// optimiser finds it in the bitcode, and only the line table is left to do there.
static void addPasses(ModulePassManager &MPM, OptimizationLevel) {
  PassOptions Options = passOptions();
  MPM.addPass(CheckTargetPass());
  if (Options.Input) {
    MPM.addPass(NoLineTablePass());
    return;
  }
  if (Options.Sync)
    MPM.addPass(SyncInstrumentationPass());
  if (!Options.Progress.empty())
    MPM.addPass(ProgressPointsPass(Options.Progress));
  if (Options.ModuleSetup)
    MPM.addPass(ModuleSetupPass());
  if (!Options.LineTable)
    MPM.addPass(NoLineTablePass());
}

// Loops are looked at when functions that read atomics are inlined, but before any loop
// is unrolled. Looking again finds the calls, and does nothing.
static void addMeetings(FunctionPassManager &FPM) {
  FPM.addPass(SpinLoopsPass(/*MarkedOnly=*/true));
  FPM.addPass(JobDispatchPass(/*MarkedOnly=*/true));
}
static void addFunctionPasses(FunctionPassManager &FPM, OptimizationLevel) {
  PassOptions Options = passOptions();
  if (Options.Sync && !Options.Input)
    addMeetings(FPM);
}
static void addLastPasses(ModulePassManager &MPM, OptimizationLevel Level) {
  PassOptions Options = passOptions();
  if (Options.Input) {
    MPM.addPass(MemoryInstrumentationPass(Options.Memory));
    return;
  }
  if (!Options.Sync || Level != OptimizationLevel::O0)
    return;
  FunctionPassManager FPM;
  addMeetings(FPM);
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
}

static bool parseFunctionPass(StringRef Name, FunctionPassManager &FPM,
                              ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "causal-spin-loops")
    FPM.addPass(SpinLoopsPass(/*MarkedOnly=*/false));
  else if (Name == "causal-job-dispatch")
    FPM.addPass(JobDispatchPass(/*MarkedOnly=*/false));
  else
    return false;
  return true;
}

static bool parsePass(StringRef Name, ModulePassManager &MPM,
                      ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "causal-check-target")
    MPM.addPass(CheckTargetPass());
  else if (Name == "causal-sync")
    MPM.addPass(SyncInstrumentationPass());
  else if (Name == "causal-progress")
    MPM.addPass(ProgressPointsPass(passOptions().Progress));
  else if (Name == "causal-module")
    MPM.addPass(ModuleSetupPass());
  else if (Name == "causal-memory")
    MPM.addPass(MemoryInstrumentationPass(passOptions().Memory));
  else if (Name == "causal-no-line-table")
    MPM.addPass(NoLineTablePass());
  else if (Name == "causal-strip-loop-locs")
    MPM.addPass(StripLoopLocationsPass());
  else
    return false;
  return true;
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  installLineTableHook();
  return {LLVM_PLUGIN_API_VERSION, "causal", CAUSAL_VERSION, [](PassBuilder &PB) {
            PB.registerPipelineStartEPCallback(addPasses);
            PB.registerScalarOptimizerLateEPCallback(addFunctionPasses);
            PB.registerOptimizerLastEPCallback(addLastPasses);
            PB.registerPipelineParsingCallback(parsePass);
            PB.registerPipelineParsingCallback(parseFunctionPass);
          }};
}
