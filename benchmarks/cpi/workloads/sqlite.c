/* Deterministic SQLite on one thread: inserts, an index, scans, a join, grouping, LIKE,
 * update, delete. argv[1]: rounds. */
#include "sqlite3.h"
#include <stdio.h>
#include <stdlib.h>

static void run(sqlite3 *db, const char *sql) {
  char *message = 0;
  if (sqlite3_exec(db, sql, 0, 0, &message)) {
    fprintf(stderr, "%s: %s\n", sql, message);
    exit(1);
  }
}

static long sum_of(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, 0)) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    exit(1);
  }
  long sum = 0;
  while (sqlite3_step(statement) == SQLITE_ROW)
    sum += sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return sum;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  long sum = 0;
  for (int round = 0; round < rounds; ++round) {
    sqlite3 *db;
    sqlite3_open(":memory:", &db);
    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL);"
            "CREATE TABLE u(k INTEGER, s TEXT);");
    sqlite3_stmt *insert;
    sqlite3_prepare_v2(db, "INSERT INTO t(a,b,c) VALUES(?1, 'row number ' || ?1 || ' of the table', ?1 * 0.37)",
                       -1, &insert, 0);
    run(db, "BEGIN");
    unsigned long z = 88172645463325252ul;
    for (int k = 0; k < 20000; ++k) {
      z ^= z << 13;
      z ^= z >> 7;
      z ^= z << 17;
      sqlite3_bind_int64(insert, 1, z % 5000);
      sqlite3_step(insert);
      sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    run(db, "COMMIT; CREATE INDEX ta ON t(a);"
            "INSERT INTO u SELECT a, substr(b,1,20) FROM t WHERE id % 10 = 0;");
    sum += sum_of(db, "SELECT count(*) FROM t WHERE b LIKE '%99%'");
    sum += sum_of(db, "SELECT sum(a) FROM t GROUP BY a % 100 ORDER BY 1 DESC");
    for (int k = 0; k < 1000; ++k) {
      char sql[96];
      snprintf(sql, sizeof sql, "SELECT count(*) FROM t WHERE a BETWEEN %d AND %d", k * 5, k * 5 + 20);
      sum += sum_of(db, sql);
    }
    sum += sum_of(db, "SELECT count(*) FROM u JOIN t ON u.k = t.a WHERE t.c > 100");
    sum += sum_of(db, "SELECT id FROM t ORDER BY c, b LIMIT 500");
    run(db, "UPDATE t SET c = c + 1 WHERE a < 1000; DELETE FROM t WHERE id % 3 = 0;");
    sqlite3_close(db);
  }
  printf("%ld\n", sum);
  return 0;
}
