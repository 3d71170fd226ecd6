//===- TableExport.h - A database as tables for an engine -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CSV (RFC 4180) with a line of names; share/causal/*.sql read it.
//
//   epochs.csv   host, epoch, first_second, last_second
//   images.csv   image, build_id, path
//   samples.csv  host, epoch, image, event, period, address, samples
//   totals.csv   host, epoch, event, period, samples, dropped, unmapped, processes
//   places.csv   image, address, function, file, line
//
// "image" is a number of this export alone. Samples whose addresses were given up have the
// address -1. places.csv has the images whose files are here.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_TABLEEXPORT_H
#define CAUSAL_CONTINUOUS_TABLEEXPORT_H

#include "lib/continuous/Database.h"
#include "lib/continuous/Symbols.h"

namespace causal::continuous {

/// Writes the tables into \p Directory, which is made if it is missing.
llvm::Error exportTables(const Database &DB, Symbols &Names, const std::string &Directory);

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_TABLEEXPORT_H
