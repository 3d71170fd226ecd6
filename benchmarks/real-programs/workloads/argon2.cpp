//===- argon2.cpp - Password hashes, one after the other ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread computes password hashes; each creates and joins two lanes for every
// quarter of every pass. A unit is one hash.
//
//===----------------------------------------------------------------------===//
#include "argon2.h"
#include "Workload.h"
#include <cstring>

int main(int Argc, char **Argv) {
  return workload::run(Argc, Argv, 1, [](unsigned) {
    return [] {
      static const char Password[] = "correct horse battery staple";
      static const char Salt[] = "0123456789abcdef";
      unsigned char Hash[32];
      int Result =
          argon2id_hash_raw(/*t_cost=*/3, /*m_cost=*/4096,
                            /*parallelism=*/2, Password, std::strlen(Password),
                            Salt, std::strlen(Salt), Hash, sizeof(Hash));
      workload::require(Result == ARGON2_OK, "argon2id_hash_raw failed");
      CAUSAL_PROGRESS_NAMED("hash");
    };
  });
}
