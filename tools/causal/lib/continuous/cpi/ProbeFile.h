//===- ProbeFile.h - What `causal db probe` and calibrate write -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON Lines. A probe file: one record "probe", then for each image "image" and its records
// "pc" and "access". A calibration is the record "machine" alone.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_PROBEFILE_H
#define CAUSAL_CPI_PROBEFILE_H

#include "lib/continuous/cpi/Observations.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace causal::cpi {

/// One for each image; the machine and what holds for the process are in each.
void writeProbe(llvm::ArrayRef<Observations> Images, llvm::raw_ostream &OS);
llvm::Expected<std::vector<Observations>> readProbe(llvm::StringRef Path);

void writeMachine(const Machine &M, llvm::raw_ostream &OS);
llvm::Expected<Machine> readMachine(llvm::StringRef Path);

} // namespace causal::cpi

#endif // CAUSAL_CPI_PROBEFILE_H
