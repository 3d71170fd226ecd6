//===- Coroutine.cpp - Stackful coroutines without system calls -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Coroutine.h.
//
//===----------------------------------------------------------------------===//
#include "Coroutine.h"

#include <cstdint>

#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define CAUSAL_START_SWITCH(Fake, Stack, Size) __sanitizer_start_switch_fiber(Fake, Stack, Size)
#define CAUSAL_FINISH_SWITCH(Fake, Stack, Size) __sanitizer_finish_switch_fiber(Fake, Stack, Size)
#else
#define CAUSAL_START_SWITCH(Fake, Stack, Size) (void)0
#define CAUSAL_FINISH_SWITCH(Fake, Stack, Size) (void)0
#endif

using namespace __causal;

// causalSwitch(void **Save, void *Load): the System V ABI's callee-saved registers
// go to this stack, whose pointer goes to *Save; Load is such a stack's. A new one
// begins at causalBegin, with main's argument in r12 and main in r13.
extern "C" void causalSwitch(void **Save, void *Load);
extern "C" void causalBegin();
asm(R"(
  .text
  .p2align 4
  .globl causalSwitch
  .hidden causalSwitch
  .type causalSwitch,@function
causalSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size causalSwitch, .-causalSwitch
  .globl causalBegin
  .hidden causalBegin
  .type causalBegin,@function
causalBegin:
  movq %r12, %rdi
  callq *%r13
  ud2
  .size causalBegin, .-causalBegin
)");

std::unique_ptr<char[]> StackPool::take() {
  if (Free.empty())
    return std::unique_ptr<char[]>(new char[Size]); // Not zeroed.
  std::unique_ptr<char[]> Stack = std::move(Free.back());
  Free.pop_back();
  return Stack;
}

Coroutine::Coroutine(std::function<void()> B, StackPool &P)
    : Body(std::move(B)), Pool(P), Stack(P.take()) {
  auto Top = reinterpret_cast<uintptr_t>(Stack.get() + StackPool::Size) & ~15ul;
  auto *Frame = reinterpret_cast<uintptr_t *>(Top) - 7;
  Frame[6] = reinterpret_cast<uintptr_t>(&causalBegin);
  Frame[5] = Frame[4] = Frame[1] = Frame[0] = 0;            // rbp, rbx, r14, r15
  Frame[3] = reinterpret_cast<uintptr_t>(this);             // r12
  Frame[2] = reinterpret_cast<uintptr_t>(&Coroutine::main); // r13
  Inner = Frame;
}

Coroutine::~Coroutine() { Pool.give(std::move(Stack)); }

void Coroutine::main(Coroutine *C) {
  CAUSAL_FINISH_SWITCH(nullptr, &C->OuterStack, &C->OuterSize);
  C->Body();
  C->Done = true;
  // Null instead of &InnerFake: this stack's fake frames are not needed again.
  CAUSAL_START_SWITCH(nullptr, C->OuterStack, C->OuterSize);
  causalSwitch(&C->Inner, C->Outer);
}

bool Coroutine::resume() {
  [[maybe_unused]] void *OuterFake = nullptr;
  CAUSAL_START_SWITCH(&OuterFake, Stack.get(), StackPool::Size);
  causalSwitch(&Outer, Inner);
  CAUSAL_FINISH_SWITCH(OuterFake, nullptr, nullptr);
  return !Done;
}

void Coroutine::suspend() {
  CAUSAL_START_SWITCH(&InnerFake, OuterStack, OuterSize);
  causalSwitch(&Inner, Outer);
  CAUSAL_FINISH_SWITCH(InnerFake, &OuterStack, &OuterSize);
}
