//===- causal_process.cpp - Options and owner of this process -------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_process.h.
//
//===----------------------------------------------------------------------===//
#include "base/causal_process.h"
#include "base/causal_flags.h"
#include "base/causal_platform.h"

#include "sanitizer_common/sanitizer_libc.h"

#include <sys/auxv.h>

using namespace __causal;
using namespace __sanitizer;

[[clang::require_constant_initialization]] static Flags TheFlags;
static const char *Options = "";
static char **Environment;
static int OwnerProcess;

const Flags &__causal::flags() { return TheFlags; }
const char *__causal::optionsText() { return Options; }

// libc's getenv may not be ready at start-up, and a program that runs with privileges
// of its own trusts nobody's environment.
const char *__causal::environmentValue(const char *Name) {
  uptr Length = internal_strlen(Name);
  if (!getauxval(AT_SECURE))
    for (char **Entry = Environment; Entry && *Entry; ++Entry)
      if (internal_strncmp(*Entry, Name, Length) == 0 && (*Entry)[Length] == '=')
        return *Entry + Length + 1;
  return "";
}

Flags &__causal::beginProcess(char **InitialEnvironment) {
  Environment = InitialEnvironment;
  Options = environmentValue("CAUSAL_OPTIONS");
  return TheFlags;
}

void __causal::ownProcess() { OwnerProcess = processId(); }
bool __causal::inOwnProcess() { return isSandboxed() || processId() == OwnerProcess; }
