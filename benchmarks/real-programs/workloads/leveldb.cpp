//===- leveldb.cpp - Checked random reads, and some writes ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two threads on one database in a temporary directory ($TMPDIR): 15 checked reads
// of random keys to one write, which LevelDB's own thread compacts. A unit is
// one read or write.
//
//===----------------------------------------------------------------------===//
#include "Workload.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include <memory>
#include <string>

namespace {
constexpr uint64_t Keys = 100000;

std::string key(uint64_t Number) {
  char Text[17];
  std::snprintf(Text, sizeof(Text), "%016llu",
                static_cast<unsigned long long>(Number));
  return Text;
}

std::string value(workload::Random &R) { // Half of it can be compressed.
  std::string Text(100, 'x');
  for (size_t I = 0; I < 50; ++I)
    Text[I] = static_cast<char>(' ' + R.below(95));
  return Text;
}

void check(const leveldb::Status &S) {
  workload::require(S.ok(), S.ToString().c_str());
}
} // namespace

int main(int Argc, char **Argv) {
  const char *Temporary = std::getenv("TMPDIR");
  std::string Directory =
      std::string(Temporary ? Temporary : "/tmp") + "/leveldb.XXXXXX";
  workload::require(mkdtemp(&Directory[0]),
                    "cannot make a directory in $TMPDIR");
  leveldb::Options Options;
  Options.create_if_missing = true;
  std::unique_ptr<leveldb::Cache> Cache(leveldb::NewLRUCache(1 << 20));
  Options.block_cache = Cache.get();
  leveldb::DB *Opened;
  check(leveldb::DB::Open(Options, Directory, &Opened));
  std::unique_ptr<leveldb::DB> Db(Opened);
  workload::Random Fill(1);
  for (uint64_t I = 0; I < Keys; ++I)
    check(Db->Put({}, key(I), value(Fill)));
  Db->CompactRange(nullptr, nullptr);

  int Status = workload::run(Argc, Argv, 2, [&](unsigned Thread) {
    return [&Db, R = workload::Random(Thread + 2),
            Read = std::string()]() mutable {
      if (R.below(16) == 0) {
        check(Db->Put({}, key(R.below(Keys)), value(R)));
      } else {
        leveldb::ReadOptions Checked;
        Checked.verify_checksums = true;
        check(Db->Get(Checked, key(R.below(Keys)), &Read));
      }
      CAUSAL_PROGRESS_NAMED("op");
    };
  });
  Db.reset();
  leveldb::DestroyDB(Directory, Options);
  return Status;
}
