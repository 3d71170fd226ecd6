//===- CheckTarget.cpp - Warning about the target -------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/CheckTarget.h"

#include "plugin/RuntimeInterface.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

class UnsupportedTarget : public DiagnosticInfo {
public:
  explicit UnsupportedTarget(const Module &M)
      : DiagnosticInfo(getNextAvailablePluginDiagnosticKind(), DS_Warning), M(M) {}

  void print(DiagnosticPrinter &Out) const override {
    Out << "causal: nothing is instrumented for " << M.getTargetTriple()
        << ", only x86-64 Linux is supported; leave out -fcausal-profile here";
  }

private:
  const Module &M;
};

} // namespace

PreservedAnalyses causal::CheckTargetPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isSupported(Triple(M.getTargetTriple())))
    M.getContext().diagnose(UnsupportedTarget(M));
  return PreservedAnalyses::all();
}
