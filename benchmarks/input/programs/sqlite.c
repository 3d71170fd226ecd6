/* Two threads, each with its own :memory: database: inserts, an index, ordered and grouped selects. */
#include "sqlite3.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long rows;
static void run(sqlite3 *d, const char *s) {
  char *e = 0;
  if (sqlite3_exec(d, s, 0, 0, &e)) {
    printf("%s: %s\n", s, e);
    exit(1);
  }
}
static void *work(void *a) {
  sqlite3 *d;
  sqlite3_open(":memory:", &d);
  run(d, "create table t(a integer, b text, c real)");
  run(d, "begin");
  sqlite3_stmt *s;
  sqlite3_prepare_v2(d, "insert into t values(?,?,?)", -1, &s, 0);
  for (long i = 0; i < rows; ++i) {
    char b[32];
    int n = snprintf(b, sizeof b, "row %ld", i * 7919 % rows);
    sqlite3_bind_int64(s, 1, i * 31 % 1009);
    sqlite3_bind_text(s, 2, b, n, SQLITE_TRANSIENT);
    sqlite3_bind_double(s, 3, i * .5);
    sqlite3_step(s);
    sqlite3_reset(s);
  }
  sqlite3_finalize(s);
  run(d, "commit");
  run(d, "create index i on t(a)");
  run(d, "select count(*), sum(c) from t group by a");
  run(d, "select * from t order by b");
  run(d, "select count(*) from t x join t y on x.a = y.a where x.a < 20");
  sqlite3_close(d);
  return 0;
}
int main(int c, char **v) {
  rows = c > 1 ? atol(v[1]) : 30000;
  pthread_t t[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; ++i)
    pthread_join(t[i], 0);
  return 0;
}
