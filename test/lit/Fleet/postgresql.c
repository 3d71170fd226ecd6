// What PostgreSQL makes of exports is what the tool says: of one, of the same again, of a later
// one of the same machine.
// REQUIRES: postgresql
// RUN: rm -rf %t.db %t.one %t.two
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=continuous:db=%t.db %t
// RUN: %causal db collect %t.db
// RUN: %causal db export --format=csv -o %t.one %t.db
// RUN: %python %source_dir/test/fleet/postgresql.py %postgresql %source_dir/share/causal/postgresql.sql %t.one > %t.once
// RUN: %python %S/Inputs/compare.py %causal %t.db %t.once
// RUN: %python %source_dir/test/fleet/postgresql.py %postgresql %source_dir/share/causal/postgresql.sql %t.one %t.one > %t.twice
// RUN: diff %t.once %t.twice
// RUN: %env_causal_opts=mode=continuous:db=%t.db %t
// RUN: %causal db collect %t.db
// RUN: %causal db export --format=csv -o %t.two %t.db
// RUN: %python %source_dir/test/fleet/postgresql.py %postgresql %source_dir/share/causal/postgresql.sql %t.one %t.two > %t.later
// RUN: %python %S/Inputs/compare.py %causal %t.db %t.later
#include "../Continuous/Inputs/burn.h"
int main(void) {
  burn(200);
  return 0;
}
