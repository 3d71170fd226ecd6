// Programs by which configure, CMake and meson try the compiler leave no profile: its runs
// would be added up with those of the program that is being built.
// RUN: rm -rf %t && mkdir -p %t/CMakeFiles/CMakeScratch/TryCompile-a %t/meson-private && cd %t
// RUN: %causal_clang -fcausal-profile -O1 %s -o prog
// RUN: cp prog conftest && cp prog CMakeFiles/CMakeScratch/TryCompile-a/cmTC_1 && cp prog meson-private/sanitycheckc.exe
// RUN: ./conftest 2>&1 | count 0
// RUN: ./CMakeFiles/CMakeScratch/TryCompile-a/cmTC_1 2>&1 | count 0
// RUN: ./meson-private/sanitycheckc.exe 2>&1 | count 0
// RUN: ls | FileCheck %s --implicit-check-not=default.causal
// CHECK: prog
// RUN: %env_causal_opts=verbosity=1 ./conftest 2>&1 | FileCheck %s --check-prefix=SAID
// SAID: causal: this is a program by which a build tries its compiler: it is not profiled. Give it another name or folder if it is yours
// RUN: ./prog && FileCheck %s --check-prefix=PROFILE --input-file=default.causal
// PROFILE: "type":"run"
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 200; ++I) {
    CAUSAL_PROGRESS_NAMED("round");
    WORK(1000);
  }
}
