//===- SteppedCalls.h - What the unwinder is tested in ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions whose every instruction UnwindTest.cpp takes a sample in. They call
// into libc as programs do, or have frames that compilers seldom make.
//
//===----------------------------------------------------------------------===//
#ifndef STEPPEDCALLS_H
#define STEPPEDCALLS_H

namespace stepped {

void copyAndLength();
void sortWithCallback();
void format();
void allocate();
void parseNumber();
void lockAndUnlock();
void readClock();
/// The first call of a function, which the dynamic linker binds.
void bindLazily();
/// A handler runs on top of code of libc, and calls libc itself.
void signalWithinSort();
void throwAndCatch();

/// Frames whose address is kept in each register that may hold it, and computed
/// by expressions.
void unusualFrames();

} // namespace stepped

#endif // STEPPEDCALLS_H
