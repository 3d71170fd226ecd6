//===- ProfCommand.cpp - causal db prof, stats, diff ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where samples lie, in text or JSON. What was dropped stands beside every sum.
//
//===----------------------------------------------------------------------===//
#include "Terminal.h"
#include "db/DatabaseCommands.h"
#include "lib/container/SourceText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace causal::continuous;

namespace causal {

cl::SubCommand DbProfCommand("db prof", "Show where the samples of a database lie");
cl::SubCommand DbStatsCommand("db stats", "Show how much functions vary over databases");
cl::SubCommand DbDiffCommand("db diff", "Show what has changed between two databases");

static cl::list<std::string> Paths(cl::Positional, cl::OneOrMore, cl::desc("<database>..."),
                                   cl::sub(DbProfCommand), cl::sub(DbStatsCommand),
                                   cl::sub(DbDiffCommand), cl::cat(Options));
static cl::opt<ShareBy>
    By("by", cl::init(ShareBy::Function), cl::desc("What is added up (default: function)"),
       cl::values(clEnumValN(ShareBy::Image, "image", "programs, libraries, the kernel"),
                  clEnumValN(ShareBy::Function, "function", "functions, with what they inline"),
                  clEnumValN(ShareBy::Line, "line", "source lines, inlined ones too"),
                  clEnumValN(ShareBy::Host, "host", "machines"),
                  clEnumValN(ShareBy::Epoch, "epoch", "hours, or the days and weeks they became")),
       cl::sub(DbProfCommand), cl::sub(DbStatsCommand), cl::sub(DbDiffCommand), cl::cat(Options));
namespace {
enum class TextOrJSON { Text, JSON };
}
static cl::opt<TextOrJSON> Format("format", cl::desc("What to write (default: text)"),
                                  cl::values(clEnumValN(TextOrJSON::Text, "text", "a table"),
                                             clEnumValN(TextOrJSON::JSON, "json", "all rows")),
                                  cl::sub(DbProfCommand), cl::sub(DbStatsCommand),
                                  cl::sub(DbDiffCommand), cl::cat(Options));
static cl::opt<unsigned> Top("top", cl::init(20), cl::value_desc("n"),
                             cl::desc("Rows of text to show (default: 20; 0: all)"),
                             cl::sub(DbProfCommand), cl::sub(DbStatsCommand),
                             cl::sub(DbDiffCommand), cl::cat(Options));
static cl::opt<std::string> EventName("event", cl::init("cpu"), cl::value_desc("name"),
                                      cl::desc("cpu (default), cycles, cache-misses, "
                                               "branch-misses"),
                                      cl::sub(DbProfCommand), cl::sub(DbStatsCommand),
                                      cl::sub(DbDiffCommand), cl::cat(Options));
static cl::opt<std::string> Image("image", cl::value_desc("name"),
                                  cl::desc("Images whose path ends so, or whose build-id "
                                           "begins so"),
                                  cl::sub(DbProfCommand), cl::sub(DbStatsCommand),
                                  cl::sub(DbDiffCommand), cl::cat(Options));
static cl::list<std::string> Hosts("host", cl::value_desc("name"), cl::desc("This machine alone"),
                                   cl::sub(DbProfCommand), cl::sub(DbStatsCommand),
                                   cl::sub(DbDiffCommand), cl::cat(Options));
static cl::list<std::string> Epochs("epoch", cl::value_desc("name"),
                                    cl::desc("Epochs that begin so: 20261128 is a day"),
                                    cl::sub(DbProfCommand), cl::sub(DbStatsCommand),
                                    cl::sub(DbDiffCommand), cl::cat(Options));

static Expected<Shares> readShares(StringRef Path, Symbols &Names) {
  auto Kind = eventOf(EventName);
  if (!Kind || *Kind == Event::Totals)
    return createStringError(inconvertibleErrorCode(),
                             "--event=" + EventName +
                                 ": there is cpu, cycles, cache-misses, branch-misses");
  Selection Which;
  Which.Epochs = Epochs;
  Which.Hosts = Hosts;
  Which.Image = Image;
  Which.Kind = Kind;
  auto DB = readDatabase(Path, Which);
  if (!DB)
    return DB.takeError();
  return sharesOf(*DB, By, *Kind, Names);
}

static size_t shown(size_t Rows) { return Top ? std::min<size_t>(Top, Rows) : Rows; }

static void writeJSON(const Shares &S, raw_ostream &OS) {
  json::OStream J(OS, 1);
  J.object([&] {
    J.attribute("event", eventName(S.Kind));
    J.attribute("samples", S.Samples);
    J.attribute("dropped", S.Dropped);
    J.attribute("unmapped", S.Unmapped);
    J.attribute("time_ns", uint64_t(S.TimeNs));
    J.attributeArray("rows", [&] {
      for (const ShareRow &Row : S.Rows)
        J.object([&] {
          J.attribute("name", json::fixUTF8(Row.Name));
          if (!Row.Image.empty())
            J.attribute("image", json::fixUTF8(Row.Image));
          J.attribute("samples", Row.Samples);
          J.attribute("time_ns", uint64_t(Row.TimeNs));
        });
    });
  });
  OS << '\n';
}

static std::string percent(double Part) { return formatv("{0,6:F2} %", 100 * Part).str(); }

static void writeText(const Shares &S, raw_ostream &OS) {
  OS << S.Samples << " samples";
  if (S.Kind == Event::CPU)
    OS << ", " << formatTime(S.TimeNs) << " of CPU time";
  OS << "; " << S.Dropped << " dropped, " << S.Unmapped << " in no image\n\n";
  OS << "    share cumulative     samples  name\n";
  double All = double(std::max<uint64_t>(S.Samples, 1)), Cumulative = 0;
  size_t Rows = shown(S.Rows.size()), Width = outputWidth() - 34;
  for (const ShareRow &Row : ArrayRef(S.Rows).take_front(Rows)) {
    Cumulative += double(Row.Samples) / All;
    std::string Name = printable(Row.Name);
    if (!Row.Image.empty() && !StringRef(Name).starts_with("? in "))
      Name += " (" + printable(sys::path::filename(Row.Image)) + ")";
    OS << percent(double(Row.Samples) / All) << "   " << percent(Cumulative)
       << formatv("{0,12}  ", Row.Samples)
       << (By == ShareBy::Function ? shortenCode(Name, Width) : shortenPath(Name, Width)) << '\n';
  }
  if (Rows < S.Rows.size())
    OS << "and " << S.Rows.size() - Rows << " more; --top=0 shows all\n";
}

Error runDbProf() {
  if (Paths.size() != 1)
    return createStringError(inconvertibleErrorCode(),
                             "causal db prof reads one database; causal db merge makes one of "
                             "several");
  Symbols Names;
  auto S = readShares(Paths[0], Names);
  if (!S)
    return S.takeError();
  warnOfProblems(Names);
  if (Format == TextOrJSON::JSON)
    writeJSON(*S, outs());
  else
    writeText(*S, outs());
  return Error::success();
}

Error reportOnDatabase(StringRef Path, StringRef Page, bool JSON) {
  Symbols Names;
  auto DB = readDatabase(Path);
  if (!DB)
    return DB.takeError();
  Shares Functions = sharesOf(*DB, ShareBy::Function, Event::CPU, Names);
  warnOfProblems(Names);
  if (!Page.empty()) {
    Shares Images = sharesOf(*DB, ShareBy::Image, Event::CPU, Names);
    Shares Lines = sharesOf(*DB, ShareBy::Line, Event::CPU, Names);
    return writeToOutput(Page, [&](raw_ostream &OS) {
      writeDatabasePage(Path, Images, Functions, Lines, OS);
      return Error::success();
    });
  }
  if (JSON)
    writeJSON(Functions, outs());
  else
    writeText(Functions, outs());
  return Error::success();
}

Error runDbStats() {
  std::vector<Shares> Sets;
  Symbols Names;
  for (const std::string &Path : Paths) {
    auto S = readShares(Path, Names);
    if (!S)
      return S.takeError();
    Sets.push_back(std::move(*S));
  }
  warnOfProblems(Names);
  auto Rows = variationOf(Sets);
  if (Format == TextOrJSON::JSON) {
    json::OStream J(outs(), 1);
    J.object([&] {
      J.attribute("sets", uint64_t(Sets.size()));
      J.attributeArray("rows", [&] {
        for (const ShareVariation &V : Rows)
          J.object([&] {
            J.attribute("name", json::fixUTF8(V.Name));
            J.attribute("samples", V.Samples);
            J.attribute("mean", V.Mean);
            J.attribute("sd", V.Deviation);
            J.attribute("min", V.Least);
            J.attribute("max", V.Most);
          });
      });
    });
    outs() << '\n';
    return Error::success();
  }
  outs() << "Shares over " << Sets.size() << " databases\n\n"
         << "     mean        sd       min       max    range  name\n";
  for (const ShareVariation &V : ArrayRef(Rows).take_front(shown(Rows.size())))
    outs() << percent(V.Mean) << ' ' << percent(V.Deviation) << ' ' << percent(V.Least) << ' '
           << percent(V.Most) << ' ' << percent(V.Most - V.Least) << "  " << printable(V.Name)
           << '\n';
  return Error::success();
}

Error runDbDiff() {
  if (Paths.size() != 2)
    return createStringError(inconvertibleErrorCode(),
                             "name two databases: the one before and the one after");
  Symbols Names;
  auto Before = readShares(Paths[0], Names);
  if (!Before)
    return Before.takeError();
  auto After = readShares(Paths[1], Names);
  if (!After)
    return After.takeError();
  warnOfProblems(Names);
  auto Rows = compareShares(*Before, *After);
  if (Format == TextOrJSON::JSON) {
    json::OStream J(outs(), 1);
    J.object([&] {
      J.attributeArray("rows", [&] {
        for (const ShareChange &C : Rows)
          J.object([&] {
            J.attribute("name", json::fixUTF8(C.Name));
            J.attribute("before", C.Before);
            J.attribute("after", C.After);
            J.attribute("low", C.Low);
            J.attribute("high", C.High);
          });
      });
    });
    outs() << '\n';
    return Error::success();
  }
  outs() << Before->Samples << " samples before (" << Before->Dropped << " dropped), "
         << After->Samples << " after (" << After->Dropped << " dropped)\n\n"
         << "   before      after    change        95 % interval   name\n";
  for (const ShareChange &C : ArrayRef(Rows).take_front(shown(Rows.size())))
    outs() << percent(C.Before) << ' ' << percent(C.After) << "  "
           << formatv("{0,7:F2}   {1,7:F2} to {2,6:F2} {3} ", 100 * (C.After - C.Before),
                      100 * C.Low, 100 * C.High, C.isChange() ? '*' : ' ')
           << printable(C.Name) << '\n';
  outs() << "\n* The interval leaves 0 out: not by chance alone.\n";
  return Error::success();
}

} // namespace causal
