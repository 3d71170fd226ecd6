//===- CommandLine.cpp - Arguments in, arguments out ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds our options with clang's option table, so that `-o -fcausal-profile` or
// anything after `--` is not mistaken for one, takes them out and adds the
// flags that profiling needs. Added flags go before the user's, who can
// override them.
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"

#include "Action.h"
#include "InstrumentedInputs.h"
#include "clang/Driver/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace llvm;
using namespace llvm::opt;
namespace options = clang::driver::options;

namespace causal {
namespace {

/// Our own options, and which arguments they were.
struct OwnOptions {
  bool Profile = false;
  bool Given = false;     ///< The flag, or that there is none.
  unsigned InputCell = 0; ///< Input-sensitive profiling with cells of so many bytes.
  std::string InputCost;  ///< What its costs are counted in; empty: instructions.
  std::string Unknown;    ///< -fcausal-profile= of what is not known.
  bool Flow = false;      ///< With the map of basic blocks.
  bool Count = false;     ///< And counters in them.
  Command::Kind What = Command::Kind::Run;
  std::string Clang;
  std::vector<std::string> Progress; ///< Comma-separated lists of functions.
  SmallVector<unsigned, 4> Indices;
};

OwnOptions findOwnOptions(const InputArgList &Args) {
  OwnOptions Own;
  for (const Arg *A : Args.filtered(options::OPT_UNKNOWN)) {
    StringRef Text = A->getValue();
    Own.Given |= Text.starts_with("-fcausal-profile") || Text == "-fno-causal-profile";
    if (Text == "-fcausal-profile") {
      Own.Profile = true;
      Own.InputCell = 0;
      Own.Flow = Own.Count = false;
    } else if (Text.consume_front("-fcausal-profile=")) {
      Own.Profile = true;
      Own.InputCell = Text == "input" ? 4 : Text == "input-fast" ? 8 : 0;
      Own.Count = Text == "count";
      Own.Flow = Own.Count || Text == "cpi";
      if (!Own.InputCell && !Own.Flow)
        Own.Unknown = Text.str();
    } else if (Text.consume_front("-fcausal-input-cost="))
      Own.InputCost = Text.str();
    else if (Text == "-fno-causal-profile")
      Own.Profile = false;
    else if (Text == "--causal-print-command")
      Own.What = Command::Kind::PrintCommand;
    else if (Text == "--causal-print-flags")
      Own.What = Command::Kind::PrintFlags;
    else if (Text == "--causal-help")
      Own.What = Command::Kind::Help;
    else if (Text.consume_front("-fcausal-progress="))
      Own.Progress.push_back(Text.str());
    else if (Text.consume_front("--causal-clang="))
      Own.Clang = Text.str();
    else
      continue;
    Own.Indices.push_back(A->getIndex());
  }
  return Own;
}

/// argv[0] for the real clang: its directory and the name we were called by, so
/// that clang picks driver mode, target and the name in its messages from it.
std::string programName(StringRef Clang, StringRef CalledAs) {
  StringRef Name = sys::path::filename(CalledAs);
  Name.consume_front("causal-");
  SmallString<128> Path = sys::path::parent_path(Clang);
  sys::path::append(Path, Name);
  return Path.str().str();
}

/// Adds \p Words for the linker. -Wl, splits at commas, which a path may have.
void addLinkerWords(std::vector<std::string> &Flags, ArrayRef<std::string> Words) {
  bool HasComma = any_of(Words, [](StringRef W) { return W.contains(','); });
  if (!HasComma) {
    Flags.push_back("-Wl," + join(Words, ","));
    return;
  }
  for (const std::string &Word : Words)
    Flags.insert(Flags.end(), {"-Xlinker", Word});
}

/// The runtime for what is profiled.
std::string runtimeFile(const OwnOptions &Own, bool Static) {
  if (Own.InputCell)
    return Own.InputCell == 8 ? "/clang_rt.causal_input_fast-x86_64.o"
                              : "/clang_rt.causal_input-x86_64.o";
  return Static ? "/clang_rt.causal_static-x86_64.o" : "/clang_rt.causal-x86_64.o";
}

Expected<std::vector<std::string>> inputFlags(const OwnOptions &Own) {
  std::vector<std::string> Flags = {"-Xclang", "-mllvm", "-Xclang",
                                    "-causal-input=" + std::to_string(Own.InputCell)};
  if (Own.InputCost == "blocks")
    Flags.insert(Flags.end(), {"-Xclang", "-mllvm", "-Xclang", "-causal-input-blocks"});
  else if (!Own.InputCost.empty() && Own.InputCost != "instructions")
    return createStringError(inconvertibleErrorCode(),
                             "-fcausal-input-cost=%s: write instructions or blocks",
                             Own.InputCost.c_str());
  return Flags;
}

Expected<std::vector<std::string>> flagsBefore(const Action &Do, const OwnOptions &Own,
                                               const Installation &Install) {
  std::vector<std::string> Flags;
  if (!Own.Unknown.empty())
    return createStringError(inconvertibleErrorCode(),
                             "-fcausal-profile=%s: write input or input-fast, cpi or count, or "
                             "-fcausal-profile alone for all other modes",
                             Own.Unknown.c_str());
  if (Do.GeneratesCode)
    Flags = {"-fplugin=" + Install.LibDir + "/CausalFrontend.so",
             "-fpass-plugin=" + Install.LibDir + "/CausalPass.so"};
  if (Do.GeneratesCode && Own.InputCell) {
    Expected<std::vector<std::string>> Input = inputFlags(Own);
    if (!Input)
      return Input.takeError();
    Flags.insert(Flags.end(), Input->begin(), Input->end());
  }
  if (Do.GeneratesCode && Own.Flow)
    Flags.insert(Flags.end(), {"-fbasic-block-address-map", "-Xclang", "-mllvm", "-Xclang",
                               "-pgo-analysis-map=br-prob"});
  if (Do.GeneratesCode && Own.Count)
    Flags.insert(Flags.end(), {"-Xclang", "-mllvm", "-Xclang", "-causal-count"});
  for (StringRef Functions : Own.Progress) {
    if (Functions.trim(',').empty())
      return createStringError(inconvertibleErrorCode(),
                               "-fcausal-progress= names no function: write, for "
                               "example, -fcausal-progress=handle_request");
    if (Do.GeneratesCode)
      Flags.insert(Flags.end(),
                   {"-Xclang", "-mllvm", "-Xclang", ("-causal-progress=" + Functions).str()});
  }
  if (Do.PreprocessesC)
    Flags.insert(Flags.end(), {"-D__CAUSAL_PROFILE__=1", "-idirafter", Install.IncludeDir});

  if (Do.LinkTimeOptimises && (Do.Links != Output::Nothing || Do.Relocates)) {
    if (Do.With != Linker::LLD)
      return createStringError(inconvertibleErrorCode(),
                               "-fcausal-profile with -flto needs lld, the only linker that "
                               "loads our plugin: add -fuse-ld=lld");
    addLinkerWords(Flags, {"--load-pass-plugin=" + Install.LibDir + "/CausalPass.so"});
  }

  if (Do.Links == Output::Executable || Do.Links == Output::StaticExecutable) {
    bool Static = Do.Links == Output::StaticExecutable;
    if (Static && Own.InputCell)
      return createStringError(inconvertibleErrorCode(),
                               "-fcausal-profile=input cannot be linked with -static: its runtime "
                               "stands between the program and a shared libc. Leave -static out");
    std::string Runtime = Install.LibDir + runtimeFile(Own, Static);
    addLinkerWords(Flags, {Runtime});
    if (Static) // Nothing to interpose on at run time: calls are redirected
                // here.
      addLinkerWords(Flags, {"@" + Runtime + ".wrap"});
    else
      addLinkerWords(Flags, {"--dynamic-list=" + Runtime + ".syms"});
    // Before glibc 2.34 these were libraries of their own.
    if (Do.LinksLibc)
      Flags.insert(Flags.end(), {"-lpthread", "-ldl"});
  }
  return Flags;
}

/// A shared object takes the runtime from the executable, so -z defs must
/// yield.
std::vector<std::string> flagsAfter(const Action &Do) {
  std::vector<std::string> Flags;
  if (Do.Links == Output::SharedObject && Do.RejectsUndefined && Do.With != Linker::Gold)
    addLinkerWords(Flags, {"-z", "undefs"});
  return Flags;
}

/// What a link without the flag needs since what it links was built with it; nothing is compiled
/// with the flag then.
std::optional<Action> findUnmarkedLink(const InputArgList &Args, StringRef ProgramName,
                                       vfs::FileSystem &FS) {
  Expected<Action> Do = classify(Args, ProgramName);
  if (!Do) { // Clang says what it thinks of that.
    consumeError(Do.takeError());
    return std::nullopt;
  }
  if (Do->Links == Output::Nothing || !anyInstrumented(Do->Objects, FS))
    return std::nullopt;
  Do->GeneratesCode = Do->PreprocessesC = false;
  return *Do;
}

/// What the command is for: clang-scan-deps only preprocesses, whatever the
/// compiler's command line says.
enum class Purpose { Compile, ScanDependencies };

Expected<Command> buildFor(Purpose For, ArrayRef<const char *> Argv, const Installation &Install,
                           vfs::FileSystem &FS) {
  Command Result;
  StringRef CalledAs = Argv.empty() ? "causal-clang" : Argv[0];
  Result.Program = Install.Clang;
  Result.Args.push_back(programName(Result.Program, CalledAs));
  ArrayRef<const char *> Rest = Argv.empty() ? Argv : Argv.drop_front();
  Result.Args.insert(Result.Args.end(), Rest.begin(), Rest.end());
  if (!Rest.empty() && StringRef(Rest.front()).starts_with("-cc1"))
    return Result;

  BumpPtrAllocator Storage;
  SmallVector<const char *, 256> Expanded(Rest.begin(), Rest.end());
  cl::ExpansionContext Context(Storage, cl::TokenizeGNUCommandLine);
  if (Error E = Context.setVFS(&FS).expandResponseFiles(Expanded)) {
    // Clang meets the same file, and says the same with its own words.
    consumeError(std::move(E));
    return Result;
  }

  unsigned MissingIndex, MissingCount;
  InputArgList Args = clang::driver::getDriverOptTable().ParseArgs(
      Expanded, MissingIndex, MissingCount, Visibility(options::ClangOption));
  OwnOptions Own = findOwnOptions(Args);
  std::optional<Action> Unmarked;
  if (!Own.Given && For == Purpose::Compile)
    Unmarked = findUnmarkedLink(Args, Result.Args[0], FS);
  if (Own.Indices.empty() && !Unmarked)
    return Result;

  Result.What = Own.What;
  if (!Own.Clang.empty()) {
    Result.Program = Own.Clang;
    Result.Args[0] = programName(Own.Clang, CalledAs);
  }
  Result.Args.resize(1);
  std::vector<std::string> After;
  if (Own.Profile || Unmarked) {
    Expected<Action> Do = Unmarked ? *Unmarked : classify(Args, Result.Args[0]);
    if (!Do)
      return Do.takeError();
    if (For == Purpose::ScanDependencies) {
      Do->GeneratesCode = false;
      Do->Links = Output::Nothing;
    }
    Expected<std::vector<std::string>> Before = flagsBefore(*Do, Own, Install);
    if (!Before)
      return Before.takeError();
    After = flagsAfter(*Do);
    Result.NeedsInstallation = !Before->empty();
    Result.Added = *Before;
    Result.Added.insert(Result.Added.end(), After.begin(), After.end());
    Result.Args.insert(Result.Args.end(), Before->begin(), Before->end());
  }
  // What follows `--` are inputs, so the trailing flags go before it.
  const Arg *DashDash = Args.getLastArg(options::OPT__DASH_DASH);
  for (unsigned I = 0; I < Expanded.size(); ++I) {
    if (DashDash && DashDash->getIndex() == I)
      Result.Args.insert(Result.Args.end(), After.begin(), After.end());
    if (!is_contained(Own.Indices, I))
      Result.Args.push_back(Expanded[I]);
  }
  if (!DashDash)
    Result.Args.insert(Result.Args.end(), After.begin(), After.end());
  return Result;
}

/// `clang-scan-deps OPTION... -- COMPILER ARGUMENT...`, as CMake runs it to find
/// C++20 modules. It knows no option of ours, so a compiler's part that has any
/// becomes what the real clang gets.
Expected<Command> buildScanCommand(ArrayRef<const char *> Argv, const Installation &Install,
                                   vfs::FileSystem &FS) {
  const char *const *DashDash = find_if(Argv, [](StringRef Word) { return Word == "--"; });
  size_t OwnWords = std::min<size_t>(DashDash - Argv.begin() + 1, Argv.size());
  ArrayRef<const char *> CompilerWords = Argv.drop_front(OwnWords);
  Expected<Command> Compiler = buildFor(Purpose::ScanDependencies, CompilerWords, Install, FS);
  if (!Compiler)
    return Compiler.takeError();

  Command Result;
  SmallString<128> Scanner = sys::path::parent_path(Compiler->Program);
  sys::path::append(Scanner, "clang-scan-deps");
  Result.Program = Result.Args.emplace_back(Scanner.str());
  Result.Args.insert(Result.Args.end(), Argv.begin() + 1, Argv.begin() + OwnWords);
  bool IsOurs =
      !CompilerWords.empty() && !equal(drop_begin(Compiler->Args), CompilerWords.drop_front());
  if (IsOurs)
    Result.Args.insert(Result.Args.end(), Compiler->Args.begin(), Compiler->Args.end());
  else
    Result.Args.insert(Result.Args.end(), CompilerWords.begin(), CompilerWords.end());
  return Result;
}

} // namespace

Expected<Command> buildCommand(ArrayRef<const char *> Argv, const Installation &Install,
                               vfs::FileSystem &FS) {
  StringRef CalledAs = Argv.empty() ? "" : sys::path::filename(Argv[0]);
  CalledAs.consume_front("causal-");
  if (CalledAs.starts_with("clang-scan-deps"))
    return buildScanCommand(Argv, Install, FS);
  return buildFor(Purpose::Compile, Argv, Install, FS);
}

std::string quoteForShell(ArrayRef<std::string> Args) {
  std::string Line;
  for (const std::string &Arg : Args) {
    if (!Line.empty())
      Line += ' ';
    bool Plain = !Arg.empty() && all_of(Arg, [](char C) {
      return isAlnum(C) || StringRef("-_=+/.,:@%^").contains(C);
    });
    if (Plain) {
      Line += Arg;
      continue;
    }
    Line += '\'';
    for (char C : Arg)
      Line += C == '\'' ? std::string("'\\''") : std::string(1, C);
    Line += '\'';
  }
  return Line;
}

StringRef helpText() {
  return R"(causal-clang: clang 19 with causal profiling

Every option of clang, unchanged, and:
  -fcausal-profile        Build for the causal profiler (the last of the two wins)
  -fcausal-profile=input  Build for input-sensitive profiling: how cost grows with input
  -fcausal-profile=input-fast  The same in cells of 8 bytes: faster, and coarser
  -fcausal-input-cost=UNIT  Count its costs in instructions (default) or blocks
  -fcausal-profile=cpi    The same code, with a map of its basic blocks: causal db calc
  -fcausal-profile=count  With a counter in each basic block: causal db count
  -fno-causal-profile     Do not (default)
  -fcausal-progress=F,... Each call of one of these functions is a unit of work
  --causal-clang=PATH     Use this clang 19
  --causal-print-command  Print the clang command line and exit
  --causal-print-flags    Print only the flags that are added, one a line, and exit
  --causal-help           Print this and exit
)";
}

} // namespace causal
