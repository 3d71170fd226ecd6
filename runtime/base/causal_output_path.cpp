//===- causal_output_path.cpp - The profile's file name -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_output_path.h.
//
//===----------------------------------------------------------------------===//
#include "base/causal_output_path.h"

namespace __causal {

static void putFact(TextBuffer &Path, const char *Fact) {
  if (Fact)
    Path.put(Fact);
}

static void reportUnknown(char Letter, const char *Pattern, const LineReporter &Report) {
  char Line[512];
  TextBuffer Message(Line, sizeof(Line));
  Message.put("output: unknown pattern '%");
  if (Letter)
    Message.put(Letter);
  Message.put("', kept as it stands (known: %p %h %t %m %%) in '");
  Message.put(Pattern).put('\'');
  Report(Line);
}

bool expandOutputPath(const char *Pattern, const OutputPathFacts &Facts, char *Buffer, size_t Size,
                      const LineReporter &Report) {
  TextBuffer Path(Buffer, Size);
  for (const char *P = Pattern; *P; ++P) {
    if (*P != '%') {
      Path.put(*P);
      continue;
    }
    switch (*++P) {
    case 'p':
      Path.putUnsigned(Facts.Pid);
      break;
    case 'h':
      putFact(Path, Facts.Host);
      break;
    case 't':
      Path.put(Facts.TmpDir && *Facts.TmpDir ? Facts.TmpDir : "/tmp");
      break;
    case 'm':
      putFact(Path, Facts.Signature);
      break;
    case '%':
      Path.put('%');
      break;
    default:
      reportUnknown(*P, Pattern, Report);
      Path.put('%');
      if (*P)
        Path.put(*P);
      else
        --P; // The terminator ends the loop.
    }
  }
  if (!Path.overflowed())
    return true;
  Buffer[0] = '\0';
  char Line[512];
  TextBuffer Message(Line, sizeof(Line));
  Message.put("output: the path is longer than ").putUnsigned(Size - 1);
  Message.put(" bytes; choose a shorter one: '").put(Pattern).put('\'');
  Report(Line);
  return false;
}

} // namespace __causal
