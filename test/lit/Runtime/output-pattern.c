// Patterns are expanded and missing directories made.
// RUN: rm -rf %t.dir
// RUN: %causal_clang -fcausal-profile -O1 -Wl,--build-id=0x1234abcd %s -o %t
// RUN: %env_causal_opts=output=%t.dir/sub/%%m-%%%%.causal %t
// RUN: FileCheck %s --input-file=%t.dir/sub/1234abcd-%%.causal
// CHECK: "build_id":"1234abcd"
// What begins with %%t is as absolute as that directory.
// RUN: mkdir -p %t.dir/tmp && cd %t.dir && env TMPDIR=%t.dir/tmp CAUSAL_OPTIONS=output=%%t/deep/out.causal %t
// RUN: FileCheck %s --input-file=%t.dir/tmp/deep/out.causal
#include <stdio.h>
int main(void) {}
