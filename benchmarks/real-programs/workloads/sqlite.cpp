//===- sqlite.cpp - Threads that insert into private databases ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in section 4.2.3 of the Coz paper: each thread inserts rows into an in-memory
// database of its own. They share only what SQLite shares: its global mutexes.
// A unit is one insert; THREADS is given by the build.
//
//===----------------------------------------------------------------------===//
#include "Workload.h"
#include <sqlite3.h>

namespace {
class Inserter {
public:
  Inserter() {
    check(sqlite3_open(":memory:", &Db));
    check(sqlite3_exec(
        Db, "CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b TEXT)",
        nullptr, nullptr, nullptr));
    Insert = prepare("INSERT INTO t(a, b) VALUES(?, 'some text to store')");
    Clear = prepare("DELETE FROM t");
  }

  void operator()() {
    check(sqlite3_bind_int64(Insert, 1, Rows));
    step(Insert);
    CAUSAL_PROGRESS_NAMED("insert");
    if (++Rows % RowsKept == 0)
      step(Clear);
  }

private:
  static constexpr sqlite3_int64 RowsKept = 100000;

  void check(int Result) {
    workload::require(Result == SQLITE_OK || Result == SQLITE_DONE,
                      sqlite3_errmsg(Db));
  }
  sqlite3_stmt *prepare(const char *Sql) {
    sqlite3_stmt *Statement;
    check(sqlite3_prepare_v2(Db, Sql, -1, &Statement, nullptr));
    return Statement;
  }
  void step(sqlite3_stmt *Statement) {
    check(sqlite3_step(Statement));
    check(sqlite3_reset(Statement));
  }

  sqlite3 *Db = nullptr;
  sqlite3_stmt *Insert, *Clear;
  sqlite3_int64 Rows = 0;
};
} // namespace

int main(int Argc, char **Argv) {
  return workload::run(Argc, Argv, THREADS,
                       [](unsigned) { return Inserter(); });
}
