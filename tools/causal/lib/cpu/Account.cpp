//===- Account.cpp --------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/cpu/Account.h"
#include "lib/cpu/FrameNames.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace causal::cpu {

namespace {

/// "worker-12" is "worker-"; a name of digits alone stays.
StringRef withoutNumber(StringRef Name) {
  StringRef Stem = Name.rtrim("0123456789");
  return Stem.empty() ? Name : Stem;
}

/// By thread: the program's own function nearest to the thread's start, under which it spends
/// most of its time.
std::vector<std::string> entriesOf(const CPUProfile &P) {
  std::vector<std::map<std::string, Time>> Times(P.Threads.size());
  std::map<unsigned, std::string> OfStack;
  for (const Charge &C : P.Charges) {
    auto [It, New] = OfStack.try_emplace(C.Stack);
    if (New && !P.Stacks[C.Stack].Truncated)
      for (unsigned Place : P.placesOf(C.Stack))
        if (!isSystem(P, P.Places[Place]) && !P.Places[Place].Function.empty())
          It->second = shortNameOf(P, P.Places[Place]);
    if (!It->second.empty())
      Times[C.Thread][It->second] += C.Ns;
  }
  std::vector<std::string> Entries;
  for (const auto &Of : Times) {
    auto Most = std::max_element(Of.begin(), Of.end(),
                                 [](auto &L, auto &R) { return L.second < R.second; });
    Entries.push_back(Most == Of.end() ? "" : Most->first);
  }
  return Entries;
}

/// What the reports call each thread.
std::vector<std::string> namesOf(const CPUProfile &P) {
  std::vector<std::string> Main(P.Runs.size());
  for (const Thread &T : P.Threads)
    if (T.Tid == P.Runs[T.Run].Pid)
      Main[T.Run] = T.Name;
  std::vector<std::string> Entries = entriesOf(P), Names;
  for (unsigned I = 0; I < P.Threads.size(); ++I) {
    const Thread &T = P.Threads[I];
    bool Inherited = T.Name == Main[T.Run] && T.Tid != P.Runs[T.Run].Pid;
    Names.push_back(Inherited && !Entries[I].empty()
                        ? T.Name + (T.Name.empty() ? "" : ":") + Entries[I]
                        : T.Name);
  }
  return Names;
}

void groupThreads(const CPUProfile &P, Account &A) {
  std::vector<std::string> NameOf = namesOf(P);
  std::map<std::string, std::set<std::string>> Names; // By stem.
  for (const std::string &Name : NameOf)
    Names[withoutNumber(Name).str()].insert(Name);
  std::map<std::string, unsigned> Known;
  for (unsigned I = 0; I < P.Threads.size(); ++I) {
    const Thread &T = P.Threads[I];
    std::string Stem = withoutNumber(NameOf[I]).str();
    bool Several = Names[Stem].size() > 1;
    auto [It, New] = Known.try_emplace(Several ? Stem : NameOf[I], unsigned(A.Groups.size()));
    if (New)
      A.Groups.push_back({Several ? Stem + "*" : NameOf[I], {}, {}, {}, {}});
    ThreadGroup &G = A.Groups[It->second];
    G.Threads.push_back(I);
    G.Wall += T.Wall;
    G.In += T.In;
    G.Unexplained += T.Unexplained;
    A.Life += T.Wall;
    A.In += T.In;
    A.Unexplained += T.Unexplained;
    A.Samples += T.Samples;
  }
  llvm::sort(A.Groups, [](const ThreadGroup &L, const ThreadGroup &R) {
    return std::tuple(R.In[State::CPU], R.Wall, L.Threads) <
           std::tuple(L.In[State::CPU], L.Wall, R.Threads);
  });
  A.GroupOf.resize(P.Threads.size());
  for (unsigned G = 0; G < A.Groups.size(); ++G)
    for (unsigned T : A.Groups[G].Threads)
      A.GroupOf[T] = G;
}

/// Adds up costs of what \p KeyOf tells of a place; places without a key count for nothing.
template <typename Key> class Costs {
public:
  using KeyOf = std::function<std::optional<Key>(const Place &)>;
  Costs(const CPUProfile &P, KeyOf Of) : P(P), Of(std::move(Of)), OfPlace(P.Places.size()) {}

  void charge(const Charge &C, ArrayRef<unsigned> Places) {
    ++Charges;
    for (unsigned I = 0; I < Places.size(); ++I) {
      std::optional<unsigned> Number = number(Places[I]);
      if (!Number)
        continue;
      if (I == 0 && C.In == State::CPU) {
        All[*Number].Self += C.Ns;
        Leaves[{*Number, Places[I]}] += C.Ns;
      }
      if (SeenIn[*Number] == Charges) // Of recursion each counts once.
        continue;
      SeenIn[*Number] = Charges;
      All[*Number].TotalIn[C.In] += C.Ns;
      if (C.In == State::CPU)
        All[*Number].Total += C.Ns;
    }
  }

  std::vector<Cost> take() {
    std::vector<Time> Most(All.size());
    for (auto &[Which, Ns] : Leaves)
      if (Most[Which.first] < Ns) {
        Most[Which.first] = Ns;
        All[Which.first].Place = Which.second;
      }
    llvm::sort(All, [](const Cost &L, const Cost &R) {
      return std::tuple(R.Self, R.Total, L.Place) < std::tuple(L.Self, L.Total, R.Place);
    });
    return std::move(All);
  }

private:
  std::optional<unsigned> number(unsigned Place) {
    std::optional<std::optional<unsigned>> &Known = OfPlace[Place];
    if (Known)
      return *Known;
    std::optional<Key> K = Of(P.Places[Place]);
    Known = std::optional<unsigned>();
    if (!K)
      return std::nullopt;
    auto [Number, First] = Numbers.try_emplace(std::move(*K), unsigned(All.size()));
    if (First) {
      All.push_back({Place, {}, {}, {}});
      SeenIn.push_back(0);
    }
    Known = Number->second;
    return *Known;
  }

  const CPUProfile &P;
  KeyOf Of;
  std::vector<Cost> All;
  std::vector<std::optional<std::optional<unsigned>>> OfPlace; ///< Unset: not looked at yet.
  std::vector<uint64_t> SeenIn; ///< By number: the last charge that it was in.
  uint64_t Charges = 0;
  std::map<Key, unsigned> Numbers;
  std::map<std::pair<unsigned, unsigned>, Time> Leaves;
};

/// Waits while they are added up.
struct OpenWait {
  Wait W;
  Time Heaviest;
  std::map<unsigned, Time> Groups;
  std::map<std::pair<std::optional<unsigned>, std::optional<unsigned>>, std::pair<Waker, Time>>
      Wakers;
};

void addWaker(const CPUProfile &P, const Account &A, const Charge &C, OpenWait &To) {
  if (!C.Waker && !C.WakerThread)
    return;
  std::vector<unsigned> Callers;
  std::optional<unsigned> At = C.Waker ? ownPlace(P, *C.Waker, &Callers) : std::nullopt;
  std::optional<unsigned> Group;
  if (C.WakerThread)
    Group = A.GroupOf[*C.WakerThread];
  auto &[W, Heaviest] = To.Wakers[{At, Group}];
  W.Place = At;
  W.Group = Group;
  W.Ns += C.Ns;
  W.Count += C.Count;
  if (Heaviest < C.Ns) {
    Heaviest = C.Ns;
    W.Callers = std::move(Callers);
  }
}

void collectWaits(const CPUProfile &P, Account &A) {
  std::map<std::pair<State, std::optional<unsigned>>, OpenWait> Open;
  for (const Charge &C : P.Charges) {
    if (C.In == State::CPU || C.In == State::RunQueue)
      continue;
    std::vector<unsigned> Callers;
    std::optional<unsigned> At = ownPlace(P, C.Stack, &Callers);
    if (!At)
      continue;
    OpenWait &O = Open[{C.In, At}];
    O.W.In = C.In;
    O.W.Place = *At;
    O.W.Ns += C.Ns;
    O.W.Count += C.Count;
    O.Groups[A.GroupOf[C.Thread]] += C.Ns;
    if (O.Heaviest < C.Ns) {
      O.Heaviest = C.Ns;
      O.W.Callers = std::move(Callers);
    }
    addWaker(P, A, C, O);
  }
  for (auto &[Key, O] : Open) {
    O.W.Groups.assign(O.Groups.begin(), O.Groups.end());
    llvm::sort(O.W.Groups, [](auto &L, auto &R) {
      return std::tuple(R.second, L.first) < std::tuple(L.second, R.first);
    });
    for (auto &[Who, W] : O.Wakers)
      O.W.Wakers.push_back(std::move(W.first));
    llvm::sort(O.W.Wakers, [](const Waker &L, const Waker &R) {
      return std::tuple(R.Ns, L.Place, L.Group) < std::tuple(L.Ns, R.Place, R.Group);
    });
    A.Waits.push_back(std::move(O.W));
  }
  llvm::sort(A.Waits, [](const Wait &L, const Wait &R) {
    return std::tuple(isExpected(L.In), R.Ns, L.In, L.Place) <
           std::tuple(isExpected(R.In), L.Ns, R.In, R.Place);
  });
}

} // namespace

