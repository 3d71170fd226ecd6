// CMake from 3.28 on looks for C++20 modules with clang-scan-deps, which knows no
// option of ours.
//
// REQUIRES: scan-deps
// RUN: %causal_clang-scan-deps -format=p1689 -- %causal_clangxx -fcausal-profile -Werror \
// RUN:   -std=c++20 -x c++ %s -c -o %t.o | FileCheck %s
// CHECK: "logical-name": "profiled"
#ifdef __CAUSAL_PROFILE__
import profiled;
#endif
#include <causal/causal.h>
