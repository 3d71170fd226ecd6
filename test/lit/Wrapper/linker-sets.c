// Records that a program's own files put into a section of theirs stay, though nothing else
// refers to them: GNU ld keeps such sections.
// RUN: %causal_clang -fcausal-profile -O1 -DRECORD=2 -c %s -o %t.2.o
// RUN: %causal_clang -fcausal-profile -O1 -ffunction-sections -DRECORD=1 -DMAIN -Wl,--gc-sections %s %t.2.o -o %t
// RUN: %t | FileCheck %s
// CHECK: sum 3
#include <stdio.h>
__attribute__((section("plugins"), used)) static int Record = RECORD;
#ifdef MAIN
extern int __start_plugins[], __stop_plugins[];
int main(void) {
  int Sum = 0;
  for (int *Each = __start_plugins; Each < __stop_plugins; ++Each)
    Sum += *Each;
  printf("sum %d\n", Sum);
}
#endif
