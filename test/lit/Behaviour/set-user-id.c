// A program that has privileges its user lacks trusts nobody's environment, and writes
// no profile anywhere.
// REQUIRES: root, setpriv
// RUN: %build
// RUN: %python %S/Inputs/set_user_id.py %t | FileCheck %s
// CHECK-NOT: forged
// CHECK: program
// CHECK: worked
// CHECK: causal: the program has privileges that its user lacks: it is not profiled.
#include "busy.h"
#include <unistd.h>
int main(void) {
  busyBegin();
  work(20000);
  busyEnd();
  puts("worked");
  return 0;
}
