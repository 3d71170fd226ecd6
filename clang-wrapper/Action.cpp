//===- Action.cpp - What clang will do with a command line ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows clang::driver::Driver (BuildInputs and getFinalPhase) of LLVM 19. The
// driver itself is not run: it would look for GCC installations and read files,
// at ten times the cost of parsing, and this runs before every compilation.
//
//===----------------------------------------------------------------------===//
#include "Action.h"

#include "clang/Driver/Options.h"
#include "clang/Driver/Phases.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace llvm::opt;
namespace options = clang::driver::options;
namespace phases = clang::driver::phases;
namespace types = clang::driver::types;

namespace causal {
namespace {

/// The last phase to run; Driver::getFinalPhase.
phases::ID finalPhase(const InputArgList &Args, StringRef Mode) {
  if (Mode == "cpp" || Args.hasArg(options::OPT_E, options::OPT_M, options::OPT_MM))
    return phases::Preprocess;
  if (Args.hasArg(options::OPT__precompile, options::OPT_extract_api, options::OPT_fmodule_header,
                  options::OPT_fmodule_header_EQ))
    return phases::Precompile;
  if (Args.hasArg(options::OPT_fsyntax_only, options::OPT_print_supported_cpus,
                  options::OPT_print_enabled_extensions, options::OPT_module_file_info,
                  options::OPT_verify_pch, options::OPT_rewrite_objc,
                  options::OPT_rewrite_legacy_objc, options::OPT__migrate, options::OPT__analyze,
                  options::OPT_emit_cir, options::OPT_emit_ast))
    return phases::Compile;
  if (Args.hasArg(options::OPT_S))
    return phases::Backend;
  if (Args.hasArg(options::OPT_c))
    return phases::Assemble;
  if (Args.hasArg(options::OPT_emit_interface_stubs))
    return phases::IfsMerge;
  return phases::Link;
}

types::ID typeOfName(StringRef Name, phases::ID Final) {
  StringRef Extension = sys::path::extension(Name);
  types::ID Type =
      Extension.empty() ? types::TY_INVALID : types::lookupTypeForExtension(Extension.drop_front());
  if (Type != types::TY_INVALID)
    return Type;
  return Name == "-" || Final == phases::Preprocess ? types::TY_C : types::TY_Object;
}

/// What runs under \p ProgramName, as clang reads it: "[<target>-]clang<mode>".
struct ProgramKind {
  std::string Target;
  StringRef Mode;
};
ProgramKind splitProgramName(StringRef ProgramName) {
  StringRef Name = sys::path::filename(ProgramName);
  ProgramKind Kind;
  size_t Clang = Name.rfind("clang");
  if (Clang == StringRef::npos)
    return Kind;
  StringRef Suffix = Name.drop_front(Clang + strlen("clang"));
  if (Suffix.starts_with("-cpp"))
    Kind.Mode = "cpp";
  else if (Suffix.starts_with("-cl") || Suffix.starts_with("-dxc"))
    Kind.Mode = "cl";
  Kind.Target = Name.take_front(Clang).rtrim('-').str();
  return Kind;
}

Error unsupported(const Twine &Reason) {
  return createStringError(inconvertibleErrorCode(),
                           "-fcausal-profile supports x86_64 Linux only (" + Reason + ")");
}

Error checkTarget(const InputArgList &Args, const ProgramKind &Program, StringRef Mode) {
  Triple Target(LLVM_DEFAULT_TARGET_TRIPLE);
  if (Triple FromName(Triple::normalize(Program.Target)); FromName.getArch() != Triple::UnknownArch)
    Target = FromName;
  if (const Arg *A = Args.getLastArg(options::OPT_target))
    Target = Triple(Triple::normalize(A->getValue()));

  std::string Reason;
  if (Target.getArch() != Triple::x86_64 || Target.isX32() || !Target.isOSLinux() ||
      Target.isAndroid())
    Reason = "the target is " + Target.str();
  else if (const Arg *A = Args.getLastArg(options::OPT_m64, options::OPT_m32, options::OPT_mx32,
                                          options::OPT_m16, options::OPT_miamcu);
           A && !A->getOption().matches(options::OPT_m64))
    Reason = A->getAsString(Args) + " was given";
  else if (const Arg *A =
               Args.getLastArg(options::OPT_fopenmp_targets_EQ, options::OPT_offload_arch_EQ))
    Reason = A->getAsString(Args) + " was given";
  else if (Mode == "cl" || Mode == "dxc" || Mode == "flang")
    Reason = ("the driver mode is " + Mode).str();
  return Reason.empty() ? Error::success() : unsupported(Reason);
}

/// The words that reach the linker through -Wl, and -Xlinker, and clang's -z.
SmallVector<StringRef> linkerWords(const InputArgList &Args) {
  SmallVector<StringRef> Words;
  for (const Arg *A : Args.filtered(options::OPT_Wl_COMMA, options::OPT_Xlinker, options::OPT_z)) {
    if (A->getOption().matches(options::OPT_z))
      Words.push_back("-z");
    Words.append(A->getValues().begin(), A->getValues().end());
  }
  return Words;
}

Linker linkerUsed(const InputArgList &Args) {
  const Arg *A = Args.getLastArg(options::OPT_ld_path_EQ);
  if (!A)
    A = Args.getLastArg(options::OPT_fuse_ld_EQ);
  if (!A)
    return Linker::Default;
  StringRef Name = sys::path::filename(A->getValue());
  if (Name.contains("lld"))
    return Linker::LLD;
  if (Name.contains("gold"))
    return Linker::Gold;
  return Name.empty() || Name == "ld" || Name.contains("bfd") ? Linker::Default : Linker::Other;
}

Output linkedOutput(const InputArgList &Args, ArrayRef<StringRef> ToLinker) {
  auto Passed = [&](std::initializer_list<StringRef> Spellings) {
    return any_of(ToLinker, [&](StringRef W) { return is_contained(Spellings, W); });
  };
  if (Args.hasArg(options::OPT_r, options::OPT_emit_static_lib) ||
      Passed({"-r", "-i", "--relocatable"}))
    return Output::Nothing;
  if (Args.hasArg(options::OPT_shared) || Passed({"-shared", "--shared", "-Bshareable"}))
    return Output::SharedObject;
  if (Args.hasArg(options::OPT_static, options::OPT_static_pie))
    return Output::StaticExecutable;
  return Output::Executable;
}

bool rejectsUndefined(ArrayRef<StringRef> ToLinker) {
  bool Rejects = false;
  for (size_t I = 0; I < ToLinker.size(); ++I) {
    StringRef Word = ToLinker[I];
    if (Word == "-z" && I + 1 < ToLinker.size())
      Word = ToLinker[++I];
    else if (!Word.consume_front("-z")) {
      Rejects |= Word == "--no-undefined" || Word == "-no-undefined";
      continue;
    }
    if (Word == "defs" || Word == "undefs")
      Rejects = Word == "defs";
  }
  return Rejects;
}

} // namespace

Expected<Action> classify(const InputArgList &Args, StringRef ProgramName) {
  ProgramKind Program = splitProgramName(ProgramName);
  StringRef Mode = Args.getLastArgValue(options::OPT_driver_mode, Program.Mode);
  phases::ID Final = finalPhase(Args, Mode);

  Action Result;
  bool HasLinkInput = false;
  types::ID Forced = types::TY_Nothing;
  for (const Arg *A : Args) {
    if (A->getOption().matches(options::OPT_x))
      Forced = StringRef(A->getValue()) == "none"
                   ? types::TY_Nothing
                   : types::lookupTypeForTypeSpecifier(A->getValue());
    HasLinkInput |= A->getOption().hasFlag(options::LinkerInput);
    if (A->getOption().getKind() != Option::InputClass &&
        !A->getOption().matches(options::OPT__DASH_DASH))
      continue;
    for (StringRef Name : A->getValues()) {
      types::ID Type = Forced == types::TY_Nothing ? typeOfName(Name, Final) : Forced;
      if (types::isCuda(Type) || types::isHIP(Type))
        return unsupported(Name + " is for a GPU");
      HasLinkInput |= !types::onlyPrecompileType(Type);
      if (Type == types::TY_Object)
        Result.Objects.push_back(Name.str());
      if (Type == types::TY_Asm || Type == types::TY_PP_Asm || !types::isAcceptedByClang(Type))
        continue;
      Result.PreprocessesC |= types::isSrcFile(Type);
      Result.GeneratesCode |= Final >= phases::Backend && !types::onlyPrecompileType(Type);
    }
  }

  if (Error E = checkTarget(Args, Program, Mode))
    return std::move(E);
  if (Final == phases::Link && HasLinkInput) {
    SmallVector<StringRef> ToLinker = linkerWords(Args);
    Result.Links = linkedOutput(Args, ToLinker);
    Result.RejectsUndefined = rejectsUndefined(ToLinker);
    Result.Relocates =
        Result.Links == Output::Nothing && !Args.hasArg(options::OPT_emit_static_lib);
  }
  Result.With = linkerUsed(Args);
  Result.LinkTimeOptimises =
      Args.hasFlag(options::OPT_flto, options::OPT_flto_EQ, options::OPT_fno_lto, false);
  Result.LinksLibc =
      !Args.hasArg(options::OPT_nostdlib, options::OPT_nodefaultlibs, options::OPT_nolibc);
  return Result;
}

} // namespace causal
