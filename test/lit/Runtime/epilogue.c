// Time in the last instructions of a function that was built without the profiler belongs to
// its caller too, where its call frame information says, as GCC's does, that a register is
// still where it has been taken off the stack.
// RUN: rm -f %t.causal
// RUN: %clang -O2 -DLIBRARY -shared -fPIC %s -o %t.so
// RUN: %causal_clang -fcausal-profile -O2 %s %t.so -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
// RUN: %python %S/Inputs/line_share.py %t.causal epilogue.c:36 0.9
#ifdef LIBRARY
asm("  .globl quotient\n"
    "  .type quotient,@function\n"
    "quotient:\n"
    "  .cfi_startproc\n"
    "  pushq %rbx\n"
    "  .cfi_def_cfa_offset 16\n"
    "  .cfi_offset 3, -16\n"
    "  movl %edi, %ebx\n"
    "  cvtsi2sd %ebx, %xmm0\n"
    "  popq %rbx\n"
    "  .cfi_def_cfa_offset 8\n" // No .cfi_restore.
    "  sqrtsd %xmm0, %xmm0\n"
    "  divsd %xmm0, %xmm0\n"
    "  sqrtsd %xmm0, %xmm0\n"
    "  divsd %xmm0, %xmm0\n"
    "  ret\n"
    "  .cfi_endproc\n"
    "  .size quotient,.-quotient\n");
#else
#include <causal/causal.h>
#include <time.h>
double quotient(int Of);
int main(void) {
  clock_t Begin = clock();
  while (clock() - Begin < CLOCKS_PER_SEC / 3) {
    for (int I = 0; I < 20000; ++I)
      quotient(I); // One line.
    CAUSAL_PROGRESS;
  }
}
#endif
