// Threads that load instrumented libraries, run loops in them that visit progress points and
// wait, and unload them, by turns and at once, while they and others are sampled. One library
// comes to lie where another one was. Functions are what is sampled, since the libraries are of
// one source: a line of both has the name of the function that was seen first.
// RUN: %build
// RUN: %causal_clang -fcausal-profile -D_GNU_SOURCE -O1 -fPIC -shared -pthread -DLIBRARY=first -I%S/Inputs %s -o %t.0.so
// RUN: %causal_clang -fcausal-profile -D_GNU_SOURCE -O2 -fPIC -shared -pthread -DLIBRARY=second -DMORE -I%S/Inputs %s -o %t.1.so
// RUN: %clang -D_GNU_SOURCE -fPIC -shared -pthread -DLIBRARY=first -I%S/Inputs -I%include %s -o %t.native.0.so
// RUN: %clang -D_GNU_SOURCE -fPIC -shared -pthread -DLIBRARY=second -DMORE -I%S/Inputs -I%include %s -o %t.native.1.so
// RUN: %same --experiments --options=fixed_speedup=90:target=function %t.native %t
// RUN: FileCheck %s --input-file=%t.auto.causal
// CHECK-DAG: "name":"first"
// CHECK-DAG: "name":"second"
// CHECK-DAG: "function":"first_{{one|other}}"
// CHECK-DAG: "function":"second_{{one|other}}"
// CHECK: "final":true
#include "busy.h"
#ifdef LIBRARY
#define JOIN(A, B) A##_##B
#define NAME(A, B) JOIN(A, B)
#define TEXT(A) #A
#define POINT(A) CAUSAL_PROGRESS_NAMED(TEXT(A))
struct Job {
  int Number, Done;
};
static int NAME(LIBRARY, one)(int N) {
  volatile int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += I;
  return Sum;
}
static void *NAME(LIBRARY, other)(void *Argument) {
  struct Job *J = Argument;
  for (volatile int I = 0; I < 40000; ++I)
    J->Number += I % 2;
  __atomic_store_n(&J->Done, 1, __ATOMIC_RELEASE);
  return Argument;
}
int libraryWork(void) {
  pthread_t Thread;
  struct Job J = {0, 0};
  if (pthread_create(&Thread, 0, NAME(LIBRARY, other), &J))
    return 0;
  for (int I = 0; I < 20; ++I) {
    NAME(LIBRARY, one)(4000);
    POINT(LIBRARY);
  }
#ifdef MORE
  CAUSAL_BEGIN("in the library");
  work(100);
  CAUSAL_END("in the library");
#endif
  while (!__atomic_load_n(&J.Done, __ATOMIC_ACQUIRE))
    ;
  pthread_join(Thread, 0);
  return J.Number == 20000;
}
#else
#include <dlfcn.h>
static const char *Program;
static void *loads(void *Argument) {
  int First = *(int *)Argument, Calls = 0;
  for (int I = 0; I < 60; ++I) {
    char Path[4096];
    snprintf(Path, sizeof(Path), "%s.%d.so", Program, (First + I) % 2);
    void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
    EXPECT(Library);
    int (*Work)(void) = (int (*)(void))dlsym(Library, "libraryWork");
    Calls += Work();
    EXPECT(dlclose(Library) == 0);
    work(200);
  }
  *(int *)Argument = Calls;
  return 0;
}
int main(int argc, char **argv) {
  pthread_t Threads[2];
  int Numbers[2] = {0, 1};
  Program = argv[0];
  busyBegin();
  for (int I = 0; I < 2; ++I)
    pthread_create(&Threads[I], 0, loads, &Numbers[I]);
  for (int I = 0; I < 2; ++I)
    pthread_join(Threads[I], 0);
  busyEnd();
  printf("%d %d calls\n", Numbers[0], Numbers[1]);
  return 0;
}
#endif
