//===- SourceText.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/SourceText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

using namespace llvm;

namespace causal {

/// Where \p File is; empty: nowhere.
std::string SourceText::pathOf(StringRef File) const {
  if (sys::fs::is_regular_file(File))
    return File.str();
  for (StringRef Tail = File; !Root.empty() && !Tail.empty();) {
    SmallString<256> Candidate(Root);
    sys::path::append(Candidate, Tail);
    if (sys::fs::is_regular_file(Candidate))
      return Candidate.str().str();
    Tail = Tail.drop_front(std::min(Tail.size(), Tail.find('/')));
    Tail = Tail.ltrim('/');
  }
  return "";
}

const MemoryBuffer *SourceText::load(StringRef File) {
  auto [It, New] = Files.try_emplace(File);
  if (!New)
    return It->second.get();
  if (std::string Found = pathOf(File); !Found.empty())
    if (auto Buffer = MemoryBuffer::getFile(Found))
      It->second = std::move(*Buffer);
  return It->second.get();
}

std::vector<StringRef> SourceText::newerThan(int64_t Time, ArrayRef<StringRef> Files) {
  std::vector<StringRef> Newer;
  for (StringRef File : Files) {
    sys::fs::file_status Status;
    std::string Found = pathOf(File);
    if (!Found.empty() && !sys::fs::status(Found, Status) &&
        Status.getLastModificationTime().time_since_epoch().count() > Time)
      Newer.push_back(File);
  }
  return Newer;
}

std::optional<StringRef> SourceText::text(StringRef File) {
  const MemoryBuffer *Buffer = load(File);
  if (!Buffer)
    return std::nullopt;
  return Buffer->getBuffer();
}

std::optional<StringRef> SourceText::find(StringRef File, unsigned Line) {
  const MemoryBuffer *Buffer = load(File);
  if (!Buffer)
    return std::nullopt;
  StringRef Text = Buffer->getBuffer();
  // A report asks for many lines of one file: where they begin is kept.
  std::vector<size_t> &Starts = LineStarts[File];
  if (Starts.empty()) {
    Starts.push_back(0);
    for (size_t I = Text.find('\n'); I != StringRef::npos; I = Text.find('\n', I + 1))
      Starts.push_back(I + 1);
  }
  if (Line == 0 || Line > Starts.size() || Starts[Line - 1] == Text.size())
    return std::nullopt;
  return Text.drop_front(Starts[Line - 1]).take_until([](char C) { return C == '\n'; });
}

std::optional<std::string> SourceText::line(StringRef File, unsigned Line) {
  std::optional<StringRef> Text = find(File, Line);
  if (!Text)
    return std::nullopt;
  return printable(Text->trim());
}

std::optional<std::string> SourceText::indented(StringRef File, unsigned Line) {
  std::optional<StringRef> Text = find(File, Line);
  if (!Text)
    return std::nullopt;
  // Tabs as most editors show them: of eight columns.
  std::string Spaced;
  for (char C : Text->rtrim()) {
    if (C == '\t')
      Spaced.append(8 - Spaced.size() % 8, ' ');
    else
      Spaced += C;
  }
  return printable(Spaced);
}

/// The last \p Parts components of \p Path; of a group, of each of its paths.
static std::string lastComponents(StringRef Path, unsigned Parts) {
  std::string Short;
  for (StringRef Each : splitGroup(Path)) {
    size_t At = Each.size();
    for (unsigned Left = Parts; Left && At != StringRef::npos; --Left)
      At = Each.rfind('/', At);
    Short += Short.empty() ? "" : ",";
    Short += At == StringRef::npos ? Each : Each.drop_front(At + 1);
  }
  return Short;
}

StringMap<std::string> shortNames(ArrayRef<StringRef> Files) {
  StringMap<std::string> Names;
  std::set<StringRef> Left(Files.begin(), Files.end());
  for (unsigned Parts = 1; !Left.empty(); ++Parts) {
    StringMap<unsigned> Uses;
    for (StringRef F : Left)
      ++Uses[lastComponents(F, Parts)];
    for (auto It = Left.begin(); It != Left.end();) {
      std::string Name = lastComponents(*It, Parts);
      if (Uses[Name] == 1 || Name == *It) {
        Names[*It] = Name;
        It = Left.erase(It);
      } else {
        ++It;
      }
    }
  }
  return Names;
}

/// Demanglers recurse for each letter of some names. No compiler's names are so long.
static constexpr size_t LongestMangled = 4096;

/// Bytes of the UTF-8 sequence that \p Text begins with if it is a control character of
/// more than one byte, or turns the direction of text; else 0.
static size_t unprintable(StringRef Text) {
  if (Text.size() >= 2 && Text[0] == '\xc2' && uint8_t(Text[1]) >= 0x80 && uint8_t(Text[1]) < 0xa0)
    return 2; // U+0080 to U+009F
  if (Text.size() < 3 || Text[0] != '\xe2')
    return 0;
  uint8_t Second = uint8_t(Text[1]), Third = uint8_t(Text[2]);
  bool Turns = (Second == 0x80 && (Third == 0x8e || Third == 0x8f)) || // U+200E, U+200F
               (Second == 0x80 && Third >= 0xaa && Third <= 0xae) ||   // U+202A to U+202E
               (Second == 0x81 && Third >= 0xa6 && Third <= 0xa9);     // U+2066 to U+2069
  return Turns ? 3 : 0;
}

std::string printable(StringRef Text) {
  std::string Out;
  Out.reserve(Text.size());
  while (!Text.empty()) {
    unsigned char C = static_cast<unsigned char>(Text.front());
    size_t Sequence = unprintable(Text);
    Out += C == '\t' ? ' ' : C < 0x20 || C == 0x7f || Sequence ? '?' : Text.front();
    Text = Text.drop_front(std::max<size_t>(Sequence, 1));
  }
  return Out;
}

std::string shortenPath(StringRef Text, size_t Width) {
  if (Text.size() <= Width)
    return Text.str();
  return "..." + Text.take_back(Width - 3).str();
}

std::string shortenCode(StringRef Text, size_t Width) {
  if (Text.size() <= Width)
    return Text.str();
  // Not in the middle of a UTF-8 sequence.
  size_t End = Width - 3;
  while (End && (Text[End] & 0xC0) == 0x80)
    --End;
  return Text.take_front(End).str() + "...";
}

std::string formatTime(double Ns) {
  const char *Units[] = {"ns", "us", "ms", "s"};
  unsigned Unit = 0;
  for (; Ns >= 999.5 && Unit < 3; ++Unit)
    Ns /= 1000;
  // Three digits that count.
  int Decimals = Ns < 9.995 ? 2 : Ns < 99.95 ? 1 : 0;
  std::string Text;
  raw_string_ostream(Text) << format("%.*f ", Decimals, Ns) << Units[Unit];
  return Text;
}

std::string demangledName(StringRef Name) {
  return Name.size() > LongestMangled ? printable(Name) : printable(demangle(Name));
}

std::string shortFunctionName(StringRef Name) {
  if (Name.size() > LongestMangled)
    return printable(Name);
  ItaniumPartialDemangler D;
  std::string Mangled = Name.str();
  if (D.partialDemangle(Mangled.c_str()))
    return printable(Name);
  char *Base = D.getFunctionBaseName(nullptr, nullptr);
  if (!Base)
    return printable(Name);
  std::string Out = printable(Base);
  std::free(Base);
  return Out;
}

std::string placeOf(const SourceLine &L, StringRef File) {
  std::string Of =
      L.Kind == TargetKind::Function ? shortFunctionName(L.Function) : std::to_string(L.Line);
  return printable(File) + ":" + Of + (L.Kind == TargetKind::Section ? ":lock" : "");
}

SmallVector<StringRef> splitGroup(StringRef Text) {
  SmallVector<StringRef> Members;
  size_t Begin = 0, Depth = 0;
  for (size_t At = 0; At < Text.size(); ++At) {
    Depth += Text[At] == '<' || Text[At] == '(';
    Depth -= (Text[At] == '>' || Text[At] == ')') && Depth;
    if (Text[At] != ',' || Depth)
      continue;
    Members.push_back(Text.slice(Begin, At));
    Begin = At + 1;
    if (!Members.back().contains(':'))
      return {Text}; // The comma is a directory's.
  }
  Members.push_back(Text.drop_front(Begin));
  return Members;
}

bool isGroup(const SourceLine &L) { return splitGroup(L.File).size() > 1; }

std::string shortenGroup(StringRef Place, size_t Width) {
  SmallVector<StringRef> Members = splitGroup(Place);
  for (size_t Kept = Members.size() - 1; Kept; --Kept) {
    std::string Short = formatv("{0} and {1} more", join(ArrayRef(Members).take_front(Kept), ","),
                                Members.size() - Kept);
    if (Short.size() <= Width || Kept == 1)
      return Short;
  }
  return Place.str();
}

std::string functionOf(const SourceLine &L, StringRef Word) {
  if (L.Kind == TargetKind::Function || L.Function.empty())
    return "";
  return Word.str() + shortFunctionName(L.Function);
}

std::optional<TargetKind> targetKind(const Profile &P) {
  if (P.experiments().empty())
    return TargetKind::Line;
  TargetKind First = P.lines()[P.experiments().front().Line].Kind;
  for (const Experiment &E : P.experiments())
    if (P.lines()[E.Line].Kind != First)
      return std::nullopt;
  return First;
}

StringRef targetWord(const Profile &P) {
  std::optional<TargetKind> Kind = targetKind(P);
  return !Kind ? "target" : *Kind == TargetKind::Section ? "critical section" : toString(*Kind);
}

bool isNamed(const ProgressPoint &Point, StringRef Name) {
  return Point.Name == Name || StringRef(Point.Name).ends_with(("/" + Name).str());
}

Error noSuchPoint(const Profile &P, StringRef Name) {
  std::string Names;
  for (const ProgressPoint &Point : P.points())
    Names += (Names.empty() ? "" : ", ") + printable(Point.Name);
  return createStringError(inconvertibleErrorCode(),
                           "no progress point '" + Name +
                               "'; the profile has: " + (Names.empty() ? "none" : Names));
}

/// FILE may be the end of a path.
static bool isFile(StringRef Path, StringRef File) {
  return Path == File || (Path.ends_with(File) &&
                          (File.front() == '/' || Path.drop_back(File.size()).ends_with("/")));
}

static Expected<unsigned> findFunction(const Profile &P, StringRef Spec, StringRef File,
                                       StringRef Name) {
  std::vector<unsigned> Found;
  for (unsigned I = 0; I < P.lines().size(); ++I) {
    const SourceLine &L = P.lines()[I];
    if (L.Kind == TargetKind::Function && isFile(L.File, File) &&
        (L.Function == Name || shortFunctionName(L.Function) == Name))
      Found.push_back(I);
  }
  if (Found.size() == 1)
    return Found.front();
  if (Found.empty())
    return createStringError(
        inconvertibleErrorCode(),
        "no function is called '" + Spec +
            "', as FILE:FUNCTION; causal report --top=0 lists those that are known, "
            "from runs with target=function. A line is FILE:LINE");
  std::string Message = "'" + Spec.str() + "' names several functions:";
  for (unsigned I : Found)
    Message += " " + printable(P.lines()[I].File) + ":" + printable(P.lines()[I].Function);
  return createStringError(inconvertibleErrorCode(), Message);
}

/// That a profile has targets of another kind in \p File, and some of them; empty if it has
/// none there.
static std::string otherTargets(const Profile &P, StringRef File, TargetKind Asked) {
  constexpr size_t MaxNames = 10;
  std::vector<std::string> Names;
  TargetKind Kind = Asked;
  for (const SourceLine &L : P.lines())
    if (L.Kind != Asked && isFile(L.File, File) && (Names.empty() || L.Kind == Kind)) {
      Kind = L.Kind;
      Names.push_back(placeOf(L, printable(File)));
    }
  if (Names.empty())
    return "";
  llvm::sort(Names);
  Names.erase(std::unique(Names.begin(), Names.end()), Names.end());
  std::string More;
  if (Names.size() > MaxNames) {
    More = formatv(" and {0} more (causal report --top=0)", Names.size() - MaxNames).str();
    Names.resize(MaxNames);
  }
  return formatv("the profile is of {0}s, not of {1}s; name one: {2}{3}",
                 Kind == TargetKind::Section ? "critical section" : toString(Kind),
                 Asked == TargetKind::Section ? "critical section" : toString(Asked),
                 join(Names, ", "), More);
}

/// FILE:FUNCTION, where the function's name may have colons of its own.
static std::pair<StringRef, StringRef> splitFunction(StringRef Place) {
  for (size_t At = Place.find(':'); At != StringRef::npos; At = Place.find(':', At + 2))
    if (!Place.drop_front(At + 1).starts_with(":"))
      return {Place.take_front(At), Place.drop_front(At + 1)};
  return {};
}

/// A group by its whole name, which has those of its members in it.
static std::optional<unsigned> findGroup(const Profile &P, StringRef Spec) {
  for (unsigned I = 0; I < P.lines().size(); ++I) {
    const SourceLine &L = P.lines()[I];
    if (isGroup(L) && (placeOf(L, L.File) == Spec || L.File + ":" + L.Function == Spec))
      return I;
  }
  return std::nullopt;
}

Expected<unsigned> findLine(const Profile &P, StringRef Spec) {
  if (std::optional<unsigned> Group = findGroup(P, Spec))
    return *Group;
  StringRef Place = Spec;
  TargetKind Kind = Place.consume_back(":lock") ? TargetKind::Section : TargetKind::Line;
  auto [File, Number] = Place.rsplit(':');
  unsigned Line;
  if (Number.getAsInteger(10, Line))
    std::tie(File, Number) = splitFunction(Place);
  if (File.empty() || Number.empty())
    return createStringError(inconvertibleErrorCode(), "'" + Spec +
                                                           "' is not FILE:LINE, FILE:FUNCTION or "
                                                           "FILE:LINE:lock");
  if (Number.getAsInteger(10, Line))
    return findFunction(P, Spec, File, Number);
  std::vector<unsigned> Found;
  std::vector<unsigned> Near;
  for (unsigned I = 0; I < P.lines().size(); ++I) {
    StringRef Path = P.lines()[I].File;
    if (P.lines()[I].Kind != Kind)
      continue;
    if (Path == File) {
      if (P.lines()[I].Line == Line)
        return I;
      Near.push_back(P.lines()[I].Line);
    } else if (isFile(Path, File)) {
      if (P.lines()[I].Line == Line)
        Found.push_back(I);
      Near.push_back(P.lines()[I].Line);
    }
  }
  if (Found.size() == 1)
    return Found.front();
  std::string Message;
  if (Found.size() > 1) {
    Message = ("'" + Spec + "' names several lines:").str();
    for (unsigned I : Found)
      Message += " " + printable(P.lines()[I].File) + ":" + std::to_string(Line);
  } else if (Near.empty()) {
    Message = otherTargets(P, File, Kind);
    if (Message.empty())
      Message = ("no sample fell into a file '" + File + "'; causal report --top=0 lists the lines")
                    .str();
  } else {
    // The nearest few: a statement may be counted at its first line.
    std::sort(Near.begin(), Near.end());
    Near.erase(std::unique(Near.begin(), Near.end()), Near.end());
    auto Distance = [Line](unsigned L) {
      return std::make_pair(L > Line ? L - Line : Line - L, L);
    };
    llvm::sort(Near, [&](unsigned A, unsigned B) { return Distance(A) < Distance(B); });
    Near.resize(std::min<size_t>(Near.size(), 5));
    Message = ("no sample fell into '" + Spec + "'; the nearest lines " +
               (Kind == TargetKind::Section ? "that take a lock and have samples are"
                                            : "with samples are"))
                  .str();
    for (unsigned L : Near)
      Message += " " + std::to_string(L);
  }
  return createStringError(inconvertibleErrorCode(), Message);
}

} // namespace causal
