//===- CausalFrontend.cpp - Front-end plugin: locations without -g --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CausalFrontend.so, for clang's -fplugin=. Makes clang keep source locations
// in the IR, for which no flag exists that does not also ask for DWARF, and
// loads the pass plugin that lies beside it. It is a library of its own because
// it needs symbols of clang, which opt and lld do not have.
//
//===----------------------------------------------------------------------===//
#include "line_table/LoopLocations.h"
#include "plugin/RuntimeInterface.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace clang;

namespace {

constexpr llvm::StringLiteral PassPluginName = "CausalPass.so";

/// The pass plugin in the directory of this library.
std::string passPluginPath() {
  static const char Here = 0;
  Dl_info Info;
  if (!dladdr(&Here, &Info) || !Info.dli_fname)
    return PassPluginName.str();
  llvm::SmallString<256> Path(llvm::sys::path::parent_path(Info.dli_fname));
  llvm::sys::path::append(Path, PassPluginName);
  return std::string(Path);
}

/// Loads the pass plugin before clang reads -mllvm options, so that ours are
/// known. clang reports a failure when it loads the plugin itself.
const bool Preloaded = llvm::sys::DynamicLibrary::LoadLibraryPermanently(passPluginPath().c_str());

/// Selects the analysis of variable locations that leaves functions without DWARF
/// alone. The default one works through them for nothing: 2 to 3 % of a compilation.
void skipVariableLocations() {
  auto &Options = llvm::cl::getRegisteredOptions();
  auto It = Options.find("experimental-debug-variable-locations");
  // What the user says holds; and it is no more than a matter of speed.
  if (It != Options.end() && It->second->getNumOccurrences() == 0)
    It->second->addOccurrence(0, It->first(), "false");
}

void trackLocations(CodeGenOptions &Options) {
  // Any other kind is the user's own debug information, which has the
  // locations.
  if (Options.getDebugInfo() != llvm::codegenoptions::NoDebugInfo)
    return;
  Options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  // The table has lines alone, and fewer locations are less to carry along.
  Options.DebugColumnInfo = 0;
  skipVariableLocations();
  Options.PassBuilderCallbacks.push_back([](llvm::PassBuilder &PB) {
    PB.registerPipelineStartEPCallback([](llvm::ModulePassManager &MPM, llvm::OptimizationLevel) {
      MPM.addPass(causal::StripLoopLocationsPass());
    });
  });
}

/// The command line may name the pass plugin as well, so that inputs without a
/// front end (bitcode) get it too. Under whatever path, it is taken once.
void loadPassPlugin(CodeGenOptions &Options) {
  for (const std::string &Path : Options.PassPlugins)
    if (llvm::sys::path::filename(Path) == PassPluginName)
      return;
  Options.PassPlugins.push_back(passPluginPath());
}

class CausalAction : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    return std::make_unique<ASTConsumer>();
  }

  // Called with the options complete and before code generation starts: the one
  // point at which a plugin can change them. The const is the interface's.
  bool ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Args) override {
    DiagnosticsEngine &Diags = CI.getDiagnostics();
    for (const std::string &Arg : Args) {
      Diags.Report(Diags.getCustomDiagID(
          DiagnosticsEngine::Error, "the causal plugin takes no arguments, and was given '%0'"))
          << Arg;
      return false;
    }
    auto &Options = const_cast<CompilerInstance &>(CI).getCodeGenOpts();
    if (causal::isSupported(CI.getTarget().getTriple()))
      trackLocations(Options);
    loadPassPlugin(Options);
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

static FrontendPluginRegistry::Add<CausalAction>
    Register("causal", "tracks source locations for the causal profiler");
