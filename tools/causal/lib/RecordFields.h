//===- RecordFields.h - Checked fields of one record -------------*- C++
//-*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes typed, range-checked fields out of a JSON object for ProfileReader. The
// first bad field is remembered and take() returns it, so that a record is read
// in straight lines and judged once. Unknown fields are not looked at.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_RECORDFIELDS_H
#define CAUSAL_ANALYSIS_RECORDFIELDS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cmath>

namespace causal {

class RecordFields {
public:
  /// Sums of this many such numbers stay exact enough in a double, and no sum
  /// of two overflows: 2^53 ns are 104 days.
  static constexpr int64_t Max = int64_t(1) << 53;

  explicit RecordFields(const llvm::json::Object &O) : O(O) {}

  int64_t integer(llvm::StringRef Key, int64_t Low = 0, int64_t High = Max) {
    const llvm::json::Value *V = O.get(Key);
    return V ? check(Key, *V, Low, High) : fail(Key, "is missing");
  }
  int64_t integerOr(llvm::StringRef Key, int64_t Default, int64_t Low = 0,
                    int64_t High = Max) {
    const llvm::json::Value *V = O.get(Key);
    return V ? check(Key, *V, Low, High) : Default;
  }
  double numberOr(llvm::StringRef Key, double Default) {
    const llvm::json::Value *V = O.get(Key);
    if (!V)
      return Default;
    std::optional<double> N = V->getAsNumber();
    if (N && std::isfinite(*N) && std::fabs(*N) <= double(Max))
      return *N;
    return double(fail(Key, "is not a number in range"));
  }
  llvm::StringRef string(llvm::StringRef Key) {
    if (std::optional<llvm::StringRef> S = O.getString(Key); S && !S->empty())
      return *S;
    fail(Key, "is missing or not text");
    return "";
  }
  llvm::StringRef stringOr(llvm::StringRef Key, llvm::StringRef Default) {
    return O.getString(Key).value_or(Default);
  }
  bool booleanOr(llvm::StringRef Key, bool Default) {
    return O.getBoolean(Key).value_or(Default);
  }

  int64_t fail(llvm::StringRef Key, llvm::StringRef What) {
    if (Message.empty())
      Message = ("\"" + Key + "\" " + What).str();
    return 0;
  }
  /// The first failure, or success.
  llvm::Error take() {
    if (Message.empty())
      return llvm::Error::success();
    return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
  }

private:
  int64_t check(llvm::StringRef Key, const llvm::json::Value &V, int64_t Low,
                int64_t High) {
    std::optional<int64_t> N = V.getAsInteger();
    if (N && *N >= Low && *N <= High)
      return *N;
    return fail(Key, "is not an integer in range");
  }

  const llvm::json::Object &O;
  std::string Message;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_RECORDFIELDS_H
