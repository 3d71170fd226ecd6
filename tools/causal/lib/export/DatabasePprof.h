//===- DatabasePprof.h - A continuous database for pprof --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_EXPORT_DATABASEPPROF_H
#define CAUSAL_EXPORT_DATABASEPPROF_H

#include "lib/continuous/Database.h"
#include "lib/continuous/Symbols.h"

namespace causal::continuous {

/// The samples of \p Kind, with a function for each address.
llvm::Error exportPprof(const Database &DB, Event Kind, Symbols &Names, llvm::raw_ostream &OS);

} // namespace causal::continuous

#endif // CAUSAL_EXPORT_DATABASEPPROF_H
