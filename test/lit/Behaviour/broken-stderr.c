// A message goes where nobody reads, or where no more may be written: the program's own ends
// are as without it.
// RUN: %build
// RUN: env CAUSAL_OPTIONS=output=%t.causal bash -c '%t 2> >(true); echo status $?' | FileCheck %s
// RUN: env CAUSAL_OPTIONS=output=%t.causal bash -c 'ulimit -f 0; %t 2> %t.err | cat; echo status ${PIPESTATUS[0]}' | FileCheck %s
// CHECK: done
// CHECK-NEXT: status 0
#include <stdio.h>
#include <unistd.h>
int main(void) {
  usleep(100000); // Until the reader has gone.
  puts("done"); // Is written at the end, after the message.
  return 0;
}
