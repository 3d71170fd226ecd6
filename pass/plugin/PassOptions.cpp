//===- PassOptions.cpp - Options of the pass plugin -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/PassOptions.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::list<std::string> OptProgress("causal-progress",
                                         cl::desc("Functions whose calls are units of work"),
                                         cl::CommaSeparated, cl::Hidden);
static cl::opt<bool> OptModuleSetup("causal-module-setup",
                                    cl::desc("Register the image with the runtime"), cl::init(true),
                                    cl::Hidden);
static cl::opt<bool> OptSync("causal-sync",
                             cl::desc("Retarget synchronisation functions to the runtime"),
                             cl::init(true), cl::Hidden);
static cl::opt<bool> OptLineTable("causal-line-table", cl::desc("Emit the line table"),
                                  cl::init(true), cl::Hidden);

static cl::opt<unsigned> OptInput("causal-input",
                                  cl::desc("Input-sensitive profiling, with cells of 4 or 8 bytes"),
                                  cl::init(0), cl::Hidden);
static cl::opt<bool> OptInputEliminate("causal-input-eliminate",
                                       cl::desc("Leave out checks that can change no profile"),
                                       cl::init(true), cl::Hidden);
static cl::opt<bool> OptInputBlocks("causal-input-blocks", cl::desc("Count cost in basic blocks"),
                                    cl::init(false), cl::Hidden);
static cl::opt<bool> OptCount("causal-count", cl::desc("Count each basic block"), cl::init(false),
                              cl::Hidden);

causal::PassOptions causal::passOptions() {
  MemoryOptions Memory{OptInput == 8u ? 8u : 4u, OptInputEliminate, OptInputBlocks};
  return {OptProgress, OptModuleSetup, OptSync, OptLineTable, OptInput != 0, Memory, OptCount};
}
