//===- Copies.h - Databases of several machines in one ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A database is a union of directories, one for each machine and user that collected, and each
// of these knows who it is (its origin) and how far it has come. Of one that is in both places
// the later one stays. So copying is idempotent, and the order does not matter.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_COPIES_H
#define CAUSAL_CONTINUOUS_COPIES_H

#include "lib/continuous/Files.h"

namespace causal::continuous {

/// Brings what \p From has, but for its spool, to \p To, which is made if it is missing.
/// Returns how many directories were copied.
llvm::Expected<unsigned> copyDatabase(const std::string &From, const std::string &To);

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_COPIES_H
