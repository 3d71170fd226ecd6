//===- causal_signal_stack.h - Where samples find room ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample needs some kilobytes of stack, and the program's may be nearly full: so it is taken
// on an alternative stack. A thread has one:
//
//   the program's   where it has given one by sigaltstack(), if that is large enough; else the
//                   thread is not sampled meanwhile
//   ours            where no thread of the program ever had one. The program is told that there
//                   is none, and its handlers do not run on it: SA_ONSTACK is taken from its
//                   actions until it gives a stack
//   none            in the other threads of a program that gives some: its handlers with
//                   SA_ONSTACK run on the thread's own stack there, and so do ours
//
// Called by the sampler where sampling begins and ends, and by the wrappers of sigaltstack() and
// sigaction(). Nothing here allocates from or locks in libc.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SIGNAL_STACK_H
#define CAUSAL_SIGNAL_STACK_H

#include "thread/causal_thread.h"

#include <signal.h>

namespace __causal {

/// What the sample handler needs below the kernel's frame: with that, SIGSTKSZ is enough.
/// test/lit/Runtime/handler-stack.c measures.
constexpr size_t SampleStackNeed = 4480;

/// Of the least stack for a signal that the kernel and the sample handler need. Any thread.
size_t leastSignalStack();

/// Gives the calling thread a stack for samples, if it may have one. False if the program's has
/// no room for them: the thread must not be sampled. Own thread, not for handlers.
bool openSignalStack(ThreadBase &T);
/// Takes ours back. Own thread, not for handlers.
void closeSignalStack(ThreadBase &T);
/// sigaltstack(), as the program sees it. Real is libc's. Any thread, handlers of the program
/// included.
int changeSignalStack(const stack_t *New, stack_t *Old, int (*Real)(const stack_t *, stack_t *));
/// Whether the calling thread runs on an alternative stack, ours included. Any context.
bool isOnSignalStack();

/// The action that the kernel is to have for one of the program's. Any thread.
void beforeAction(int Signal, struct sigaction &Action);
/// The kernel has it now: the program may have given its first stack meanwhile.
void afterAction(int Signal);
/// Whether the program's action that the kernel has for Signal is one with SA_ONSTACK, though
/// the kernel's has it not. Any thread.
bool lacksOnStack(int Signal);
/// The program has set an action for Signal that has no SA_ONSTACK. Any thread.
void forgetOnStack(int Signal);
/// From now on they do, where they ask for it. Any thread.
void allowSignalStacks();
/// Whether handlers of the program may run on alternative stacks. Any context.
bool programHasSignalStacks();

} // namespace __causal

#endif // CAUSAL_SIGNAL_STACK_H
