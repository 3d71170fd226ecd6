//===- Shares.h - Where the samples of a database lie -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples of one event, added up by image, function, line, host or epoch. Commands print it.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_SHARES_H
#define CAUSAL_CONTINUOUS_SHARES_H

#include "lib/continuous/Database.h"
#include "lib/continuous/Symbols.h"

namespace causal::continuous {

enum class ShareBy { Image, Function, Line, Host, Epoch };

struct ShareRow {
  std::string Name;
  std::string Image; ///< Path of the one that it lies in; empty: several, or that is the name.
  uint64_t Samples = 0;
  double TimeNs = 0; ///< Samples times their periods; 0 for events that are no time.
};

struct Shares {
  Event Kind = Event::CPU;
  /// Rows, Dropped and Unmapped together.
  uint64_t Samples = 0;
  uint64_t Dropped = 0, Unmapped = 0;
  double TimeNs = 0;
  std::vector<ShareRow> Rows; ///< Most samples first.
};

Shares sharesOf(const Database &DB, ShareBy By, Event Kind, Symbols &Names);

/// The difference of two shares with the bounds of its 95 % interval, in parts of one.
struct ShareChange {
  std::string Name;
  double Before, After, Low, High;
  bool isChange() const { return Low > 0 || High < 0; }
};
/// Largest change first.
std::vector<ShareChange> compareShares(const Shares &Before, const Shares &After);

/// How much a row varies over several databases, in parts of one of their samples.
struct ShareVariation {
  std::string Name;
  uint64_t Samples;
  double Mean, Deviation, Least, Most;
};
/// Most samples first.
std::vector<ShareVariation> variationOf(llvm::ArrayRef<Shares> Sets);

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_SHARES_H
