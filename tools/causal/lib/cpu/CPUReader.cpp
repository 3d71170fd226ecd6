//===- CPUReader.cpp - Reads the records of mode=cpu ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of images, frames, stacks and threads are those of a run, so a run is read
// by itself and put into the whole. A snapshot is closed by its cpu_snapshot record:
// charges are increments and add up over closed snapshots, of a thread's records the
// last closed one stays.
//
//===----------------------------------------------------------------------===//

#include "causal/ProfileFields.h"
#include "lib/container/ParsedLines.h"
#include "lib/container/RecordFields.h"
#include "lib/container/SourceText.h"
#include "lib/cpu/CPUProfile.h"

#include <iterator>
#include <map>

using namespace llvm;

namespace causal::cpu {

namespace {

constexpr unsigned MaxWarnings = 5;

/// As one record has it, in the numbers of its run.
struct RawThread {
  int64_t Snapshot;
  Thread T;
};
struct RawCharge {
  int64_t Snapshot, Thread, Stack; ///< 0: unknown.
  State In;
  std::optional<int64_t> Waker, WakerThread;
  Time Ns;
  int64_t Count;
};
struct RawStack {
  std::vector<int64_t> Frames;
  bool Truncated;
};

/// Makes the whole out of runs: one number for what is the same.
class Builder {
public:
  Builder() { stack({}, false); }

  unsigned image(const Image &I) {
    return intern(Images, std::pair(I.Path, I.BuildId), Result.Images, I);
  }
  unsigned place(const Place &L) {
    return intern(Places, std::tuple(L.Function, L.File, L.Line, 0u), Result.Places, L);
  }
  unsigned frame(Frame F) {
    std::vector<unsigned> Key{F.Image, unsigned(F.Offset), unsigned(F.Offset >> 32)};
    append_range(Key, F.Places); // Of two builds without a build-id the lines tell them apart.
    return intern(Frames, std::move(Key), Result.Frames, std::move(F));
  }
  unsigned stack(std::vector<unsigned> Frames, bool Truncated) {
    std::pair Key(Frames, Truncated);
    return intern(Stacks, std::move(Key), Result.Stacks, Stack{std::move(Frames), Truncated});
  }
  void charge(Charge C) {
    auto Key = std::tuple(C.Thread, C.Stack, C.In, C.Waker, C.WakerThread);
    auto [It, New] = Charges.try_emplace(Key, Result.Charges.size());
    if (New)
      return Result.Charges.push_back(std::move(C));
    Charge &Sum = Result.Charges[It->second];
    Sum.Ns += C.Ns;
    Sum.Count = int64_t(SaturatingAdd(uint64_t(Sum.Count), uint64_t(C.Count)) & INT64_MAX);
  }

  CPUProfile Result;

private:
  template <typename Map, typename T>
  unsigned intern(Map &Known, typename Map::key_type Key, std::vector<T> &All, T New) {
    auto [It, Fresh] = Known.try_emplace(std::move(Key), unsigned(All.size()));
    if (Fresh)
      All.push_back(std::move(New));
    return It->second;
  }

  std::map<std::pair<std::string, std::string>, unsigned> Images;
  std::map<std::tuple<std::string, std::string, unsigned, unsigned>, unsigned> Places;
  std::map<std::vector<unsigned>, unsigned> Frames;
  std::map<std::pair<std::vector<unsigned>, bool>, unsigned> Stacks;
  std::map<std::tuple<unsigned, unsigned, State, std::optional<unsigned>, std::optional<unsigned>>,
           unsigned>
      Charges;
};

class RunReader {
public:
  RunReader(const Run &R, Builder &To) : To(To) {
    Result.Id = R.Id;
    Result.Exe = R.Exe;
    Result.StartTime = R.Time;
    Result.Period = R.Period;
    Result.Pid = R.Pid;
  }

  Error add(RecordFields &F);
  /// What was read goes into the whole.
  void finish(function_ref<void(const Twine &)> Warn);

private:
  Error addImage(RecordFields &F);
  Error addFrame(RecordFields &F);
  Error addStack(RecordFields &F);
  Error addThread(RecordFields &F);
  Error addCharge(RecordFields &F);
  Error addSnapshot(RecordFields &F);
  unsigned stackNumber(int64_t Id);

