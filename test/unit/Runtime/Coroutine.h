//===- Coroutine.h - Stackful coroutines without system calls ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a simulated thread runs on. A switch saves the callee-saved registers and the
// stack pointer; swapcontext would also set the signal mask, a system call, and is
// two hundred times slower. x86-64 only, as the profiler is. Exceptions may not
// leave a body.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_COROUTINE_H
#define CAUSAL_TEST_COROUTINE_H

#include <functional>
#include <memory>
#include <vector>

namespace __causal {

/// Stacks to be used again: programs of short threads make many.
class StackPool {
public:
  static constexpr size_t Size = 64 << 10;
  std::unique_ptr<char[]> take();
  void give(std::unique_ptr<char[]> Stack) { Free.push_back(std::move(Stack)); }

private:
  std::vector<std::unique_ptr<char[]>> Free;
};

class Coroutine {
public:
  Coroutine(std::function<void()> Body, StackPool &Pool);
  ~Coroutine();
  Coroutine(const Coroutine &) = delete;

  /// Runs the body until it calls suspend() or returns. Returns false if it returned;
  /// then it may not be resumed again.
  bool resume();
  /// From within the body: back to who called resume().
  void suspend();

private:
  static void main(Coroutine *C);

  std::function<void()> Body;
  StackPool &Pool;
  std::unique_ptr<char[]> Stack;
  void *Inner = nullptr,
       *Outer = nullptr;                             ///< Stack pointers while switched out.
  [[maybe_unused]] const void *OuterStack = nullptr; ///< For the address sanitizer.
  [[maybe_unused]] size_t OuterSize = 0;
  [[maybe_unused]] void *InnerFake = nullptr;
  bool Done = false;
};

} // namespace __causal

#endif // CAUSAL_TEST_COROUTINE_H
