//===- FirefoxExport.cpp - Stacks for the Firefox Profiler ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The processed profile format, of which readers know all versions up to their own:
// tables as arrays of columns, strings by number, stacks as a tree. A category is a
// state. Weights are milliseconds; times only keep samples apart (CPUExport.h).
//
//===----------------------------------------------------------------------===//

#include "lib/container/SourceText.h"
#include "lib/cpu/FrameNames.h"
#include "lib/export/CPUExport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace llvm;

namespace causal::cpu {

namespace {

constexpr int FormatVersion = 62, GeckoVersion = 24;
constexpr double NsPerMs = 1e6, NsPerUs = 1e3;
/// By state, of the colours that the format knows.
constexpr const char *Colors[NumStates] = {"yellow",    "red",    "purple", "blue",     "grey",
                                           "lightblue", "orange", "brown",  "darkgrey", "magenta"};
/// The category of code that nothing was charged to by itself comes first.
constexpr unsigned FirstState = 1;

/// A table of columns, each an array.
class Table {
public:
  explicit Table(std::vector<const char *> Names) : Names(std::move(Names)) {
    Columns.resize(this->Names.size());
  }
  int64_t add(std::vector<json::Value> Row) {
    for (size_t I = 0; I < Row.size(); ++I)
      Columns[I].push_back(std::move(Row[I]));
    return Length++;
  }
  json::Object take() {
    json::Object O{{"length", Length}};
    for (size_t I = 0; I < Names.size(); ++I)
      O[Names[I]] = std::move(Columns[I]);
    return O;
  }

private:
  std::vector<const char *> Names;
  std::vector<json::Array> Columns;
  int64_t Length = 0;
};

class Writer {
public:
  explicit Writer(const CPUProfile &P) : P(P) {}

  void write(raw_ostream &OS) {
    json::Array Threads;
    std::vector<std::vector<const Charge *>> Of(P.Threads.size());
    for (const Charge &C : P.Charges)
      Of[C.Thread].push_back(&C);
    for (unsigned I = 0; I < P.Threads.size(); ++I)
      Threads.push_back(thread(P.Threads[I], Of[I]));
    json::Array NoLibs;
    OS << json::Value(json::Object{{"meta", meta()},
                                   {"libs", std::move(NoLibs)},
                                   {"pages", json::Array()},
                                   {"counters", json::Array()},
                                   {"profilerOverhead", json::Array()},
                                   {"threads", std::move(Threads)},
                                   {"shared", json::Object{{"stackTable", Stacks.take()},
                                                           {"frameTable", Frames.take()},
                                                           {"funcTable", Functions.take()},
                                                           {"resourceTable", Resources.take()},
                                                           {"nativeSymbols", NativeSymbols.take()},
                                                           {"sources", Sources.take()},
                                                           {"stringArray", std::move(Strings)}}}})
       << '\n';
  }

private:
  json::Object meta() {
    json::Array Categories{json::Object{
        {"name", "Callers"}, {"color", "transparent"}, {"subcategories", json::Array{"Other"}}}};
    for (unsigned I = 0; I < NumStates; ++I)
      Categories.push_back(json::Object{{"name", toString(State(I))},
                                        {"color", Colors[I]},
                                        {"subcategories", json::Array{"Other"}}});
    const CPURun *R = P.Runs.empty() ? nullptr : &P.Runs.front();
    std::string Name = R ? sys::path::filename(R->Exe).str() : "";
    return json::Object{
        {"version", GeckoVersion},
        {"preprocessedProfileVersion", FormatVersion},
        {"product", json::fixUTF8(printable(Name))},
        {"importedFrom", "causal"},
        {"processType", 0},
        {"startTime", R ? double(R->StartTime) / NsPerMs : 0},
        {"interval", R && R->Period ? double(R->Period) / NsPerMs : 1},
        {"symbolicated", true},
        {"debug", false},
        {"usesOnlyOneStackType", true},
        {"sourceCodeIsNotOnSearchfox", true},
        {"categories", std::move(Categories)},
        {"markerSchema", json::Array()},
        {"pausedRanges", json::Array()},
        {"extensions", json::Object{{"length", 0},
                                    {"id", json::Array()},
                                    {"name", json::Array()},
                                    {"baseURL", json::Array()}}},
        {"sampleUnits",
         json::Object{{"time", "ms"}, {"eventDelay", "ms"}, {"threadCPUDelta", "µs"}}}};
  }

