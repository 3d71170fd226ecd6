// The front-end plugin loads the pass plugin beside it; once, if the command line
// names it too, be it under another path.
// RUN: %clang -fplugin=%libdir/CausalFrontend.so -Rpass='causal' -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang_plugin -Rpass='causal' -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: mkdir -p %t.d && ln -sf %libdir/CausalPass.so %t.d/CausalPass.so
// RUN: %clang -fplugin=%libdir/CausalFrontend.so -fpass-plugin=%t.d/CausalPass.so -Rpass='causal' -Xclang -fdebug-pass-manager -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ONCE
// ONCE-COUNT-1: Running pass: {{.*}}SyncInstrumentationPass
// ONCE-NOT: Running pass: {{.*}}SyncInstrumentationPass
// CHECK: remark: kill is called through the runtime
// CHECK-NOT: remark:
// RUN: llvm-nm -u %t.o | FileCheck %s --check-prefix=NM
// NM: __causal_kill
int kill(int, int);
int f(void) { return kill(1, 2); }
