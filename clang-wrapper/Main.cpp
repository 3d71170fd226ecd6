//===- Main.cpp - causal-clang and causal-clang++ -------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang with -fcausal-profile. All that is decided is decided in
// CommandLine.cpp.
//
//===----------------------------------------------------------------------===//
#include "Execute.h"
#include "InstallPaths.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static Error run(const causal::Command &Cmd, const causal::Installation &Install) {
  using causal::Command;
  if (Cmd.What == Command::Kind::Help)
    outs() << causal::helpText();
  if (Cmd.What == Command::Kind::Help)
    return Error::success();
  if (Error E = checkInstallation(Cmd, Install))
    return E;
  switch (Cmd.What) {
  case Command::Kind::PrintCommand:
    outs() << causal::quoteForShell(Cmd.Args) << '\n';
    return Error::success();
  case Command::Kind::PrintFlags:
    for (const std::string &Flag : Cmd.Added)
      outs() << Flag << '\n';
    return Error::success();
  default:
    return causal::execute(Cmd);
  }
}

int main(int Argc, char **Argv) {
  causal::Installation Install = causal::findInstallation(Argv[0]);
  Expected<causal::Command> Cmd =
      causal::buildCommand(ArrayRef(Argv, Argc), Install, *vfs::getRealFileSystem());
  Error E = Cmd ? run(*Cmd, Install) : Cmd.takeError();
  if (!E)
    return 0;
  errs() << "causal: " << toString(std::move(E)) << '\n';
  return 1;
}
