// Without the flag the wrapper is clang, byte for byte: files and messages.
//
// RUN: mkdir -p %t && cd %t
// RUN: %causal_clang -O2 -g -c %s -o ours.o && %clang -O2 -g -c %s -o plain.o && cmp ours.o plain.o
// RUN: %causal_clangxx -x c++ -E %s > ours.i && %clangxx -x c++ -E %s > plain.i && cmp ours.i plain.i
// RUN: %causal_clang -fcausal-profile -fno-causal-profile %s -o ours && %clang %s -o plain && cmp ours plain
// RUN: not %causal_clang -DBROKEN -c %s 2> ours.txt; not %clang -DBROKEN -c %s 2> plain.txt; cmp ours.txt plain.txt
// RUN: not %causal_clangxx 2> ours.txt; not %clangxx 2> plain.txt; cmp ours.txt plain.txt
// RUN: %causal_clang -v 2> ours.txt; %clang -v 2> plain.txt; cmp ours.txt plain.txt
// RUN: %causal_clang --print-resource-dir > ours.txt; %clang --print-resource-dir > plain.txt; cmp ours.txt plain.txt
#ifdef BROKEN
int broken(void) { return undeclared; }
#endif
int main(void) { return 0; }
