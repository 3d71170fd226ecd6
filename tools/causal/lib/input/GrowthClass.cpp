//===- GrowthClass.cpp ----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/GrowthClass.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;

namespace causal {

double GrowthClass::at(double Input) const {
  double Value = Power == 0 ? 1 : Power == 1 ? Input : std::pow(Input, Power);
  double Log = Logs ? std::log2(Input + 1) : 1;
  for (unsigned I = 0; I < Logs; ++I)
    Value *= Log;
  return Value;
}

ArrayRef<GrowthClass> growthClasses() {
  static constexpr GrowthClass Classes[] = {{0, 0}, {0, 1}, {0, 2},   {.5, 0}, {.5, 1}, {1, 0},
                                            {1, 1}, {1, 2}, {1.5, 0}, {2, 0},  {2, 1},  {3, 0}};
  return Classes;
}

std::string toString(const GrowthClass &Class) {
  if (Class.isConstant())
    return "constant";
  std::string Text;
  if (Class.Power == 0.5)
    Text = "sqrt n";
  else if (Class.Power == 1)
    Text = "n";
  else if (Class.Power != 0)
    Text = "n^" + StringRef(formatv("{0:f2}", Class.Power).str()).rtrim('0').rtrim('.').str();
  if (Class.Logs)
    Text += (Text.empty() ? "" : " ") + std::string("log") +
            (Class.Logs > 1 ? "^" + std::to_string(Class.Logs) : "") + " n";
  return Text;
}

/// Takes a number behind '^' from \p Rest; 1 where there is none.
static bool takeExponent(StringRef &Rest, double &Exponent) {
  Exponent = 1;
  if (!Rest.consume_front("^"))
    return true;
  StringRef Digits = Rest.take_while([](char C) { return isDigit(C) || C == '.'; });
  Rest = Rest.drop_front(Digits.size());
  return !Digits.empty() && !Digits.getAsDouble(Exponent);
}

Expected<GrowthClass> parseGrowthClass(StringRef Text) {
  // The same without blanks, brackets and signs of multiplication.
  std::string Plain = Text.lower();
  for (auto [From, To] : {std::pair<StringRef, StringRef>{"²", "^2"}, {"³", "^3"}, {"√", "sqrt"}})
    for (size_t At; (At = Plain.find(From.str())) != std::string::npos;)
      Plain.replace(At, From.size(), To.str());
  erase_if(Plain, [](char C) { return isSpace(C) || C == '(' || C == ')' || C == '*'; });
  StringRef Rest = Plain;
  Rest.consume_front("o");
  auto Fail = [&] {
    return createStringError(inconvertibleErrorCode(),
                             "'" + Text.trim() +
                                 "' is no growth class: write it as 'constant', 'log n', 'sqrt n', "
                                 "'n', 'n log n', 'n^1.5', 'n^2 log n'");
  };
  if (Rest == "1" || Rest == "constant")
    return GrowthClass();
  GrowthClass Class;
  bool Any = false;
  while (!Rest.empty()) {
    double Exponent;
    if (Rest.consume_front("log")) {
      if (!takeExponent(Rest, Exponent) || !Rest.consume_front("n") || Class.Logs ||
          Exponent != std::floor(Exponent) || Exponent < 1 || Exponent > 9)
        return Fail();
      Class.Logs = unsigned(Exponent);
    } else if (Rest.consume_front("sqrt")) {
      if (!Rest.consume_front("n"))
        return Fail();
      Class.Power += 0.5;
    } else if (Rest.consume_front("n")) {
      if (!takeExponent(Rest, Exponent))
        return Fail();
      Class.Power += Exponent;
    } else {
      return Fail();
    }
    Any = true;
  }
  if (!Any || Class.Power > 9)
    return Fail();
  return Class;
}

} // namespace causal
