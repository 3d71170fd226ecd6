// Nothing is lost or counted twice, whoever is killed when.
// RUN: rm -rf %t.db
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %python %S/Inputs/kill.py %causal %t %t.db
#include "Inputs/burn.h"
#include <stdlib.h>
int main(int Count, char **Words) {
  burn(strtoul(Words[1], 0, 10));
  return Count != 2;
}
