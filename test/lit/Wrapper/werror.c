// No flag that we add is ever reported as unused.
//
// RUN: mkdir -p %t && cd %t && cp %s a.c && cp %s a.cpp
// DEFINE: %{cc} = %causal_clang -fcausal-profile -Werror -Wall
// RUN: %{cc} -c a.c -o a.o
// RUN: %{cc} -S a.c -o a.s
// RUN: %{cc} -E a.c -o a.i
// RUN: %{cc} -M a.c -o a.d
// RUN: %{cc} -MMD -MF a.d -c a.c -o a.o
// RUN: %{cc} -fsyntax-only a.c
// RUN: %{cc} -S -emit-llvm a.c -o a.ll
// RUN: %{cc} -c -emit-llvm a.c -o a.bc
// RUN: %{cc} -c -flto=thin a.c -o thin.o
// RUN: %{cc} -c a.i -o i.o
// RUN: %{cc} -c a.s -o s.o
// RUN: cp a.s b.S && %{cc} -c b.S -o s.o
// RUN: %{cc} -c a.ll -o ll.o
// RUN: %{cc} -c a.bc -o bc.o
// RUN: %{cc} -x c-header a.c -o a.pch
// RUN: %{cc} -save-temps=obj -c a.c -o st.o
// RUN: %{cc} -c a.c a.cpp
// RUN: %{cc} a.o -o prog && ./prog
// RUN: %{cc} a.s -o prog && ./prog
// RUN: %{cc} -DNO_MAIN -c a.c -o lib.o && %{cc} a.ll lib.o -o prog && ./prog
#ifdef NO_MAIN
int lib(void) { return 0; }
#else
int main(void) { return 0; }
#endif
