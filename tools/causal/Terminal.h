//===- Terminal.h - Colours and width of the output -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tool knows of where its output goes. causal.cpp makes wantsColor()
// the rule for every WithColor, error messages included, so that commands
// write WithColor(OS, ...) and never ask themselves.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_TERMINAL_H
#define CAUSAL_TOOL_TERMINAL_H

#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace causal {

/// Whether \p OS is a terminal that shows colours. A NO_COLOR that is not empty
/// turns them off, CLICOLOR_FORCE turns them on for files and pipes.
bool wantsColor(const llvm::raw_ostream &OS);

/// Columns of the terminal that \p Descriptor is; 0 if it is none.
size_t terminalWidth(int Descriptor);

/// Columns of standard output, kept between 60 and 160; 120 where it is no
/// terminal.
size_t outputWidth();

/// A span of time as people write it: "90", "90s", "5m", "1h", "500ms"; in
/// nanoseconds. Nothing if it is none, or longer than a year.
std::optional<double> parseTime(llvm::StringRef Text);

/// "3%", "3 %" or "3" as 0.03, if it is above 0 and at most \p Most percent.
std::optional<double> parsePercent(llvm::StringRef Text, double Most = 100);

/// "0:43", "1:02:03".
std::string formatClock(double Ns);

} // namespace causal

#endif // CAUSAL_TOOL_TERMINAL_H
