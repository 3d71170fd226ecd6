//===- Epoch.h - Hours, days and weeks of a database ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names of epochs, all in UTC: the hour 20261128T22, the day 20261128, the week from
// Monday on 20261123w. Pure.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_EPOCH_H
#define CAUSAL_CONTINUOUS_EPOCH_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace causal::continuous {

bool isEpoch(llvm::StringRef Name);
/// The hour of a time, in seconds since 1970.
std::string hourOf(uint64_t Seconds);
/// The day or the week that \p Epoch, which is one, is a part of; itself if it is longer.
std::string dayOf(llvm::StringRef Epoch);
std::string weekOf(llvm::StringRef Epoch);
/// When it begins and ends, in seconds since 1970.
uint64_t beginOf(llvm::StringRef Epoch);
uint64_t endOf(llvm::StringRef Epoch);

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_EPOCH_H
