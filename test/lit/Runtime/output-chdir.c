// A relative path means the directory that the program was started in.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: cd %t.dir && %env_causal_opts=output=here.causal %t
// RUN: FileCheck %s --input-file=%t.dir/here.causal
// CHECK: "type":"run"
#include <unistd.h>
int main(void) { return chdir("/"); }
