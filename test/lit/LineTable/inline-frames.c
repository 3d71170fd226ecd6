// An inlined call has the frames of its callers, with the lines of the calls.
// RUN: %clang -c %stub_runtime -o %t.stub.o
// RUN: %clang_plugin -O2 %s %t.stub.o -o %t.exe && %linemap_dump %t.exe | FileCheck %s
// CHECK: sorted
volatile int Sink;
static void inner(int X) {
  Sink = X; // INNER
}
static void outer(int X) {
  inner(X + 1); // CALL
}
// CHECK: size 0x{{[0-9a-f]+}} main
// CHECK: inline-frames.c:[[#@LINE-6]] inner < {{.*}}inline-frames.c:[[#@LINE-3]] outer < {{.*}}inline-frames.c:[[#@LINE+2]] main
int main(int Argc, char **Argv) {
  outer(Argc);
  return 0;
}