  Builder &To;
  CPURun Result;
  std::map<int64_t, unsigned> Images, Frames;
  std::map<int64_t, RawStack> Stacks;
  std::map<int64_t, unsigned> Numbers; ///< Of stacks that something was charged to.
  std::vector<RawThread> Threads;
  std::vector<RawCharge> Charges;
  std::map<int64_t, int64_t> Closed; ///< Snapshots, and when they were taken.
  int64_t Last = -1;                 ///< The latest of these.
  unsigned Nameless = 0;
};

Error RunReader::add(RecordFields &F) {
  StringRef Type = F.stringOr(record::TypeField, "");
  return Type == record::Image::Type         ? addImage(F)
         : Type == record::Frame::Type       ? addFrame(F)
         : Type == record::Stack::Type       ? addStack(F)
         : Type == record::Thread::Type      ? addThread(F)
         : Type == record::Charge::Type      ? addCharge(F)
         : Type == record::CpuSnapshot::Type ? addSnapshot(F)
                                             : Error::success(); // Of another mode.
}

Error RunReader::addImage(RecordFields &F) {
  using Field = record::Image;
  int64_t Id = F.integer(Field::id);
  Image I{F.stringOr(Field::path, "").str(), F.stringOr(Field::build_id, "").str()};
  if (Error E = F.take())
    return E;
  Images.try_emplace(Id, To.image(I));
  return Error::success();
}

Error RunReader::addFrame(RecordFields &F) {
  using Field = record::Frame;
  int64_t Id = F.integer(Field::id);
  auto In = Images.find(F.integerOr(Field::image, -1, -1)); // None: of no image.
  Frame New{In == Images.end() ? To.image({}) : In->second,
            uint64_t(F.integer(Field::offset, 0, INT64_MAX)),
            {}};
  if (Error E = F.take())
    return E;
  auto AddLine = [&](RecordFields *L) -> Error {
    if (!L)
      return createStringError(inconvertibleErrorCode(), "a line is no object");
    Place P{L->stringOr(record::Place::function, "").str(),
            L->stringOr(record::Place::file, "").str(),
            unsigned(L->integerOr(record::Place::line, 0, 0, INT32_MAX)), New.Image};
    New.Places.push_back(To.place(P));
    return L->take();
  };
  if (Error E = F.forEachObject(Field::lines, AddLine))
    return E;
  Frames.try_emplace(Id, To.frame(std::move(New)));
  return Error::success();
}

Error RunReader::addStack(RecordFields &F) {
  using Field = record::Stack;
  int64_t Id = F.integer(Field::id);
  RawStack S{F.integers(Field::frames), F.booleanOr(Field::truncated, false)};
  if (Error E = F.take())
    return E;
  Stacks.try_emplace(Id, std::move(S));
  return Error::success();
}

Error RunReader::addThread(RecordFields &F) {
  using Field = record::Thread;
  RawThread R{F.integer(Field::snapshot), {}};
  Thread &T = R.T;
  T.Number = F.integer(Field::thread);
  T.Tid = F.integerOr(Field::tid, 0);
  T.Name = F.stringOr(Field::name, "").str();
  T.Begin = F.integerOr(Field::begin, 0);
  if (int64_t End = F.integerOr(Field::end, -1, -1); End >= 0)
    T.End = End;
  T.Wall = Time(F.integer(Field::wall));
  T.In[State::CPU] = Time(F.integer(Field::cpu));
  if (std::optional<RecordFields> Off = F.object(Field::off)) {
    for (unsigned I = 1; I < NumStates; ++I)
      T.In[State(I)] = Time(Off->integerOr(toString(State(I)), 0));
    if (Error E = Off->take())
      return E;
  }
  T.Unexplained = Time(F.integerOr(Field::unexplained, 0));
  T.Samples = F.integerOr(Field::samples, 0);
  T.RunQueueKnown = F.booleanOr(Field::runqueue_known, true);
  if (Error E = F.take())
    return E;
  Threads.push_back(std::move(R));
  return Error::success();
}

Error RunReader::addCharge(RecordFields &F) {
  using Field = record::Charge;
  auto Optional = [&](StringRef Key) -> std::optional<int64_t> {
    int64_t N = F.integerOr(Key, 0);
    return N ? std::optional(N) : std::nullopt;
  };
  RawCharge C;
  C.Snapshot = F.integer(Field::snapshot);
  C.Thread = F.integer(Field::thread);
  C.Stack = F.integerOr(Field::stack, 0);
  std::optional<State> In = stateNamed(F.string(Field::state));
  C.In = In.value_or(State::Other); // One of later make is a way of waiting.
  C.Waker = Optional(Field::waker);
  C.WakerThread = Optional(Field::waker_thread);
  C.Ns = Time(F.integer(Field::ns));
  C.Count = F.integerOr(Field::count, 0);
  if (Error E = F.take())
    return E;
  Charges.push_back(C);
  return Error::success();
}

Error RunReader::addSnapshot(RecordFields &F) {
  using Field = record::CpuSnapshot;
  int64_t Index = F.integer(Field::index);
  bool Final = F.booleanOr(Field::final, false);
  Time Wall(F.integer(Field::wall));
  int64_t Dropped = F.integerOr(Field::dropped, 0), Truncated = F.integerOr(Field::truncated, 0);
  int64_t Unsampled = F.integerOr(Field::unsampled_threads, 0);
  if (Error E = F.take())
    return E;
  Closed.try_emplace(Index, Wall.ns());
  if (Index <= Last)
    return Error::success();
  Last = Index;
  Result.Wall = Wall;
  Result.Dropped = Dropped;
  Result.Truncated = Truncated;
  Result.Final = Final;
  Result.Unsampled = Unsampled;
  return Error::success();
}

unsigned RunReader::stackNumber(int64_t Id) {
  auto [It, New] = Numbers.try_emplace(Id, 0);
  auto Raw = Stacks.find(Id);
  if (!New || Raw == Stacks.end())
    return It->second;
  std::vector<unsigned> Known;
  for (int64_t Frame : Raw->second.Frames) {
    auto F = Frames.find(Frame);
    Known.push_back(F != Frames.end() ? F->second : To.frame({To.image({}), 0, {}}));
    Nameless += F == Frames.end();
  }
  return It->second = To.stack(std::move(Known), Raw->second.Truncated);
}

void RunReader::finish(function_ref<void(const Twine &)> Warn) {
  if (Closed.empty()) {
    Warn("run " + printable(Result.Id) +
         " has no closed snapshot: the program was killed before its first one, or still runs");
    return;
  }
  unsigned Run = To.Result.Runs.size();
  std::map<int64_t, std::pair<int64_t, unsigned>> Known; // Snapshot, and place in the whole.
  auto ThreadNumber = [&](int64_t Number) {
    auto [It, New] = Known.try_emplace(Number, -1, unsigned(To.Result.Threads.size()));
    if (New) {
      To.Result.Threads.emplace_back();
      To.Result.Threads.back().Run = Run;
      To.Result.Threads.back().Number = Number;
    }
    return It;
  };
  for (RawThread &R : Threads) {
    auto It = Closed.count(R.Snapshot) ? ThreadNumber(R.T.Number) : Known.end();
    if (It == Known.end() || R.Snapshot <= It->second.first)
      continue;
    It->second.first = R.Snapshot;
    R.T.Run = Run;
    To.Result.Threads[It->second.second] = std::move(R.T);
  }
  unsigned Lost = 0;
  std::map<std::pair<int64_t, unsigned>, Times> Slices;
  for (const RawCharge &C : Charges) {
    if (!Closed.count(C.Snapshot))
      continue;
    Lost += C.Stack && !Stacks.count(C.Stack);
    Charge New{
        ThreadNumber(C.Thread)->second.second, stackNumber(C.Stack), C.In, {}, {}, C.Ns, C.Count};
    if (C.Waker && Stacks.count(*C.Waker))
      New.Waker = stackNumber(*C.Waker);
    if (auto Who = C.WakerThread ? Known.find(*C.WakerThread) : Known.end(); Who != Known.end())
      New.WakerThread = Who->second.second;
    Slices[{C.Snapshot, New.Thread}][C.In] += C.Ns;
    To.charge(std::move(New));
  }
  for (auto &[Which, In] : Slices) {
    auto At = Closed.find(Which.first);
    int64_t Begin = At == Closed.begin() ? 0 : std::prev(At)->second;
    To.Result.Slices.push_back({Which.second, Begin, std::max(Begin, At->second), In});
  }
  if (Lost || Nameless)
    Warn("run " + printable(Result.Id) + ": " + Twine(Lost) + " charges name no stack and " +
         Twine(Nameless) +
         " stacks no frame that the profile has; their time counts as of "
         "unknown code");
  Result.Snapshots = int64_t(Closed.size());
  To.Result.Runs.push_back(std::move(Result));
}

} // namespace

CPUProfile readCPU(const Profile &P, function_ref<void(const Twine &)> Warn) {
  Builder To;
  unsigned Skipped = 0;
  simdjson::dom::parser Parser(1 << 30);
  if (Parser.allocate(1 << 12, MaxNesting))
    report_bad_alloc_error("no memory for the parser of profiles");
  for (const Run &R : P.runs()) {
    if (R.Mode != RunMode::CPU)
      continue;
    RunReader Reader(R, To);
    for (StringRef Text : R.ModeRecords) {
      simdjson::dom::object O;
      // ProfileReader has parsed it before.
      if (Parser.parse(Text.data(), Text.size()).get(O))
        continue;
      RecordFields F(O);
      Error E = Reader.add(F);
      if (!E)
        continue;
      std::string Why = toString(std::move(E));
      if (++Skipped <= MaxWarnings)
        Warn("run " + printable(R.Id) + ": " + printable(F.stringOr(record::TypeField, "")) +
             " record skipped: " + Why);
    }
    Reader.finish(Warn);
  }
  if (Skipped > MaxWarnings)
    Warn(Twine(Skipped - MaxWarnings) + " more records like these");
  return std::move(To.Result);
}

} // namespace causal::cpu
