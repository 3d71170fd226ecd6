//===- LibcModels.cpp - Calls of libc that have a model -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libc is not instrumented: what its functions read and write is told by the runtime's
// models of them. A function that the module defines under such a name is the program's.
//
//===----------------------------------------------------------------------===//
#include "memory/MemoryInstrumentation.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

struct Model {
  StringLiteral Name, Target;
};

const Model Models[] = {
#define CAUSAL_INPUT_MODEL(Name) {#Name, "__causal_input_" #Name},
#define CAUSAL_INPUT_SPELLING(Name, Model) {#Name, "__causal_input_" #Model},
#include "causal/InputABI.def"
};

} // namespace

void causal::retargetModels(Module &M) {
  for (const Model &Which : Models) {
    Function *F = M.getFunction(Which.Name);
    if (!F || !F->isDeclaration())
      continue;
    FunctionCallee Target = M.getOrInsertFunction(Which.Target, F->getFunctionType());
    F->replaceUsesWithIf(Target.getCallee(), [](Use &U) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      return Call && Call->isCallee(&U);
    });
  }
}