  json::Object thread(const Thread &T, ArrayRef<const Charge *> Charges) {
    Table Samples({"stack", "timeDeltas", "weight", "threadCPUDelta"});
    double At = double(T.Begin), Last = 0;
    for (const Charge *C : Charges) {
      double Ns = double(C->Ns);
      Samples.add({stack(*C), (At - Last) / NsPerMs, Ns / NsPerMs,
                   C->In == State::CPU ? std::round(Ns / NsPerUs) : 0.0});
      Last = At;
      At += Ns;
    }
    json::Object Columns = Samples.take();
    Columns["weightType"] = "tracing-ms";
    Table Markers({"name", "startTime", "endTime", "phase", "category", "data"});
    const CPURun &R = P.Runs[T.Run];
    bool Main = T.Tid == R.Pid;
    return json::Object{
        {"name", json::fixUTF8(printable(T.Name))},
        {"tid", std::to_string(T.Tid)},
        {"pid", std::to_string(R.Pid)},
        {"isMainThread", Main},
        {"processName", json::fixUTF8(printable(sys::path::filename(R.Exe)))},
        {"processType", "default"},
        {"processStartupTime", 0},
        {"processShutdownTime", nullptr},
        {"registerTime", double(T.Begin) / NsPerMs},
        {"unregisterTime", T.End ? json::Value(double(*T.End) / NsPerMs) : json::Value(nullptr)},
        {"pausedRanges", json::Array()},
        {"showMarkersInTimeline", false},
        {"markers", Markers.take()},
        {"samples", std::move(Columns)}};
  }

  int64_t string(StringRef Text) {
    auto [It, New] = StringNumbers.try_emplace(Text.str(), int64_t(Strings.size()));
    if (New)
      Strings.push_back(json::fixUTF8(Text));
    return It->second;
  }

  json::Value source(const std::string &File) {
    if (File.empty())
      return nullptr;
    auto [It, New] = SourceNumbers.try_emplace(File, 0);
    if (New)
      It->second = Sources.add({nullptr, string(File), 1, 1, nullptr});
    return It->second;
  }

  int64_t function(const std::string &Name, const std::string &File) {
    auto [It, New] = FunctionNumbers.try_emplace({Name, File}, 0);
    if (New)
      It->second = Functions.add({string(Name), false, false, -1, source(File), nullptr, nullptr});
    return It->second;
  }

  int64_t frame(const std::string &Name, const std::string &File, unsigned Line,
                unsigned Category) {
    int64_t F = function(Name, File);
    auto [It, New] = FrameNumbers.try_emplace({F, Line, Category}, 0);
    if (New)
      It->second = Frames.add({-1, 0, Category, 0, F, nullptr, nullptr,
                               Line ? json::Value(Line) : json::Value(nullptr), nullptr});
    return It->second;
  }

  int64_t push(int64_t Prefix, int64_t Frame) {
    auto [It, New] = StackNumbers.try_emplace({Prefix, Frame}, 0);
    if (New)
      It->second = Stacks.add({Frame, Prefix < 0 ? json::Value(nullptr) : json::Value(Prefix)});
    return It->second;
  }

  int64_t stack(const Charge &C) {
    unsigned Category = FirstState + unsigned(C.In);
    int64_t At = -1;
    if (P.Stacks[C.Stack].Truncated)
      At = push(At, frame("[truncated]", "", 0, 0));
    std::vector<unsigned> Places = P.placesOf(C.Stack);
    for (size_t I = Places.size(); I-- > 0;) {
      const Place &L = P.Places[Places[I]];
      At = push(At, frame(nameOf(P, L), L.File, L.Line, I ? 0 : Category));
    }
    if (Places.empty())
      At = push(At, frame("[no stack]", "", 0, Category));
    return C.In == State::CPU ? At : push(At, frame(stateFrame(C.In), "", 0, Category));
  }

  const CPUProfile &P;
  json::Array Strings;
  Table Stacks{{"frame", "prefix"}};
  Table Frames{{"address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol",
                "innerWindowID", "line", "column"}};
  Table Functions{
      {"name", "isJS", "relevantForJS", "resource", "source", "lineNumber", "columnNumber"}};
  Table Resources{{"lib", "name", "host", "type"}};
  Table NativeSymbols{{"libIndex", "address", "name", "functionSize"}};
  Table Sources{{"id", "filename", "startLine", "startColumn", "sourceMapURL"}};
  std::map<std::string, int64_t> StringNumbers, SourceNumbers;
  std::map<std::pair<std::string, std::string>, int64_t> FunctionNumbers;
  std::map<std::tuple<int64_t, unsigned, unsigned>, int64_t> FrameNumbers;
  std::map<std::pair<int64_t, int64_t>, int64_t> StackNumbers;
};

} // namespace

Error exportFirefox(const CPUProfile &P, raw_ostream &OS) {
  if (Error E = checkHasCharges(P))
    return E;
  Writer(P).write(OS);
  return Error::success();
}

} // namespace causal::cpu
