//===- LibcModels.cpp - Calls of libc that have a model -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libc is not instrumented: what its functions read and write is told by the runtime's
// models of them. A function that the module defines under such a name, or that has another
// type, is the program's.
//
//===----------------------------------------------------------------------===//
#include "memory/MemoryInstrumentation.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

struct Model {
  StringLiteral Name, Target, Type;
};

const Model Models[] = {
#define CAUSAL_INPUT_MODEL(Name, Type) {#Name, "__causal_model_" #Name, Type},
#include "causal/InputABI.def"
};

struct Spelling {
  StringLiteral Name, Model;
};

const Spelling Spellings[] = {
#define CAUSAL_INPUT_SPELLING(Name, Model) {#Name, #Model},
#include "causal/InputABI.def"
};

bool isType(const Type &T, char Letter) {
  switch (Letter) {
  case 'v':
    return T.isVoidTy();
  case 'i':
    return T.isIntegerTy(32);
  case 'l':
    return T.isIntegerTy(64);
  case 'p':
    return T.isPointerTy();
  case 'f':
    return T.isFloatTy();
  case 'd':
    return T.isDoubleTy();
  default:
    return false;
  }
}

bool matches(const FunctionType &T, StringRef Letters) {
  bool Varies = Letters.consume_back(".");
  if (T.isVarArg() != Varies || T.getNumParams() + 1 != Letters.size() ||
      !isType(*T.getReturnType(), Letters[0]))
    return false;
  for (unsigned I = 0; I < T.getNumParams(); ++I)
    if (!isType(*T.getParamType(I), Letters[I + 1]))
      return false;
  return true;
}

void retarget(Module &M, StringRef Name, const Model &To) {
  Function *F = M.getFunction(Name);
  if (!F || !F->isDeclaration() || !matches(*F->getFunctionType(), To.Type))
    return;
  FunctionCallee Target = M.getOrInsertFunction(To.Target, F->getFunctionType());
  F->replaceUsesWithIf(Target.getCallee(), [](Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    return Call && Call->isCallee(&U);
  });
}

} // namespace

void causal::retargetModels(Module &M) {
  for (const Model &Which : Models) {
    retarget(M, Which.Name, Which);
    for (const Spelling &Other : Spellings)
      if (Other.Model == Which.Name)
        retarget(M, Other.Name, Which);
  }
}
