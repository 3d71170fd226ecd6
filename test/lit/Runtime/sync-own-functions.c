// A program's own functions under C11's names are the program's, in every file.
// RUN: split-file %s %t
// RUN: %causal_clang -fcausal-profile -O1 %t/use.c %t/own.c -o %t/program
// RUN: %env_causal_opts=experiment_ms=5:output=%t/causal %t/program
//--- own.c
int Calls;
int mtx_lock(int *M) { return ++Calls + *M; }
int thrd_create(int *T) { return ++Calls + *T; }
long syscall(long Number) { return -Number; }
//--- use.c
int mtx_lock(int *M);
int thrd_create(int *T);
long syscall(long Number);
extern int Calls;
int main(void) {
  int Value = 40;
  return !(mtx_lock(&Value) == 41 && thrd_create(&Value) == 42 &&
           syscall(202) == -202 && Calls == 2);
}
