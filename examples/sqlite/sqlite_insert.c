/*===- sqlite_insert.c - Threads inserting into private databases ---------===*\
|*
|* Part of the causal profiler, under the Apache License v2.0 with LLVM
|* Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Each thread has an in-memory database of its own and inserts rows as fast as
|* it can (Coz paper, section 4.2.3). They share only what SQLite shares.
|*
\*===----------------------------------------------------------------------===*/
#include <causal/causal.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MaxThreads = 256, RowsKept = 100000 };

static atomic_bool Stop;
static atomic_ulong Inserted;

static void check(int Result, sqlite3 *Db) {
  if (Result == SQLITE_OK || Result == SQLITE_DONE)
    return;
  fprintf(stderr, "sqlite_insert: %s\n",
          Db ? sqlite3_errmsg(Db) : sqlite3_errstr(Result));
  exit(1);
}

static void *insertRows(void *Unused) {
  sqlite3 *Db = NULL;
  sqlite3_stmt *Insert, *Clear;
  (void)Unused;
  check(sqlite3_open(":memory:", &Db), Db);
  check(sqlite3_exec(
            Db, "CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b TEXT)",
            NULL, NULL, NULL),
        Db);
  check(sqlite3_prepare_v2(
            Db, "INSERT INTO t(a, b) VALUES(?, 'some text to store')", -1,
            &Insert, NULL),
        Db);
  check(sqlite3_prepare_v2(Db, "DELETE FROM t", -1, &Clear, NULL), Db);

  unsigned long Rows = 0;
  while (!atomic_load_explicit(&Stop, memory_order_relaxed)) {
    check(sqlite3_bind_int64(Insert, 1, (sqlite3_int64)Rows), Db);
    check(sqlite3_step(Insert), Db);
    check(sqlite3_reset(Insert), Db);
    CAUSAL_PROGRESS_NAMED("insert");
    if (++Rows % RowsKept == 0) { /* Memory stays bounded. */
      check(sqlite3_step(Clear), Db);
      check(sqlite3_reset(Clear), Db);
    }
  }
  atomic_fetch_add(&Inserted, Rows);
  sqlite3_finalize(Insert);
  sqlite3_finalize(Clear);
  sqlite3_close(Db);
  return NULL;
}

int main(int Argc, char **Argv) {
  int Threads = Argc > 1 ? atoi(Argv[1]) : 4;
  int Seconds = Argc > 2 ? atoi(Argv[2]) : 20;
  pthread_t Ids[MaxThreads];
  if (Threads < 1 || Threads > MaxThreads || Seconds < 1) {
    fprintf(stderr, "usage: sqlite_insert [threads, 1 to %d] [seconds]\n",
            MaxThreads);
    return 1;
  }
  for (int I = 0; I < Threads; ++I)
    if (pthread_create(&Ids[I], NULL, insertRows, NULL) != 0)
      abort();
  for (unsigned Left = (unsigned)Seconds; Left > 0;)
    Left = sleep(Left);
  atomic_store(&Stop, 1);
  for (int I = 0; I < Threads; ++I)
    pthread_join(Ids[I], NULL);
  printf("%.0f inserts per second\n", (double)Inserted / Seconds);
  return 0;
}
