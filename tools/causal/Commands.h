//===- Commands.h - The subcommands of causal --------------------*- C++
//-*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each command is one file that owns its options; causal.cpp picks one and
// turns its Error into a message and an exit status. Commands write their
// result to stdout (or -o) and warnings to stderr.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_COMMANDS_H
#define CAUSAL_TOOL_COMMANDS_H

#include "lib/Profile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace causal {

extern llvm::cl::OptionCategory Options;
extern llvm::cl::SubCommand ReportCommand, ExportCommand, MergeCommand;

llvm::Error runReport();
llvm::Error runExport();
llvm::Error runMerge();

/// Reads \p Files, or default.causal if there are none. What had to be skipped
/// goes to stderr.
llvm::Expected<Profile> readProfile(llvm::ArrayRef<std::string> Files);

} // namespace causal

#endif // CAUSAL_TOOL_COMMANDS_H
