/*===- sqlite_columns.c - Tables of growing width in SQLite ------------------===
 *
 * Part of the causal profiler, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * Makes tables of 8 to 1,553 columns, and reads and changes a row of each. The
 * example of docs/user/input.md: link it with sqlite3.c, both built with
 * -fcausal-profile=input -O1 -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION.
 */
#include "sqlite3.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(sqlite3 *db, const char *sql) {
  char *message = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &message)) {
    fprintf(stderr, "%s\n", message);
    exit(1);
  }
}

int main(void) {
  for (int columns = 8; columns <= 2000; columns = columns * 4 / 3) {
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db))
      return 1;
    char *sql = malloc(32 * columns + 64);
    int length = sprintf(sql, "create table wide(");
    for (int i = 0; i < columns; ++i)
      length += sprintf(sql + length, "%sfield_%d integer", i ? ", " : "", i);
    sprintf(sql + length, ")");
    run(db, sql);
    run(db, "insert into wide(field_1) values(1)");
    run(db, "select * from wide");
    run(db, "update wide set field_1 = 2 where field_2 is null");
    free(sql);
    sqlite3_close(db);
  }
  return 0;
}
