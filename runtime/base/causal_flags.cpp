//===- causal_flags.cpp - CAUSAL_OPTIONS ----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_flags.h. The table below is causal_flags.inc with each flag's
// place in Flags; all else goes through it.
//
//===----------------------------------------------------------------------===//
#include "base/causal_flags.h"

namespace __causal {
namespace {

enum class FlagType { Bool, Int, UInt64, String };

// A flag's type, by the type of its member.
constexpr FlagType typeOf(bool Flags::*) { return FlagType::Bool; }
constexpr FlagType typeOf(int Flags::*) { return FlagType::Int; }
constexpr FlagType typeOf(uint64_t Flags::*) { return FlagType::UInt64; }
constexpr FlagType typeOf(const char *Flags::*) { return FlagType::String; }

struct FlagInfo {
  const char *Name;
  const char *Description;
  FlagType Type;
  size_t Offset;
};

constexpr FlagInfo Table[] = {
#define CAUSAL_FLAG(Type, Name, Default, Description)                                              \
  {#Name, Description, typeOf(&Flags::Name), offsetof(Flags, Name)},
#include "base/causal_flags.inc"
};

struct FlagRange {
  const char *Name;
  int64_t Min, Max;
};

constexpr FlagRange Ranges[] = {
#define CAUSAL_FLAG_RANGE(Name, Min, Max) {#Name, Min, Max},
#include "base/causal_flags.inc"
};

struct FlagChoices {
  const char *Name, *Choices;
};

constexpr FlagChoices Choices[] = {
#define CAUSAL_FLAG_CHOICES(Name, Choices) {#Name, Choices},
#include "base/causal_flags.inc"
};

template <typename T> T &valueOf(Flags &F, const FlagInfo &Info) {
  return *reinterpret_cast<T *>(reinterpret_cast<char *>(&F) + Info.Offset);
}

template <typename T> const T &valueOf(const Flags &F, const FlagInfo &Info) {
  return *reinterpret_cast<const T *>(reinterpret_cast<const char *>(&F) + Info.Offset);
}

template <typename T, size_t N> const T *findByName(const T (&Array)[N], const char *Name) {
  for (const T &Entry : Array)
    if (textEquals(Entry.Name, Name))
      return &Entry;
  return nullptr;
}

/// Text with a piece of a string in quotes, cut where it gets long.
void putQuoted(TextBuffer &Out, const char *Text) {
  Out.put('\'');
  for (unsigned I = 0; Text[I]; ++I) {
    if (I == 60) {
      Out.put("...");
      break;
    }
    unsigned char C = static_cast<unsigned char>(Text[I]);
    Out.put(C < 0x20 ? '?' : Text[I]); // A report is one line.
  }
  Out.put('\'');
}

void putValue(TextBuffer &Out, const Flags &F, const FlagInfo &Info) {
  switch (Info.Type) {
  case FlagType::Bool:
    Out.put(valueOf<bool>(F, Info) ? "true" : "false");
    break;
  case FlagType::Int:
    Out.putSigned(valueOf<int>(F, Info));
    break;
  case FlagType::UInt64:
    Out.putUnsigned(valueOf<uint64_t>(F, Info));
    break;
  case FlagType::String:
    if (const char *Text = valueOf<const char *>(F, Info))
      Out.put(Text);
    break;
  }
}

/// The number of insertions, removals, replacements and swaps of neighbours
/// that lead from A to B (optimal string alignment). Longer names than Max are
/// far off.
unsigned editDistance(const char *A, const char *B) {
  constexpr unsigned Max = 31;
  size_t LengthA = textLength(A), LengthB = textLength(B);
  if (LengthA > Max || LengthB > Max)
    return ~0u;
  unsigned char Row[3][Max + 1];
  for (unsigned J = 0; J <= LengthB; ++J)
    Row[0][J] = static_cast<unsigned char>(J);
  for (unsigned I = 1; I <= LengthA; ++I) {
    unsigned char *Now = Row[I % 3], *Last = Row[(I + 2) % 3];
    const unsigned char *Before = Row[(I + 1) % 3];
    Now[0] = static_cast<unsigned char>(I);
    for (unsigned J = 1; J <= LengthB; ++J) {
      unsigned Cost = Last[J - 1] + (A[I - 1] != B[J - 1]);
      if (Cost > Last[J] + 1u)
        Cost = Last[J] + 1u;
      if (Cost > Now[J - 1] + 1u)
        Cost = Now[J - 1] + 1u;
      if (I > 1 && J > 1 && A[I - 1] == B[J - 2] && A[I - 2] == B[J - 1] &&
          Cost > Before[J - 2] + 1u)
        Cost = Before[J - 2] + 1u;
      Now[J] = static_cast<unsigned char>(Cost);
    }
  }
  return Row[LengthA % 3][LengthB];
}

/// The flag that was probably meant, or null: a typing error changes no more
/// than a third of a name.
const char *nearestName(const char *Name) {
  const char *Nearest = nullptr;
  unsigned Best = static_cast<unsigned>(textLength(Name) / 3 + 1);
  for (const FlagInfo &Info : Table) {
    unsigned Distance = editDistance(Name, Info.Name);
    if (Distance > Best || (Distance == Best && Nearest))
      continue;
    Best = Distance;
    Nearest = Info.Name;
  }
  return Nearest;
}

/// Decimal, or hexadecimal after 0x. False if it is no number or above Max.
bool parseNumber(const char *Text, uint64_t Max, uint64_t &Value) {
  unsigned Base = 10;
  if (Text[0] == '0' && (Text[1] | 0x20) == 'x') {
    Base = 16;
    Text += 2;
  }
  if (!*Text)
    return false;
  for (Value = 0; *Text; ++Text) {
    unsigned Digit = static_cast<unsigned char>(*Text);
    if (Digit >= '0' && Digit <= '9')
      Digit -= '0';
    else if ((Digit | 0x20) >= 'a' && (Digit | 0x20) <= 'f')
      Digit = (Digit | 0x20) - 'a' + 10;
    else
      return false;
    if (Digit >= Base || Value > (Max - Digit) / Base)
      return false;
    Value = Value * Base + Digit;
  }
  return true;
}

bool parseInt(const char *Text, const FlagRange &Range, int &Value) {
  bool Negative = *Text == '-';
  uint64_t Magnitude;
  if (!parseNumber(Text + Negative, INT32_MAX, Magnitude))
    return false;
  int64_t Signed = static_cast<int64_t>(Magnitude);
  if (Negative)
    Signed = -Signed;
  if (Signed < Range.Min || Signed > Range.Max)
    return false;
  Value = static_cast<int>(Signed);
  return true;
}

bool isChoice(const char *Text, const char *Choices) {
  for (const char *C = Choices; *C;) {
    const char *T = Text;
    while (*T && *T == *C && *T != '|')
      ++T, ++C;
    if (!*T && (!*C || *C == '|'))
      return *Text != '\0';
    while (*C && *C++ != '|')
      ;
  }
  return false;
}

bool parseBool(const char *Text, bool &Value) {
  bool Yes = isChoice(Text, "1|yes|true");
  if (!Yes && !isChoice(Text, "0|no|false"))
    return false;
  Value = Yes;
  return true;
}

class FlagParser {
public:
  FlagParser(Flags &F, const LineReporter &Report) : F(F), Report(Report) {}

  void parse(const char *Text) {
    while (skipSeparators(Text), *Text)
      parseItem(Text);
    agree();
  }

private:
  static bool isSeparator(char C) {
    return C == ':' || C == ' ' || C == '\t' || C == '\n' || C == '\r';
  }

  static void skipSeparators(const char *&Text) {
    while (isSeparator(*Text))
      ++Text;
  }

  /// Reads "name=value" at Text and moves behind it.
  void parseItem(const char *&Text) {
    char NameBuffer[64];
    TextBuffer Name(NameBuffer, sizeof(NameBuffer));
    while (*Text && *Text != '=' && !isSeparator(*Text))
      Name.put(*Text++);
    if (*Text != '=') {
      TextBuffer Message(Line, sizeof(Line));
      putQuoted(Message.put("flag "), NameBuffer);
      Message.put(" has no value, ignored; write ");
      const char *Nearest = nearestName(NameBuffer);
      Report(Message.put(Nearest ? Nearest : "name").put("=value").text());
      return;
    }
    ++Text;
    // The value is read to where it would stay, so that it needs no other
    // place.
    char *Begin = F.Storage + F.StorageUsed;
    TextBuffer Value(Begin, sizeof(F.Storage) - F.StorageUsed);
    const FlagInfo *Info = findByName(Table, NameBuffer);
    // Free text may be file:line, or a path; a number or a choice holds no colon.
    bool IsFree = Info && Info->Type == FlagType::String && !findByName(Choices, NameBuffer);
    readValue(Text, NameBuffer, IsFree, Value);
    // StorageUsed stays below the size: there is always a place to read to.
    if (Value.overflowed() || F.StorageUsed + Value.size() + 1 >= Flags::StorageSize)
      reportValue(NameBuffer, "",
                  "does not fit, ignored; all values together "
                  "may have 4096 bytes");
    else if (!Info)
      reportUnknown(NameBuffer);
    else if (set(*Info, Begin) && Info->Type == FlagType::String)
      F.StorageUsed += static_cast<unsigned>(Value.size()) + 1;
  }

  /// Whether free text goes on behind the colons at Text: no flag follows, nor the end. A
  /// misspelt flag is one, too, or nobody would hear of it.
  static bool areOfText(const char *Text) {
    while (*Text == ':')
      ++Text;
    if (!*Text || isSeparator(*Text))
      return false;
    char Buffer[64];
    TextBuffer Name(Buffer, sizeof(Buffer));
    while (*Text && *Text != '=' && !isSeparator(*Text))
      Name.put(*Text++);
    return *Text != '=' || !nearestName(Buffer);
  }

  void readValue(const char *&Text, const char *Name, bool IsFree, TextBuffer &Value) {
    char Quote = *Text == '\'' || *Text == '"' ? *Text++ : '\0';
    while (*Text && (Quote ? *Text != Quote : !isSeparator(*Text))) {
      Value.put(*Text++);
      while (!Quote && IsFree && *Text == ':' && areOfText(Text))
        Value.put(*Text++);
    }
    if (!Quote)
      return;
    if (*Text)
      ++Text;
    else
      reportValue(Name, Value.text(), "lacks its closing quote");
  }

  bool set(const FlagInfo &Info, const char *Text) {
    switch (Info.Type) {
    case FlagType::Bool:
      if (parseBool(Text, valueOf<bool>(F, Info)))
        return true;
      return refuse(Info, Text, "0, 1, yes, no, true, false");
    case FlagType::Int:
      return setInt(Info, Text);
    case FlagType::UInt64: {
      uint64_t Value;
      if (!parseNumber(Text, UINT64_MAX, Value))
        return refuse(Info, Text, "0 to 18446744073709551615");
      valueOf<uint64_t>(F, Info) = Value;
      return true;
    }
    case FlagType::String:
      const FlagChoices *Allowed = findByName(Choices, Info.Name);
      if (Allowed && !isChoice(Text, Allowed->Choices))
        return refuse(Info, Text, Allowed->Choices);
      valueOf<const char *>(F, Info) = Text;
      return true;
    }
    return false;
  }

  bool setInt(const FlagInfo &Info, const char *Text) {
    static constexpr FlagRange All = {nullptr, INT32_MIN + 1, INT32_MAX};
    const FlagRange *Range = findByName(Ranges, Info.Name);
    if (!Range)
      Range = &All;
    if (parseInt(Text, *Range, valueOf<int>(F, Info)))
      return true;
    char Buffer[48];
    TextBuffer Allowed(Buffer, sizeof(Buffer));
    Allowed.putSigned(Range->Min).put(" to ").putSigned(Range->Max);
    return refuse(Info, Text, Buffer);
  }

  /// Decides what is left to the runtime, and brings values that contradict each other to agree.
  void agree() {
    if (!F.experiment_ms)
      F.experiment_ms = isChoice(F.schedule, "paper") ? 500 : 100;
    if (F.max_experiment_ms < F.experiment_ms) {
      TextBuffer Message(Line, sizeof(Line));
      Message.put("max_experiment_ms=").putSigned(F.max_experiment_ms);
      Message.put(" is less than experiment_ms, raised to ");
      Message.putSigned(F.experiment_ms);
      F.max_experiment_ms = F.experiment_ms;
      Report(Line);
    }
    if (F.sample_period_us && F.sample_period_us < LeastSamplePeriodUs) {
      TextBuffer Message(Line, sizeof(Line));
      Message.put("sample_period_us=").putSigned(F.sample_period_us);
      Message.put(" would leave the program no time between samples, raised to ");
      Message.putSigned(LeastSamplePeriodUs);
      F.sample_period_us = LeastSamplePeriodUs;
      Report(Line);
    }
  }

  bool refuse(const FlagInfo &Info, const char *Text, const char *Allowed) {
    TextBuffer Message(Line, sizeof(Line));
    Message.put("flag '").put(Info.Name).put("' cannot be ");
    putQuoted(Message, Text);
    Message.put(" (allowed: ").put(Allowed).put("); it stays ");
    putValue(Message, F, Info);
    Report(Line);
    return false;
  }

  void reportUnknown(const char *Name) {
    TextBuffer Message(Line, sizeof(Line));
    putQuoted(Message.put("unknown flag "), Name);
    Message.put(", ignored; ");
    if (const char *Nearest = nearestName(Name))
      Message.put("did you mean '").put(Nearest).put("'?");
    else
      Message.put("help=1 lists the flags");
    Report(Line);
  }

  void reportValue(const char *Name, const char *Value, const char *What) {
    TextBuffer Message(Line, sizeof(Line));
    putQuoted(Message.put("value of flag "), Name);
    if (*Value)
      putQuoted(Message.put(", "), Value);
    Report(Message.put(' ').put(What).text());
  }

  Flags &F;
  const LineReporter &Report;
  char Line[512];
};

} // namespace

void parseFlags(Flags &F, const char *Text, const LineReporter &Report) {
  if (Text)
    FlagParser(F, Report).parse(Text);
}

void describeFlags(const Flags &F, const LineReporter &Print) {
  // A string's value may fill the storage.
  char Line[Flags::StorageSize + 512];
  Print("Available flags for CausalProfiler:");
  for (const FlagInfo &Info : Table) {
    TextBuffer Name(Line, sizeof(Line));
    Print(Name.put('\t').put(Info.Name).text());
    TextBuffer Text(Line, sizeof(Line));
    Text.put("\t\t- ").put(Info.Description).put(" (Current Value: ");
    putValue(Text, F, Info);
    Print(Text.put(')').text());
  }
}

} // namespace __causal
