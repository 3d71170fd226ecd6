//===- causal_glob.h - Which source files are in scope ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Globs on source paths, for the flags scope, exclude and fixed_line. Called
// when an image is registered. All of it: any context, allocates and blocks
// never; time is at most the product of the lengths, whatever the pattern.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_GLOB_H
#define CAUSAL_GLOB_H

#include <stddef.h>
#include <stdint.h>

namespace __causal {

/// True if Pattern matches all of Text. '*': any characters, '/' too; '?': any
/// one character; [a-z], [!a-z]: one of a set; '\' takes the next one as it
/// stands. A
/// '[' without its ']' stands for itself.
bool globMatch(const char *Pattern, const char *Text);

/// True if one of the patterns in List, separated by ',' or ';', matches Path.
/// Blanks around a pattern and empty ones mean nothing. A pattern that begins
/// neither with '/' nor '*' may begin at any directory ("src/*.c"); one that
/// ends with '/' means all below.
bool globListMatch(const char *List, const char *Path);

/// True for what the system and the compiler bring: headers and libraries'
/// sources under /usr (but not /usr/src or /usr/local/src), /lib*, the
/// compiler's own headers wherever it is installed, and the profiler's headers.
bool isSystemPath(const char *Path);

/// True if lines of Path may be selected, by the flags scope and exclude. A
/// file of the profiler itself never is.
bool isInScope(const char *Path, const char *Scope, const char *Exclude);

/// True if the program at Path is one that configure, CMake or meson built to try the compiler:
/// nobody asked for its profile.
bool isBuildCheck(const char *Path);

/// True if Spec, "file:line", means this line. The file may be given by the end
/// of its path, from a '/' on: "b/a.c" means "/x/b/a.c", not "/x/bb/a.c".
bool sourceLineMatch(const char *Spec, const char *Path, uint32_t Line);
/// The same for file:function, by the name that the line table has.
bool functionMatch(const char *Spec, const char *Path, const char *Function);

/// Function without the arguments of templates, in Text: "A::f" of "A<int>::f<char>". False
/// if it has none, or Text, of Size bytes, has no room.
bool withoutTemplateArguments(const char *Function, char *Text, size_t Size);

} // namespace __causal

#endif // CAUSAL_GLOB_H
