//===- LineTableHook.cpp - Puts the line table into code generation -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "line_table/LineTableHook.h"

#include "counters/BlockCounters.h"
#include "line_table/LineTableRecorder.h"
#include "plugin/PassOptions.h"
#include "plugin/RuntimeInterface.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace llvm;

/// The target as it was: the pointer to its constructor is private, but a copy
/// still calls it.
static Target Original;

static AsmPrinter *createPrinter(TargetMachine &TM, std::unique_ptr<MCStreamer> &&Streamer) {
  AsmPrinter *Printer = Original.createAsmPrinter(TM, std::move(Streamer));
  if (Printer && causal::isSupported(TM.getTargetTriple())) {
    causal::LineTableRecorder::attach(*Printer);
    if (causal::passOptions().Count)
      causal::BlockCounters::attach(*Printer);
  }
  return Printer;
}

void causal::installLineTableHook() {
  static std::mutex Lock;
  static bool Installed;
  std::lock_guard<std::mutex> Guard(Lock);
  if (Installed)
    return;
  std::string Error;
  // The registry hands out const targets, but registering takes a mutable one.
  auto *X86 = const_cast<Target *>(TargetRegistry::lookupTarget("x86_64-unknown-linux-gnu", Error));
  if (!X86 || !X86->hasTargetMachine())
    return;
  Original = *X86;
  TargetRegistry::RegisterAsmPrinter(*X86, createPrinter);
  Installed = true;
}

/// For hosts that load the plugin as a plain library and run none of its
/// passes, such as llc -load.
static const bool InstalledAtLoad = (causal::installLineTableHook(), true);
