// Time in assembly without call frame information belongs to the line that called it, whatever
// the assembly does with the stack, and with a frame pointer or without.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O2 %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
// RUN: %python %S/Inputs/line_share.py %t.causal assembly-caller.c:54 0.9
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O2 -fno-omit-frame-pointer %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
// RUN: %python %S/Inputs/line_share.py %t.causal assembly-caller.c:54 0.9
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O0 -static %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
// RUN: %python %S/Inputs/line_share.py %t.causal assembly-caller.c:54 0.9
#include <causal/causal.h>
#include <time.h>

// As nasm writes it. All but the leaf use rbp for something else, and kernel() leaves most of its
// frame as it was.
__asm__("leaf:\n"
        "  movl $100000, %ecx\n"
        "1: imulq %rcx, %rax\n"
        "  decl %ecx\n"
        "  jnz 1b\n"
        "  ret\n"
        "kernel:\n"
        "  push %rbx\n"
        "  push %rbp\n"
        "  push %r12\n"
        "  sub $1600, %rsp\n"
        "  mov $300000, %ebp\n"
        "1: imulq %rbp, %rax\n"
        "  mov %rax, 8(%rsp)\n"
        "  decl %ebp\n"
        "  jnz 1b\n"
        "  call leaf\n"
        "  add $1600, %rsp\n"
        "  pop %r12\n"
        "  pop %rbp\n"
        "  pop %rbx\n"
        "  ret\n");
void kernel(void), leaf(void);

// Leaves addresses of calls behind, where the assembly's frame will be.
__attribute__((noinline)) static int descend(int Depth) {
  volatile char Frame[64] = {(char)Depth};
  return Depth ? descend(Depth - 1) + Frame[Depth % 64] : Frame[0];
}

__attribute__((noinline)) static void call(void) {
  volatile int Frames = descend(12);
  (void)Frames;
  for (int I = 0; I < 4; ++I)
    kernel(); // Line 54, from two frames deep.
}
int main(void) {
  clock_t Begin = clock();
  while (clock() - Begin < CLOCKS_PER_SEC / 3) {
    CAUSAL_PROGRESS;
    call();
  }
}
