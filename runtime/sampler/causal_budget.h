//===- causal_budget.h - The period that a budget allows --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples of different periods are kept apart in the database, so there are only a few of
// them: 1, 1.5, 2, 3, 4, 6, 8 ... times the shortest. Pure.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_BUDGET_H
#define CAUSAL_BUDGET_H

#include <stdint.h>

namespace __causal {

constexpr uint64_t LeastBudgetPeriodNs = 250000, MostBudgetPeriodNs = 128000000;

/// "1%", "0.5 %" or "1" in millionths; 0: it is none, or not between 0.01 and 50 percent.
inline uint32_t parseBudget(const char *Text) {
  constexpr uint64_t OnePercent = 10000, Most = 50 * OnePercent;
  uint64_t Value = 0, Unit = OnePercent;
  bool Fraction = false, AnyDigit = false;
  for (; (*Text >= '0' && *Text <= '9') || (*Text == '.' && !Fraction); ++Text) {
    if (*Text == '.') {
      Fraction = true;
      continue;
    }
    AnyDigit = true;
    uint64_t Digit = static_cast<uint64_t>(*Text - '0');
    if (Fraction)
      Unit /= 10;
    Value = Fraction ? Value + Digit * Unit : Value * 10 + Digit * OnePercent;
    if (Value > Most)
      return 0;
  }
  while (*Text == ' ')
    ++Text;
  if (*Text == '%')
    ++Text;
  return AnyDigit && !*Text && Value >= OnePercent / 100 ? static_cast<uint32_t>(Value) : 0;
}

/// The shortest period with which samples that cost so many nanoseconds keep a budget, in
/// millionths.
inline uint64_t budgetPeriod(uint64_t Cost, uint32_t Budget) {
  uint64_t Needed = Cost * 1000000 / Budget;
  for (uint64_t Period = LeastBudgetPeriodNs; Period < MostBudgetPeriodNs; Period *= 2) {
    if (Period >= Needed)
      return Period;
    if (Period + Period / 2 >= Needed)
      return Period + Period / 2;
  }
  return MostBudgetPeriodNs;
}

} // namespace __causal

#endif // CAUSAL_BUDGET_H
