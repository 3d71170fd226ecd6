//===- Terminal.cpp -------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terminal.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <cmath>

#include <sys/ioctl.h>
#include <unistd.h>

using namespace llvm;

namespace causal {

namespace {
constexpr size_t DefaultWidth = 120, MinWidth = 60, MaxWidth = 160;
}

bool wantsColor(const raw_ostream &OS) {
  auto IsSet = [](const char *Name) {
    std::optional<std::string> Value = sys::Process::GetEnv(Name);
    return Value && !Value->empty() && *Value != "0";
  };
  if (std::optional<std::string> No = sys::Process::GetEnv("NO_COLOR"); No && !No->empty())
    return false;
  return IsSet("CLICOLOR_FORCE") || OS.has_colors();
}

// LLVM's own answer knows COLUMNS only, which shells do not export.
size_t terminalWidth(int Descriptor) {
  winsize Size{};
  if (!sys::Process::FileDescriptorIsDisplayed(Descriptor))
    return 0;
  return ioctl(Descriptor, TIOCGWINSZ, &Size) == 0 && Size.ws_col ? Size.ws_col : DefaultWidth;
}

size_t outputWidth() {
  size_t Width = terminalWidth(STDOUT_FILENO);
  return Width ? std::clamp(Width, MinWidth, MaxWidth) : DefaultWidth;
}

std::optional<double> parseTime(StringRef Text) {
  constexpr double Year = 366 * 86400e9;
  struct {
    const char *Suffix;
    double Ns;
  } const Units[] = {{"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
  double Unit = 1e9, Value;
  Text = Text.trim();
  for (const auto &U : Units)
    if (Text.consume_back(U.Suffix)) {
      Unit = U.Ns;
      break;
    }
  if (Text.rtrim().getAsDouble(Value) || !std::isfinite(Value) || Value <= 0 || Value * Unit > Year)
    return std::nullopt;
  return Value * Unit;
}

std::optional<double> parsePercent(StringRef Text, double Most) {
  double Value;
  Text = Text.trim();
  Text.consume_back("%");
  if (Text.rtrim().getAsDouble(Value) || !std::isfinite(Value) || Value <= 0 || Value > Most)
    return std::nullopt;
  return Value / 100;
}

std::string formatClock(double Ns) {
  auto Seconds = int64_t(std::clamp(Ns / 1e9, 0.0, 1e9));
  std::string Text;
  raw_string_ostream OS(Text);
  if (Seconds >= 3600)
    OS << Seconds / 3600 << format(":%02d:%02d", int(Seconds / 60 % 60), int(Seconds % 60));
  else
    OS << Seconds / 60 << format(":%02d", int(Seconds % 60));
  return Text;
}

} // namespace causal
