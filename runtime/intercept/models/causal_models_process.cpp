//===- causal_models_process.cpp - Threads and ends of the process --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not models of memory: the places at which the runtime has to be told that a second thread
// comes, or that the process ends without its exit handlers.
//
//===----------------------------------------------------------------------===//
#include "intercept/causal_interceptors.h"
#include "intercept/models/causal_models.h"

#include <pthread.h>
#include <unistd.h>

using namespace __causal;

// Before it is made: from then on a read joins a cell by an atomic operation.
CAUSAL_WEAK_INTERPOSER(int, pthread_create,
                       (pthread_t * Handle, const pthread_attr_t *Attributes,
                        void *(*Start)(void *), void *Argument),
                       (Handle, Attributes, Start, Argument)) {
  __atomic_store_n(&Threaded, true, __ATOMIC_RELAXED);
  int Error = real_pthread_create(Handle, Attributes, Start, Argument);
  if (!Error)
    writeRange(Handle, sizeof(*Handle));
  return Error;
}

CAUSAL_WEAK_INTERPOSER(void, _exit, (int Status), (Status)) {
  finishInputProcess();
  real__exit(Status);
  __builtin_unreachable();
}
CAUSAL_WEAK_INTERPOSER(void, _Exit, (int Status), (Status)) {
  finishInputProcess();
  real__Exit(Status);
  __builtin_unreachable();
}

// Should it fail, the run goes on: what is written is emptied.
#define EXEC(Name, Params, Args)                                                                   \
  CAUSAL_WEAK_INTERPOSER(int, Name, Params, Args) {                                                \
    writeInputBeforeExec();                                                                        \
    return real_##Name Args;                                                                       \
  }
EXEC(execve, (const char *Path, char *const *Arguments, char *const *Variables),
     (Path, Arguments, Variables))
EXEC(execv, (const char *Path, char *const *Arguments), (Path, Arguments))
EXEC(execvp, (const char *File, char *const *Arguments), (File, Arguments))
EXEC(execvpe, (const char *File, char *const *Arguments, char *const *Variables),
     (File, Arguments, Variables))

void __causal::resolveProcessModels() {
  resolve_pthread_create(), resolve__exit(), resolve__Exit();
  resolve_execve(), resolve_execv(), resolve_execvp(), resolve_execvpe();
}
