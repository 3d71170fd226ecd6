// `causal report` of a database: text, JSON and a page, in which names are escaped. Another
// process's samples that nobody has collected are told of.
// RUN: rm -rf %t.db
// RUN: %causal_clang -fcausal-profile -O1 %s -o "%t<b>"
// RUN: %env_causal_opts=mode=continuous:db=%t.db "%t<b>"
// RUN: %causal report %t.db 2>&1 | FileCheck --check-prefix=WAITS %s
// WAITS: 1 processes have samples that are not collected yet: causal db collect
// RUN: %causal db collect %t.db
// RUN: %causal report %t.db | FileCheck %s
// CHECK: samples, {{.*}} of CPU time; 0 dropped
// CHECK: three ({{.*}}<b>)
// RUN: %causal report --format=json %t.db | FileCheck --check-prefix=JSON %s
// JSON: "name": "three"
// RUN: %causal report --html=%t.html %t.db
// RUN: FileCheck --check-prefix=HTML --input-file=%t.html %s
// HTML-NOT: <b>
// HTML: &lt;b&gt;">three</td>
// HTML: burn.h:{{[45]}}</td>
// HTML: &lt;b&gt;</td>
#include "Inputs/burn.h"
int main(void) {
  burn(200);
  return 0;
}
