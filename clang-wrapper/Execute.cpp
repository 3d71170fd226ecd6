//===- Execute.cpp - Become clang -----------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A response file is expanded when it may hold one of our options. Put back on
// the command line its contents can exceed the limit that it was made for, so
// then they go into a file again: in memory, because nobody is left to delete
// one.
//
//===----------------------------------------------------------------------===//
#include "Execute.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace causal {

static void replaceProcess(const std::string &Program, ArrayRef<std::string> Args) {
  std::vector<char *> Pointers;
  for (const std::string &Arg : Args)
    Pointers.push_back(const_cast<char *>(Arg.c_str()));
  Pointers.push_back(nullptr);
  execv(Program.c_str(), Pointers.data());
}

/// An inherited descriptor with \p Args in the syntax of a response file.
static int writeResponseFile(ArrayRef<std::string> Args) {
  int FD = memfd_create("causal-clang", 0);
  if (FD < 0)
    return FD;
  raw_fd_ostream Out(FD, /*shouldClose=*/false);
  for (const std::string &Arg : Args) {
    Out << '"';
    for (char C : Arg) {
      if (C == '"' || C == '\\')
        Out << '\\';
      Out << C;
    }
    Out << "\"\n";
  }
  return FD;
}

Error execute(const Command &Cmd) {
  replaceProcess(Cmd.Program, Cmd.Args);
  if (errno == E2BIG) {
    int FD = writeResponseFile(ArrayRef(Cmd.Args).drop_front());
    if (FD >= 0)
      replaceProcess(Cmd.Program, {Cmd.Args[0], "@/proc/self/fd/" + std::to_string(FD)});
  }
  return createStringError(std::error_code(errno, std::generic_category()), "cannot run %s: %s",
                           Cmd.Program.c_str(), sys::StrError().c_str());
}

} // namespace causal
