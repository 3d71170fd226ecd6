// Where samples have no line since llvm-bolt has moved the code, runtime and report say that,
// and not that a flag is missing. The work is done in what has no line table.
// RUN: rm -f %t.causal
// RUN: %clang -O1 -DWORK -c %s -o %t.work.o
// RUN: %causal_clang -fcausal-profile -O1 %s %t.work.o -o %t.linked
// RUN: llvm-objcopy --add-section .bolt.org.text=%s %t.linked %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --implicit-check-not='Build the code'
// CHECK: causal: no experiment was made: none of {{[0-9]+}} samples fell into a source line: the program was rewritten after it was linked (llvm-bolt)
// RUN: not %causal report %t.causal > %t.report 2>&1
// RUN: FileCheck %s --input-file=%t.report --check-prefix=REPORT --implicit-check-not='-fcausal-profile'
// REPORT: % of the samples belong to no line: the program was rewritten after it was linked
// REPORT: No sample fell into a source line: the program was rewritten after it was linked (llvm-bolt)

// As it is linked, it is not said:
// RUN: rm -f %t.causal
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t.linked 2> %t.err
// RUN: not grep "was rewritten" %t.err
// RUN: not grep '"rewritten"' %t.causal
#ifdef WORK
#include <time.h>
void visit(void);
int main(void) {
  clock_t Begin = clock();
  while (clock() - Begin < CLOCKS_PER_SEC / 2)
    ;
  visit(); // Last: the first sample comes at a random time of the first period.
}
#else
#include <causal/causal.h>
void visit(void) { CAUSAL_PROGRESS; }
#endif