std::optional<unsigned> ownPlace(const CPUProfile &P, unsigned Stack,
                                 std::vector<unsigned> *Callers) {
  std::vector<unsigned> Places = P.placesOf(Stack);
  if (Places.empty())
    return std::nullopt;
  auto Own = find_if(Places, [&](unsigned L) { return !isSystem(P, P.Places[L]); });
  if (Own == Places.end())
    Own = Places.begin();
  unsigned Found = *Own;
  if (!Callers)
    return Found;
  Callers->assign(Own, Places.end());
  while (Callers->size() > 1 && isSystem(P, P.Places[Callers->back()])) // What starts a thread.
    Callers->pop_back();
  return Found;
}

Account accountOf(const CPUProfile &P) {
  Account A;
  groupThreads(P, A);
  using FunctionKey = std::tuple<std::string, std::string, unsigned>;
  Costs<FunctionKey> Functions(P, [](const Place &L) {
    return FunctionKey(L.Function, L.File, L.Function.empty() ? L.Image + 1 : 0);
  });
  using LineKey = std::pair<std::string, unsigned>;
  Costs<LineKey> Lines(P, [](const Place &L) -> std::optional<LineKey> {
    return L.File.empty() || !L.Line ? std::nullopt : std::optional(LineKey(L.File, L.Line));
  });
  std::map<unsigned, std::vector<unsigned>> Places;
  for (const Charge &C : P.Charges) {
    auto [It, New] = Places.try_emplace(C.Stack);
    if (New)
      It->second = P.placesOf(C.Stack);
    if (C.In == State::CPU && !It->second.empty())
      A.OnStacks += C.Ns;
    Functions.charge(C, It->second);
    Lines.charge(C, It->second);
  }
  A.Functions = Functions.take();
  A.Lines = Lines.take();
  collectWaits(P, A);
  return A;
}

} // namespace causal::cpu
