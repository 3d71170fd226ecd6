// Patterns are expanded and missing directories made.
// RUN: rm -rf %t.dir
// RUN: %causal_clang -fcausal-profile -O1 -Wl,--build-id=0x1234abcd %s -o %t
// RUN: %env_causal_opts=output=%t.dir/sub/%%m-%%%%.causal %t
// RUN: FileCheck %s --input-file=%t.dir/sub/1234abcd-%%.causal
// CHECK: "build_id":"1234abcd"
#include <stdio.h>
int main(void) {}
