// First in PATH, lib/causal/bin turns a build that calls clang over to us.
//
// RUN: mkdir -p %t && cd %t
// RUN: echo 'CC=clang; $CC -fcausal-profile -Werror -c "$1" -o c.o' > build.sh
// RUN: echo '${CC}++ -x c++ -fcausal-profile -Werror -c "$1" -o cxx.o' >> build.sh
// RUN: env PATH=%libdir/bin:/usr/bin:/bin sh -e build.sh %s
// RUN: llvm-nm c.o | FileCheck %s && llvm-nm cxx.o | FileCheck %s
// CHECK: U __causal_version_mismatch_check
int main(void) { return 0; }
