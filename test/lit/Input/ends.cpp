// However the program ends, the profile is whole: activations that are pending then count.
// RUN: %causal_clangxx -fcausal-profile=input -O1 %s -o %t
// RUN: %python %S/Inputs/ends.py %t return | FileCheck %s
// RUN: %python %S/Inputs/ends.py %t exit | FileCheck %s
// RUN: %python %S/Inputs/ends.py %t quick_exit | FileCheck %s
// RUN: %python %S/Inputs/ends.py %t _exit | FileCheck %s
// CHECK: == {{.*}}: 7
// CHECK-NEXT: snapshot final lost 0
// CHECK-NEXT: calls _Z6insideiPPc:1 main:1
// CHECK-NOT: calls
// Before another program takes its place what is complete is written:
// RUN: %python %S/Inputs/ends.py %t exec | FileCheck %s --check-prefix=EXEC
// EXEC: == exec: 7
// EXEC-NEXT: calls _Z8completePi:1
// Where exec fails the run goes on, and nothing counts twice:
// RUN: %python %S/Inputs/ends.py %t badexec | FileCheck %s --check-prefix=BADEXEC
// BADEXEC: == badexec: 7
// BADEXEC-NEXT: snapshot final lost 0
// BADEXEC-NEXT: calls _Z6insideiPPc:1 _Z8completePi:1 main:1
// A child of fork is a run of its own, with what ends in it; one of vfork is none:
// RUN: %python %S/Inputs/ends.py %t fork | FileCheck %s --check-prefix=FORK
// FORK: == fork: 7
// FORK-NEXT: snapshot final lost 0
// FORK-NEXT: calls _Z8completePi:1 main:1
// FORK-NEXT: snapshot final lost 0
// FORK-NEXT: calls _Z6insideiPPc:1 main:1
// RUN: %python %S/Inputs/ends.py %t vfork | FileCheck %s
// Switched off, or with options that cannot be used, it runs as ever:
// RUN: %python %S/Inputs/ends.py %t return enabled=0 | FileCheck %s --check-prefix=OFF
// OFF: == return: 7
// OFF-NOT: calls
// RUN: %python %S/Inputs/ends.py %t return metric=size output=/proc/none/x | FileCheck %s --check-prefix=WRONG
// WRONG: == return: 7
// WRONG-DAG: flag 'metric' cannot be 'size' (allowed: trms|rms|external); it stays trms
// WRONG-DAG: cannot open /proc/none/x
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void complete(int *P) { *P += 1; }
__attribute__((noinline)) void inside(int Count, char **Words) {
  int Sum = 0;
  for (int I = 0; I < Count; ++I)
    Sum += Words[I][0];
  asm volatile("" ::"r"(Sum));
  if (!strcmp(Words[1], "exit"))
    exit(7);
  if (!strcmp(Words[1], "quick_exit"))
    quick_exit(7);
  if (!strcmp(Words[1], "_exit"))
    _exit(7);
  if (strstr(Words[1], "exec")) {
    complete(&Sum);
    asm volatile("" ::"r"(Sum));
    char Shell[] = "sh", Option[] = "-c", Command[] = "exit 7";
    char *Arguments[] = {Shell, Option, Command, nullptr};
    execv(!strcmp(Words[1], "exec") ? "/bin/sh" : "/nowhere", Arguments);
  }
}

int main(int Count, char **Words) {
  inside(Count, Words);
  if (!strcmp(Words[1], "fork")) {
    int Value = 1;
    pid_t Child = fork();
    if (!Child) {
      complete(&Value);
      asm volatile("" ::"r"(Value));
      exit(3);
    }
    int Status;
    waitpid(Child, &Status, 0);
    return WEXITSTATUS(Status) == 3 ? 7 : 1;
  }
  if (!strcmp(Words[1], "vfork")) {
    pid_t Child = vfork();
    if (!Child)
      _exit(3);
    int Status;
    waitpid(Child, &Status, 0);
  }
  return 7;
}
