// The runtime is in executables, once, and nowhere else.
//
// RUN: mkdir -p %t && cd %t
// DEFINE: %{cc} = %causal_clang -fcausal-profile -Werror
// RUN: %{cc} -fPIC -c %s -o a.o
// RUN: %{cc} -fPIC -DLIB -c %s -o lib.o
//
// RUN: %{cc} a.o lib.o -o bfd && ./bfd
// RUN: llvm-nm bfd | FileCheck %s --check-prefix=RUNTIME
// RUN: %{cc} -fuse-ld=lld a.o lib.o -o lld && ./lld
// RUN: llvm-nm lld | FileCheck %s --check-prefix=RUNTIME
// RUN: %{cc} -no-pie a.o lib.o -o nopie && ./nopie
// RUN: %{cc} -Wl,--gc-sections a.o lib.o -o gc && ./gc
// RUN: %{cc} %s lib.o -o mixed && ./mixed
// RUNTIME: T __causal_register_image
//
// RUN: %{cc} -static a.o lib.o -o static && ./static
// RUN: %{cc} -static -fuse-ld=lld a.o lib.o -o static && ./static
// RUN: %{cc} -static-pie a.o lib.o -o static && ./static
// RUN: llvm-nm static | FileCheck %s --check-prefix=RUNTIME
//
// RUN: %{cc} -shared lib.o -o liblib.so && llvm-nm -D liblib.so | FileCheck %s --check-prefix=UNDEFINED
// RUN: %{cc} -shared -Wl,-z,defs lib.o -o liblib.so
// RUN: %{cc} -shared -Wl,--no-undefined -fuse-ld=lld lib.o -o liblib.so
// RUN: %{cc} a.o -L. -llib -Wl,-rpath,%t -o shared && ./shared
// UNDEFINED: U __causal_
//
// RUN: %{cc} -r a.o lib.o -o both.o && llvm-nm both.o | FileCheck %s --check-prefix=RELOCATABLE
// RUN: %{cc} both.o -o again && ./again
// RELOCATABLE-NOT: T __causal_register_image
//
// RUN: %clang -c %s -o plain.o && %causal_clang plain.o lib.o -o mix -fcausal-profile && ./mix
#ifdef LIB
int lib(void) { return 0; }
#else
int lib(void);
int main(void) { return lib(); }
#endif
