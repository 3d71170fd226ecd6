//===- RecordFields.h - Checked fields of one record ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes typed, range-checked fields out of a JSON object for ProfileReader. The
// first bad field is remembered and take() returns it, so that a record is read
// in straight lines and judged once. Unknown fields are not looked at. Valid until
// the parser reads the next record.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_RECORDFIELDS_H
#define CAUSAL_ANALYSIS_RECORDFIELDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cmath>
#include <optional>
#include <simdjson.h>
#include <vector>

namespace causal {

class RecordFields {
public:
  /// Sums of this many such numbers stay exact enough in a double, and no sum
  /// of two overflows: 2^53 ns are 104 days.
  static constexpr int64_t Max = int64_t(1) << 53;

  explicit RecordFields(simdjson::dom::object O) : O(O), Next(O.begin()) {
    for (simdjson::dom::key_value_pair Each : O)
      Known |= sign(Each.key);
  }

  int64_t integer(llvm::StringRef Key, int64_t Low = 0, int64_t High = Max) {
    std::optional<Element> E = find(Key);
    return E ? check(Key, *E, Low, High) : fail(Key, "is missing");
  }
  int64_t integerOr(llvm::StringRef Key, int64_t Default, int64_t Low = 0, int64_t High = Max) {
    std::optional<Element> E = find(Key);
    return E ? check(Key, *E, Low, High) : Default;
  }
  double numberOr(llvm::StringRef Key, double Default) {
    std::optional<Element> E = find(Key);
    if (!E)
      return Default;
    double N;
    if (!E->get(N) && std::isfinite(N) && std::fabs(N) <= double(Max))
      return N;
    return double(fail(Key, "is not a number in range"));
  }
  bool has(llvm::StringRef Key) const { return find(Key).has_value(); }
  /// A number of any size that is not below 0.
  double real(llvm::StringRef Key) {
    std::optional<Element> E = find(Key);
    double N;
    if (E && !E->get(N) && std::isfinite(N) && N >= 0)
      return N;
    return double(fail(Key, E ? "is not a number in range" : "is missing"));
  }
  double realOr(llvm::StringRef Key, double Default) { return has(Key) ? real(Key) : Default; }
  llvm::StringRef string(llvm::StringRef Key) {
    llvm::StringRef S = stringOr(Key, "");
    if (S.empty())
      fail(Key, "is missing or not text");
    return S;
  }
  llvm::StringRef stringOr(llvm::StringRef Key, llvm::StringRef Default) {
    return valueOr<std::string_view>(Key, Default);
  }
  bool booleanOr(llvm::StringRef Key, bool Default) { return valueOr(Key, Default); }
  /// Nothing if there is no such object.
  std::optional<RecordFields> object(llvm::StringRef Key) const { return asObject(find(Key)); }
  /// The elements of an array, none if there is no such array; null for those that
  /// are no objects.
  template <typename Function> llvm::Error forEachObject(llvm::StringRef Key, Function F) const {
    simdjson::dom::array Elements;
    std::optional<Element> E = find(Key);
    if (!E || E->get(Elements))
      return llvm::Error::success();
    for (Element Each : Elements) {
      std::optional<RecordFields> Fields = asObject(Each);
      if (llvm::Error Failed = F(Fields ? &*Fields : nullptr))
        return Failed;
    }
    return llvm::Error::success();
  }

  /// The numbers of an array.
  std::vector<int64_t> integers(llvm::StringRef Key) {
    std::vector<int64_t> Numbers;
    simdjson::dom::array Elements;
    std::optional<Element> E = find(Key);
    if (!E || E->get(Elements)) {
      fail(Key, "is missing or no array");
      return Numbers;
    }
    for (Element Each : Elements)
      Numbers.push_back(check(Key, Each, 0, Max));
    return Numbers;
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
  using Element = simdjson::dom::element;
  using Place = simdjson::dom::object::iterator;

  /// A bit for a key, the same one for few others.
  static uint64_t sign(std::string_view Key) {
    size_t Size = Key.size();
    return Size ? uint64_t(1) << ((Size * 7 + size_t(Key[0]) * 3 + size_t(Key[Size / 2])) % 64) : 0;
  }
  /// Most fields are asked for in the order that they are written in, so it is looked on
  /// from the last one found; fields that are not there mostly not at all.
  std::optional<Element> find(llvm::StringRef Key) const {
    if (!(Known & sign(Key)))
      return std::nullopt;
    auto Within = [&](Place Begin, Place End) -> std::optional<Element> {
      for (Place I = Begin; I != End; ++I)
        if (I.key_equals(Key)) {
          Element Found = I.value();
          Next = ++I;
          return Found;
        }
      return std::nullopt;
    };
    Place From = Next;
    std::optional<Element> Found = Within(From, O.end());
    return Found ? Found : Within(O.begin(), From);
  }
  template <typename T> T valueOr(llvm::StringRef Key, T Default) const {
    std::optional<Element> E = find(Key);
    T Value;
    return E && !E->get(Value) ? Value : Default;
  }
  static std::optional<RecordFields> asObject(std::optional<Element> E) {
    simdjson::dom::object Object;
    if (!E || E->get(Object))
      return std::nullopt;
    return RecordFields(Object);
  }
  /// 1e3 is an integer, too.
  int64_t check(llvm::StringRef Key, Element E, int64_t Low, int64_t High) {
    int64_t N;
    double Real;
    if (!E.get(N) ? N >= Low && N <= High
                  : !E.get(Real) && Real >= double(Low) && Real <= double(High) &&
                        Real == std::floor(Real))
      return E.is_int64() ? N : int64_t(Real);
    return fail(Key, "is not an integer in range");
  }

  simdjson::dom::object O;
  mutable Place Next;
  uint64_t Known = 0; ///< Of all keys.
  std::string Message;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_RECORDFIELDS_H
