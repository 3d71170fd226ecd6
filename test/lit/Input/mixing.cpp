// Objects for cells of different sizes do not link, nor do those of different modes; the linker
// says which check is missing.
// RUN: %causal_clangxx -fcausal-profile=input -O1 -DPART -c %s -o %t.4.o
// RUN: %causal_clangxx -fcausal-profile=input-fast -O1 -c %s -o %t.8.o
// RUN: not %causal_clangxx -fcausal-profile=input %t.4.o %t.8.o -o %t 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: undefined reference to `__causal_input_cell_size_mismatch_check_v1_8'
// RUN: not %causal_clangxx -fcausal-profile %t.4.o %t.8.o -o %t 2>&1 | FileCheck %s --check-prefix=MODE
// MODE: undefined reference to `__causal_input_
// RUN: not %causal_clangxx -fcausal-profile=input -static %t.4.o -o %t 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: -fcausal-profile=input cannot be linked with -static
// RUN: not %causal_clangxx -fcausal-profile=inputs -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: -fcausal-profile=inputs: write input or input-fast
// RUN: not %causal_clangxx -fcausal-profile=input -fcausal-input-cost=time -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=COST
// COST: -fcausal-input-cost=time: write instructions or blocks
int part(int *P);
#ifdef PART
int part(int *P) { return *P; }
#else
int main(int, char **V) { return part(reinterpret_cast<int *>(V)) == 0; }
#endif
