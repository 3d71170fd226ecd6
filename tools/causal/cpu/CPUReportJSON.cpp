//===- CPUReportJSON.cpp - Where threads' time goes, for programs ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The object "cpu" of the JSON report, whose schema is in docs/user/cpu.md, and what
// the page needs besides: stacks as a tree, time by snapshot, source around what is
// hot. Times are in nanoseconds.
//
//===----------------------------------------------------------------------===//

#include "cpu/CPUReport.h"
#include "lib/cpu/FrameNames.h"
#include "lib/cpu/StackTree.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <set>

using namespace llvm;

namespace causal::cpu {

namespace {

json::Object offTimes(const Times &In, Time Unexplained) {
  json::Object O;
  for (unsigned I = 1; I < NumStates; ++I)
    O[toString(State(I))] = In[State(I)].ns();
  O["unexplained"] = Unexplained.ns();
  return O;
}

json::Object placeObject(const CPUProfile &P, unsigned Place) {
  const struct Place &L = P.Places[Place];
  json::Object O{{"name", json::fixUTF8(nameOf(P, L))}};
  if (!L.Function.empty())
    O["function"] = json::fixUTF8(L.Function);
  if (!L.File.empty())
    O["file"] = json::fixUTF8(L.File);
  if (L.Line)
    O["line"] = L.Line;
  return O;
}

json::Array placeArray(const CPUProfile &P, ArrayRef<unsigned> Places) {
  json::Array All;
  for (unsigned Place : Places)
    All.push_back(placeObject(P, Place));
  return All;
}

template <typename T> ArrayRef<T> top(unsigned Top, const std::vector<T> &All) {
  return Top ? ArrayRef<T>(All).take_front(Top) : ArrayRef<T>(All);
}

json::Array costs(const CPUProfile &P, ArrayRef<Cost> All) {
  json::Array Out;
  for (const Cost &C : All) {
    json::Object O = placeObject(P, C.Place);
    O["self_ns"] = C.Self.ns();
    O["total_ns"] = C.Total.ns();
    O["off_ns"] = C.TotalIn.off().ns();
    Out.push_back(std::move(O));
  }
  return Out;
}

json::Object wait(const CPUProfile &P, const Account &A, const Wait &W) {
  json::Object O = placeObject(P, W.Place);
  O["state"] = toString(W.In);
  O["ns"] = W.Ns.ns();
  O["count"] = W.Count;
  O["callers"] = placeArray(P, W.Callers);
  json::Array Threads, Wakers;
  for (auto &[Group, Ns] : W.Groups)
    Threads.push_back(json::Object{{"name", json::fixUTF8(A.Groups[Group].Name)}, {"ns", Ns.ns()}});
  for (const Waker &Each : W.Wakers) {
    json::Object Who = Each.Place ? placeObject(P, *Each.Place) : json::Object();
    Who["ns"] = Each.Ns.ns();
    Who["count"] = Each.Count;
    Who["callers"] = placeArray(P, Each.Callers);
    if (Each.Group)
      Who["thread"] = json::fixUTF8(A.Groups[*Each.Group].Name);
    Wakers.push_back(std::move(Who));
  }
  O["threads"] = std::move(Threads);
  O["wakers"] = std::move(Wakers);
  return O;
}

json::Array runs(const CPUProfile &P) {
  json::Array Runs;
  for (const CPURun &R : P.Runs)
    Runs.push_back(json::Object{{"run", json::fixUTF8(R.Id)},
                                {"wall_ns", R.Wall.ns()},
                                {"final", R.Final},
                                {"dropped", R.Dropped},
                                {"truncated", R.Truncated}});
  return Runs;
}

} // namespace

json::Object accountJSON(const CPUProfile &P, const Account &A, unsigned Top) {
  json::Array Threads, Groups, Waits, Says;
  for (unsigned I = 0; I < P.Threads.size(); ++I) {
    const Thread &T = P.Threads[I];
    Threads.push_back(json::Object{
        {"run", json::fixUTF8(P.Runs[T.Run].Id)},
        {"tid", T.Tid},
        {"name", json::fixUTF8(T.Name)},
        {"group", A.GroupOf[I]},
        {"begin_ns", T.Begin},
        {"end_ns", T.End ? json::Value(*T.End) : json::Value(nullptr)},
        {"wall_ns", T.Wall.ns()},
        {"cpu_ns", T.In[State::CPU].ns()},
        {"off_ns", offTimes(T.In, T.Unexplained)},
        {"samples", T.Samples},
        {"runqueue_known", T.RunQueueKnown},
    });
  }
  for (const ThreadGroup &G : A.Groups)
    Groups.push_back(json::Object{{"name", json::fixUTF8(G.Name)},
                                  {"threads", int64_t(G.Threads.size())},
                                  {"wall_ns", G.Wall.ns()},
                                  {"cpu_ns", G.In[State::CPU].ns()},
                                  {"off_ns", offTimes(G.In, G.Unexplained)}});
  for (const Wait &W : top(Top, A.Waits))
    Waits.push_back(wait(P, A, W));
  for (const std::string &Each : answers(P, A))
    Says.push_back(json::fixUTF8(Each));
  return json::Object{{"runs", runs(P)},
                      {"answers", std::move(Says)},
                      {"wall_ns", A.Life.ns()},
                      {"cpu_ns", A.In[State::CPU].ns()},
                      {"stacks_ns", A.OnStacks.ns()},
                      {"off_ns", offTimes(A.In, A.Unexplained)},
                      {"samples", A.Samples},
                      {"threads", std::move(Threads)},
                      {"groups", std::move(Groups)},
                      {"functions", costs(P, top(Top, A.Functions))},
                      {"lines", costs(P, top(Top, A.Lines))},
                      {"waits", std::move(Waits)}};
}

namespace {

/// More threads than this are shown by group in the flame graph's filter.
constexpr size_t MostLanes = 256;
constexpr unsigned MostRows = 1000;
constexpr size_t MostNodes = 60000, MostSlices = 20000;
/// Source lines before and after one with time; in all of the page.
constexpr unsigned Around = 12;
constexpr size_t MostSourceLines = 30000;

/// Texts by number, so that each stands in the page once.
class Texts {
public:
  int64_t number(const std::string &Text) {
    return int64_t(Known.insert({Text, unsigned(Known.size())}).first->second);
  }
  json::Array take() {
    json::Array All;
    for (auto &[Text, Number] : Known)
      All.push_back(json::fixUTF8(Text));
    return All;
  }

private:
  MapVector<std::string, unsigned, std::map<std::string, unsigned>> Known;
};

/// [name, name with arguments, file, line, 1 if a system's] by number.
class PageTree {
public:
  PageTree(const CPUProfile &P) : P(P) {}

