// A counter stands first in each block, keeps flags where they are read, leaves ENDBR first.
// RUN: %clang_plugin %no_sync %no_module -O2 -fcf-protection=branch -fbasic-block-address-map -Xclang -mllvm -Xclang -causal-count -S %s -o - | FileCheck %s
// Without the option nothing is counted.
// RUN: %clang_plugin %no_sync %no_module -O2 -S %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: causal_cnt

// CHECK-LABEL: f:
// CHECK: endbr64
// CHECK-NEXT: lock incq .Lcausal_counters0+0(%rip)
// CHECK: .section causal_cnt,"aw",@nobits
// CHECK: .section causal_cntmap,"o",@progbits,.text
// CHECK-NEXT: .quad .Lcausal_counted0
// CHECK-NEXT: .quad .Lcausal_counters0
// CHECK-LABEL: flags:
// CHECK: cmpl
// CHECK: leaq -128(%rsp), %rsp
// CHECK-NEXT: pushfq
// CHECK-NEXT: lock incq .Lcausal_counters1+8(%rip)
// CHECK-NEXT: popfq
// CHECK-NEXT: leaq 128(%rsp), %rsp
// CHECK-LABEL: naked:
// CHECK-NOT: incq
// CHECK: -- End function
int f(int n) { return n > 3 ? 7 : n; }

int g(int), h(int);
int flags(int a, int b) {
  int c = a;
  if (a < b)
    return g(a);
  if (a == b)
    return h(b);
  return c;
}

__attribute__((naked)) void naked(void) { __asm__("ret"); }
