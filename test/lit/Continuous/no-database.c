// Where there can be no segment, the program runs as ever, and one line says why.
// RUN: rm -rf %t.dir %t.open && mkdir -p %t.dir/read-only %t.open/spool
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
//
// No database is named.
// RUN: not env CAUSAL_OPTIONS=mode=continuous %t > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OUT --input-file=%t.out %s
// RUN: FileCheck --check-prefix=NONE --input-file=%t.err %s && grep -c ^ %t.err | grep -x 1
// NONE: causal: mode=continuous needs a database: {{.*}} db= in CAUSAL_OPTIONS
//
// It is a file; it is below one; its path is too long.
// RUN: touch %t.dir/file
// RUN: not env CAUSAL_OPTIONS=mode=continuous:db=%t.dir/file %t > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OUT --input-file=%t.out %s
// RUN: FileCheck --check-prefix=FILE --input-file=%t.err %s && grep -c ^ %t.err | grep -x 1
// RUN: not env CAUSAL_OPTIONS=mode=continuous:db=%t.dir/file/db %t > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=FILE --input-file=%t.err %s && grep -c ^ %t.err | grep -x 1
// FILE: causal: cannot open the database {{.*}}file{{.*}}: the program is not profiled.
// RUN: not env CAUSAL_OPTIONS=mode=continuous:db=/proc/self/nowhere/db %t > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OUT --input-file=%t.out %s
// RUN: grep -c ^ %t.err | grep -x 1
//
// The file would be larger than the user may make it: as on a full disk, but no signal comes.
// RUN: bash -c "ulimit -f 100; CAUSAL_OPTIONS=mode=continuous:db=%t.dir/small %t" > %t.out 2> %t.err || true
// RUN: FileCheck --check-prefix=OUT --input-file=%t.out %s
// RUN: FileCheck --check-prefix=FULL --input-file=%t.err %s && grep -c ^ %t.err | grep -x 1
// FULL: causal: cannot make a segment in {{.*}}: the program is not profiled. Free some space
// RUN: ls %t.dir/small/spool | count 0
//
// Everybody may replace files in it.
// RUN: chmod 777 %t.open %t.open/spool
// RUN: not env CAUSAL_OPTIONS=mode=continuous:db=%t.open %t > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OPEN --input-file=%t.err %s && grep -c ^ %t.err | grep -x 1
// OPEN: causal: cannot trust the database {{.*}}: let causal db share make it
// RUN: %causal db share %t.open
// RUN: not env CAUSAL_OPTIONS=mode=continuous:db=%t.open %t > %t.out 2> %t.err
// RUN: count 0 < %t.err
//
// Its spool is a link.
// RUN: rm -rf %t.link && mkdir %t.link && ln -s %t.dir/read-only %t.link/spool
// RUN: not env CAUSAL_OPTIONS=mode=continuous:db=%t.link %t > %t.out 2> %t.err
// RUN: grep -c ^ %t.err | grep -x 1
// RUN: ls %t.dir/read-only | count 0
//
// It is removed under the program, and nothing is made in its place.
// RUN: not env CAUSAL_OPTIONS=mode=continuous:db=%t.gone %t %t.gone > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OUT --input-file=%t.out %s
// RUN: count 0 < %t.err
// RUN: not ls %t.gone
//
// OUT: done
#include "Inputs/burn.h"
#include <stdio.h>
#include <stdlib.h>
int main(int Count, char **Words) {
  char Command[4096];
  burn(20);
  if (Count > 1) {
    snprintf(Command, sizeof(Command), "rm -rf %s", Words[1]);
    if (system(Command))
      return 0;
  }
  burn(20);
  puts("done");
  return 5;
}
