// The runtime needs nothing but libc: it links into a C program alone, with both
// linkers. Weak references are to what may be there: other sanitizers' interceptors,
// hooks that sanitizer_common leaves open, and variables of libc.
//
// RUN: %clang %s -o %t.bfd -fuse-ld=bfd -nodefaultlibs \
// RUN:   %runtime -lc
// RUN: llvm-readelf --needed-libs %t.bfd | FileCheck %s
// RUN: %clang %s -o %t.lld -fuse-ld=lld -nodefaultlibs \
// RUN:   %runtime -lc
// RUN: llvm-readelf --needed-libs %t.lld | FileCheck %s
//
// RUN: %clang %s -o %t.input -nodefaultlibs %libdir/clang_rt.causal_input-x86_64.o -lc
// RUN: llvm-readelf --needed-libs %t.input | FileCheck %s
// RUN: %clang %s -o %t.fast -nodefaultlibs %libdir/clang_rt.causal_input_fast-x86_64.o -lc
// RUN: llvm-readelf --needed-libs %t.fast | FileCheck %s
//
// CHECK:      NeededLibraries [
// CHECK-NEXT: libc.so.6
// CHECK-NEXT: ]
//
// RUN: llvm-nm -u %runtime | sed -n 's/^ *[wv] //p' > %t.weak
// RUN: not grep -vE '^(___interceptor_|__sanitizer_|_ZN12__causal_san[0-9]+real_|__libc_stack_end$|__progname$|__rseq_(offset|size)$|_DYNAMIC$|real_(clock_gettime|pthread_attr_getstack)$)' %t.weak
//
// Thread-local variables are at fixed offsets: no call in a handler that could
// allocate. Nothing is thrown, and no lock or allocation of C++ is used.
// RUN: llvm-nm -u %runtime | sed -n 's/^ *U //p' > %t.strong
// RUN: not grep -E '^(__tls_get_addr|_Unwind_|__cxa_|__gxx_|_Z)' %t.strong

int main(void) { return 0; }
