// A program that nobody instrumented is sampled by the daemon; one that counts for itself is
// counted once.
// REQUIRES: system-wide
// RUN: rm -rf %t.db
// RUN: %clang -O1 %s -o %t.plain -Wl,--build-id
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t.own
// RUN: %python %S/Inputs/system.py %causal %t.db %t.plain %t.own
#include "Inputs/burn.h"
int main(void) {
  burn(300);
  return 0;
}
