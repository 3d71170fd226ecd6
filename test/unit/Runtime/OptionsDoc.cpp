//===- OptionsDoc.cpp - Writes docs/reference/options.md ----------------------------
//===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one argument is the file to write. Everything in it comes from
// causal_flags.inc but the introduction.
//
//===----------------------------------------------------------------------===//
#include "causal/ProfileFormat.h"

#include <cstdio>
#include <map>
#include <string>

namespace {

std::string shown(bool Value) { return Value ? "true" : "false"; }
std::string shown(int Value) { return std::to_string(Value); }
std::string shown(uint64_t Value) { return std::to_string(Value); }
std::string shown(const char *Value) { return *Value ? Value : "(empty)"; }

const char *kind(bool) { return "0, 1, yes, no, true, false"; }
const char *kind(int) { return "a number"; }
const char *kind(uint64_t) { return "a number from 0"; }
const char *kind(const char *) { return "text"; }

const char Introduction[] = R"(# Options of the running program

<!-- Generated from runtime/base/causal_flags.inc by the target update-options-doc. -->

A profiled program reads the environment variable `CAUSAL_OPTIONS`:

```
CAUSAL_OPTIONS=verbosity=1:output=/tmp/%p.causal ./prog
```

Options are `name=value`, separated by `:` or white space; the last mention of a
name wins. A value that holds white space is quoted: `scope='/src/a b/*'`. A `:` needs
no quotes (`fixed_line=a.c:7`) unless the name of an option and `=` follow it. Commas
belong to the value. Numbers are decimal, or hexadecimal after `0x`. An option that
is unknown, malformed or out of range is reported and otherwise ignored: it never
ends the program. `help=1` prints this list with the values in effect.

In `scope` and `exclude`, `*` stands for any characters (`/` too), `?` for one and
`[a-z]` for one of a set. A pattern that begins neither with `/` nor with `*` may
begin at any directory, and one that ends with `/` means all below: `scope=src/,*.h`.

| Option | Default | Values | Meaning |
|---|---|---|---|
)";

} // namespace

int main(int Argc, char **Argv) {
  FILE *Out = Argc == 2 ? fopen(Argv[1], "w") : nullptr;
  if (!Out) {
    fprintf(stderr, "usage: causal-options-doc FILE (which must be writable)\n");
    return 1;
  }
  std::map<std::string, std::string> Allowed;
#define CAUSAL_FLAG_RANGE(Name, Min, Max)                                                          \
  Allowed[#Name] = std::to_string(Min) + " to " + std::to_string(Max);
#define CAUSAL_FLAG_CHOICES(Name, Choices) Allowed[#Name] = Choices;
#include "base/causal_flags.inc"
  fputs(Introduction, Out);
  auto Row = [&](const char *Name, std::string Default, std::string Values,
                 std::string Description) {
    if (auto Found = Allowed.find(Name); Found != Allowed.end())
      Values = Found->second;
    for (size_t I = 0; (I = Values.find('|', I)) != Values.npos; I += 2)
      Values.replace(I, 1, ", ");
    // Markdown would take it for a tag.
    for (size_t I = 0; (I = Description.find('<', I)) != Description.npos; ++I)
      Description.replace(I, 1, "&lt;");
    fprintf(Out, "| `%s` | `%s` | %s | %s |\n", Name, Default.c_str(), Values.c_str(),
            Description.c_str());
  };
#define CAUSAL_FLAG(Type, Name, Default, Description)                                              \
  Row(#Name, shown(static_cast<Type>(Default)), kind(static_cast<Type>(Default)), Description);
#include "base/causal_flags.inc"
  return fclose(Out) != 0;
}
