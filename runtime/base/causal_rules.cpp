//===- causal_rules.cpp - Ground rules that check themselves --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_rules.h.
//
//===----------------------------------------------------------------------===//
#include "base/causal_rules.h"

#if CAUSAL_CHECK_RULES
#include "base/causal_syscall.h"
#include "base/causal_text.h"

#include <unistd.h>

namespace __causal {
namespace {

constexpr unsigned MostHeld = 8;
__thread const void *Held[MostHeld];
__thread unsigned HeldCount, HandlerDepth;
LockOrder Order;

// Not by way of CAUSAL_REPORT, which takes a lock.
void breakRule(const char *Rule) {
  char Line[200];
  TextBuffer Text(Line, sizeof(Line));
  Text.put("causal: rule broken (docs/internals/debugging.md): ").put(Rule).put('\n');
  systemCall(SYS_write, STDERR_FILENO, word(Line), Text.size());
  __builtin_trap();
}

} // namespace

HandlerScope::HandlerScope() { ++HandlerDepth; }
HandlerScope::~HandlerScope() { --HandlerDepth; }

void checkNotInHandler(const char *What) {
  if (HandlerDepth)
    breakRule(What);
}

LockScope::LockScope(const void *Lock, bool InHandlers) {
  if (!InHandlers)
    checkNotInHandler("the sample handler takes a lock");
  for (unsigned I = 0; I < HeldCount && I < MostHeld; ++I)
    if (!Order.take(Held[I], Lock))
      breakRule("two locks are taken in both orders, or one twice");
  if (HeldCount < MostHeld)
    Held[HeldCount] = Lock;
  ++HeldCount;
}
LockScope::~LockScope() { --HeldCount; }

} // namespace __causal
#endif
