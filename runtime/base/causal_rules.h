//===- causal_rules.h - Ground rules that check themselves ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A runtime that was built with CAUSAL_CHECK_RULES (preset debug) ends the program
// where a ground rule of runtime/README.md is broken, with a line that names it. Users
// never get it: nothing here is left in a release. Called by the sample handler, by
// locks and by mapMemory().
//
// Context: any.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RULES_H
#define CAUSAL_RULES_H

namespace __causal {

/// In which order locks are taken. Pure; zeroed it has seen none. Of more than Max locks the
/// rest is not looked at.
class LockOrder {
public:
  static constexpr unsigned Max = 16;

  /// False if Held was taken at another time while Taken was held.
  bool take(const void *Held, const void *Taken) {
    unsigned A = number(Held), B = number(Taken);
    if (A == Max || B == Max || A == B)
      return A != B || A == Max;
    __atomic_store_n(&Before[A][B], true, __ATOMIC_SEQ_CST);
    return !__atomic_load_n(&Before[B][A], __ATOMIC_SEQ_CST);
  }

private:
  unsigned number(const void *Lock) {
    for (unsigned I = 0; I < Max; ++I) {
      const void *Free = nullptr;
      if (__atomic_compare_exchange_n(&Locks[I], &Free, Lock, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST) ||
          Free == Lock)
        return I;
    }
    return Max;
  }
  const void *Locks[Max];
  bool Before[Max][Max];
};

#if CAUSAL_CHECK_RULES
/// The calling thread runs the sample handler while one lives.
class HandlerScope {
public:
  HandlerScope();
  ~HandlerScope();
};
/// The calling thread holds Lock while one lives.
class LockScope {
public:
  LockScope(const void *Lock, bool InHandlers);
  ~LockScope();
};
void checkNotInHandler(const char *What);
#else
struct HandlerScope {
  HandlerScope() {}
};
struct LockScope {
  LockScope(const void *, bool) {}
};
inline void checkNotInHandler(const char *) {}
#endif

} // namespace __causal

#endif // CAUSAL_RULES_H