  json::Object make(const StackTree &Tree) {
    json::Array Parents, NodePlaces, Leaves;
    for (const StackTree::Node &N : Tree.Nodes) {
      Parents.push_back(N.Parent);
      NodePlaces.push_back(place(N.Place));
    }
    for (const StackTree::Leaf &L : Tree.Leaves)
      Leaves.push_back(json::Array{L.Node, L.Lane, unsigned(L.In), L.Ns.ns(), L.Count});
    return json::Object{{"strings", Strings.take()},     {"places", std::move(Places)},
                        {"parents", std::move(Parents)}, {"node_places", std::move(NodePlaces)},
                        {"leaves", std::move(Leaves)},   {"folded", int64_t(Tree.Folded)}};
  }

private:
  int64_t place(unsigned Place) {
    auto [It, New] = Numbers.try_emplace(Place, int64_t(Places.size()));
    if (!New)
      return It->second;
    if (Place >= StackTree::NoStack) {
      std::string Name = Place == StackTree::Truncated ? "[truncated]" : "[no stack]";
      Places.push_back(json::Array{Strings.number(Name), Strings.number(Name), -1, 0, 1});
      return It->second;
    }
    const struct Place &L = P.Places[Place];
    Places.push_back(json::Array{Strings.number(shortNameOf(P, L)), Strings.number(nameOf(P, L)),
                                 L.File.empty() ? -1 : Strings.number(L.File), L.Line,
                                 int(isSystem(P, L))});
    return It->second;
  }

  const CPUProfile &P;
  Texts Strings;
  json::Array Places;
  std::map<unsigned, int64_t> Numbers;
};

json::Array sources(const CPUProfile &P, const Account &A, SourceText &Source) {
  std::map<std::string, std::set<unsigned>> Wanted;
  size_t Number = 0;
  for (const Cost &C : A.Lines) {
    const Place &L = P.Places[C.Place];
    if (Number >= MostSourceLines)
      break;
    for (unsigned N = L.Line > Around ? L.Line - Around : 1; N <= L.Line + Around; ++N)
      Number += Wanted[L.File].insert(N).second;
  }
  json::Array All;
  for (auto &[File, Lines] : Wanted) {
    json::Array Texts;
    for (unsigned N : Lines)
      if (std::optional<std::string> Text = Source.indented(File, N))
        Texts.push_back(json::Array{N, json::fixUTF8(*Text)});
    if (!Texts.empty())
      All.push_back(json::Object{{"file", json::fixUTF8(File)}, {"lines", std::move(Texts)}});
  }
  return All;
}

} // namespace

void addPageData(const CPUProfile &P, const Account &A, SourceText &Source, json::Object &To) {
  bool ByThread = P.Threads.size() <= MostLanes;
  json::Array Lanes, Slices;
  std::vector<unsigned> LaneOf(P.Threads.size());
  for (unsigned I = 0; I < P.Threads.size(); ++I)
    LaneOf[I] = ByThread ? I : A.GroupOf[I];
  // Threads of one group behind each other: a lane's number is its place in "lanes".
  for (unsigned I = 0; I < (ByThread ? P.Threads.size() : A.Groups.size()); ++I)
    Lanes.push_back(json::Object{{"group", ByThread ? A.GroupOf[I] : I},
                                 {"tid", ByThread ? P.Threads[I].Tid : 0}});
  for (const Slice &S : ArrayRef(P.Slices).take_front(ByThread ? MostSlices : 0)) {
    json::Array In;
    for (unsigned I = 0; I < NumStates; ++I)
      In.push_back(S.In[State(I)].ns());
    Slices.push_back(json::Array{S.Thread, S.Begin, S.End, std::move(In)});
  }
  To.erase("lines"); // The page has them from the tree.
  To["lanes"] = std::move(Lanes);
  To["slices"] = std::move(Slices);
  To["tree"] = PageTree(P).make(treeOf(P, LaneOf, MostNodes));
  To["sources"] = sources(P, A, Source);
}

void Report::addJSON(const ReportData &R, bool ForPage, json::Object &Document) const {
  json::Object Mine = accountJSON(P, A, ForPage ? MostRows : R.Top);
  if (ForPage)
    addPageData(P, A, R.Source, Mine);
  Document["cpu"] = std::move(Mine);
  json::Array *Runs = Document.getArray("runs");
  for (const CPURun &Each : P.Runs)
    for (json::Value &Of : *Runs)
      if (json::Object *O = Of.getAsObject(); O && O->getString("run") == StringRef(Each.Id)) {
        (*O)["wall_ns"] = Each.Wall.ns();
        (*O)["final"] = Each.Final;
        O->erase("effective_ns");
      }
}

} // namespace causal::cpu
