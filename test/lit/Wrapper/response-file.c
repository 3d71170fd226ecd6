// Our option in a response file, and one that is too long for a command line.
//
// RUN: mkdir -p %t && cd %t
// RUN: echo '-fcausal-profile -c "%s" -o out.o' > args && %causal_clang -Werror @args
// RUN: llvm-nm out.o | FileCheck %s
// RUN: %python -c "print('-fcausal-profile', '-Wall ' * 500000)" > long
// RUN: %causal_clang -Werror @long -DX='"a b"' -c %s -o long.o
// RUN: cmp out.o long.o
// CHECK: U __causal_version_mismatch_check
int main(void) { return 0; }
