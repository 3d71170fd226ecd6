//===- ProfileReader.cpp --------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/ProfileReader.h"
#include "causal/ProfileFields.h"
#include "causal/ProfileFormat.h"
#include "lib/container/ParsedLines.h"
#include "lib/container/RecordFields.h"
#include "lib/container/RunModes.h"
#include "lib/container/SourceText.h"

#include <limits>

using namespace llvm;

namespace causal {

namespace {

constexpr unsigned MaxWarningsPerFile = 5;
constexpr uint64_t LinesPerProgress = 1000;

/// The format cannot be read at all; unlike a bad record this ends the reading.
class VersionError : public ErrorInfo<VersionError> {
public:
  static char ID;
  explicit VersionError(int64_t Version) : Version(Version) {}
  void log(raw_ostream &OS) const override {
    OS << "the profile is in version " << Version << " of the format, this tool reads up to "
       << CAUSAL_PROFILE_VERSION << "; use the causal tool that came with the compiler plugin";
  }
  std::error_code convertToErrorCode() const override { return inconvertibleErrorCode(); }

private:
  int64_t Version;
};
char VersionError::ID;

Error badRecord(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

/// A record may stand right after one that was cut off by a crash: the text from
/// the next place where one may begin. Only the last few such places are looked
/// at, so that a long line of nothing but beginnings is read in linear time.
StringRef afterCutRecord(StringRef Line) {
  constexpr StringRef Begin = "{\"type\":"; // record::TypeField
  constexpr unsigned MaxPlaces = 4;
  size_t Next = StringRef::npos;
  StringRef Rest = Line;
  for (unsigned I = 0; I < MaxPlaces; ++I) {
    size_t At = Rest.rfind(Begin);
    if (At == StringRef::npos || At == 0)
      break;
    Next = At;
    Rest = Rest.take_front(At);
  }
  return Next == StringRef::npos ? StringRef() : Line.substr(Next);
}

} // namespace

void ProfileReader::warn(const Twine &Message) {
  if (++Warnings <= MaxWarningsPerFile)
    Warn(Twine(Name) + ":" + Twine(LineNo) + ": " + Message);
}

Error ProfileReader::addFile(StringRef Path) {
  // Not null-terminated: a running program may append while we read.
  auto Buffer = MemoryBuffer::getFileOrSTDIN(Path, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
  if (std::error_code EC = Buffer.getError())
    return createStringError(EC, "cannot read " + Path + ": " + EC.message() +
                                     (EC == std::errc::no_such_file_or_directory
                                          ? "; run the profiled program first, or name its profile"
                                          : ""));
  return addBuffer(std::move(*Buffer));
}

Error ProfileReader::addBuffer(std::unique_ptr<MemoryBuffer> Buffer) {
  Name = Buffer->getBufferIdentifier().str();
  LineNo = Warnings = Records = 0;
  StringRef Text = Buffer->getBuffer();
  bool Empty = Text.trim().empty();
  Result.keep(std::move(Buffer));
  ParsedLines Lines(Text);
  while (const ParsedLine *L = Lines.next()) {
    if (OnProgress && LineNo % LinesPerProgress == 0)
      OnProgress(Name, double(L->Text.begin() - Text.begin()) / double(Text.size()));
    ++LineNo;
    if (L->Text.empty())
      continue;
    if (Error E = readLine(*L))
      return E;
  }
  if (Warnings > MaxWarningsPerFile)
    Warn(Twine(Name) + ": " + Twine(Warnings - MaxWarningsPerFile) + " more records like these");
  Pending.clear();
  if (Records)
    return Error::success();
  if (Empty)
    return createStringError(inconvertibleErrorCode(),
                             Twine(Name) + " is empty; run the profiled program to its end");
  return createStringError(inconvertibleErrorCode(),
                           Twine(Name) + " is not a causal profile: it has no valid record");
}

Profile ProfileReader::take() {
  Profile P = std::move(Result);
  Result = Profile();
  return P;
}

Error ProfileReader::readLine(const ParsedLine &L) {
  // What begins behind a record that was cut off is a line of its own.
  std::optional<ParsedLines> Behind;
  for (const ParsedLine *Part = &L; Part;) {
    Error E = readRecord(*Part);
    if (!E)
      break;
    if (E.isA<VersionError>())
      return createStringError(inconvertibleErrorCode(),
                               Twine(Name) + ":" + Twine(LineNo) + ": " + toString(std::move(E)));
    ++Skipped;
    warn("record skipped: " +
         Twine(L.Ended ? ""
                       : "the end is cut off (the program was killed, or still "
                         "runs): ") +
         toString(std::move(E)));
    StringRef Rest = afterCutRecord(Part->Text);
    Part = Rest.empty() ? nullptr : Behind.emplace(Rest).next();
  }
  return Error::success();
}

Error ProfileReader::readRecord(const ParsedLine &L) {
  StringRef Text = L.Text;
  simdjson::dom::object O;
  simdjson::error_code Failed = L.Failed ? L.Failed : L.Document.root().get(O);
  if (Failed)
    return badRecord(Failed == simdjson::DEPTH_ERROR      ? "nested too deeply"
                     : Failed == simdjson::INCORRECT_TYPE ? "no \"type\""
                                                          : "not JSON");
  RecordFields F(O);
  StringRef Type = F.stringOr(record::TypeField, "");
  if (Type.empty())
    return badRecord("no \"type\"");
  if (F.stringOr(record::Run::run, "").empty())
    return badRecord("no \"run\"");
  Error E = Type == record::Experiment::Type ? readExperiment(F, Text)
            : Type == record::Line::Type     ? readCounts(F, Text)
            : Type == record::Snapshot::Type ? readSnapshot(F, Text)
            : Type == record::Run::Type      ? readRun(F, Text)
            : modeOfRecord(Type)             ? readModeRecord(*modeOfRecord(Type), F, Text)
                                 : badRecord("unknown type \"" + printable(Type) + "\"");
  if (!E)
    ++Records;
  return E;
}

Error ProfileReader::readModeRecord(RunMode Mode, RecordFields &F, StringRef Text) {
  Result.addModeRecord(Result.internRun(F.string(record::Run::run)), Mode, Text);
  return Error::success();
}

Error ProfileReader::readRun(RecordFields &F, StringRef Text) {
  using Field = record::Run;
  int64_t Version = F.integer(Field::version, 1);
  if (Version > CAUSAL_PROFILE_VERSION)
    return make_error<VersionError>(Version);
  Run R;
  R.Mode = modeNamed(F.stringOr(Field::mode, toString(RunMode::Causal)));
  R.Exe = F.stringOr(Field::exe, "").str();
  R.BuildId = F.stringOr(Field::build_id, "").str();
  R.Host = F.stringOr(Field::host, "").str();
  R.Options = F.stringOr(Field::options, "").str();
  R.Sampler = F.stringOr(Field::sampler, "").str();
  R.SamplesKernel = F.booleanOr(Field::kernel, true);
  R.Pid = F.integerOr(Field::pid, 0);
  R.Time = F.integerOr(Field::time, 0, 0, std::numeric_limits<int64_t>::max());
  R.Period = F.integerOr(Field::period, 0);
  R.Cores = F.integerOr(Field::cores, 0);
  R.Raw = Text;
  if (Error E = F.take())
    return E;
  Result.setHeader(Result.internRun(F.string(Field::run)), std::move(R));
  return Error::success();
}

namespace {
/// A record's "file", "line", "function" and what these mean.
struct TargetFields {
  StringRef File, Function;
  unsigned Line;
  TargetKind Kind;

  explicit TargetFields(RecordFields &F) {
    using Field = record::Experiment; // A line record's are the same.
    File = F.string(Field::file);
    Line = unsigned(F.integer(Field::line, 0, std::numeric_limits<int32_t>::max()));
    Function = F.stringOr(Field::function, "");
    bool Section = F.booleanOr(Field::section, false);
    if (!Line && (Section || Function.empty()))
      F.fail(Field::line, "is not an integer in range");
    Kind = Section ? TargetKind::Section : Line ? TargetKind::Line : TargetKind::Function;
  }
  unsigned intern(Profile &P) const { return P.internLine(File, Line, Function, Kind); }
};
} // namespace

Error ProfileReader::readExperiment(RecordFields &F, StringRef Text) {
  using Field = record::Experiment;
  Experiment X;
  StringRef RunId = F.string(Field::run);
  X.Index = F.integer(Field::index);
  TargetFields Target(F);
  X.Speedup = unsigned(F.integer(Field::speedup, 0, 100));
  X.Start = F.integerOr(Field::start, 0);
  X.Wall = F.integer(Field::wall, 1);
  X.Delay = F.integer(Field::delay);
  X.Pause = F.integerOr(Field::pause, 0);
  X.Samples = F.integerOr(Field::samples, 0);
  X.Work = F.integerOr(Field::work, 0);
  X.Waited = F.integerOr(Field::waited, 0);
  X.Idle = F.integerOr(Field::idle, 0);
  X.Stolen = F.integerOr(Field::stolen, 0);
  X.Unsettled = F.integerOr(Field::unsettled, 0);
  X.CoreWait = float(F.numberOr(Field::core_wait, 0));
  X.ThreadsPerCore = float(F.numberOr(Field::threads_per_core, 0));
  X.Dilated = F.booleanOr(Field::dilated, false);
  X.Spun = float(F.numberOr(Field::spun, 0));
  X.LockWaits = F.integerOr(Field::lock_waits, 0);
  X.LockWaitTime = F.integerOr(Field::lock_wait_time, 0);
  if (X.Idle > X.Wall)
    F.fail(Field::idle, "is more than \"wall\"");
  if (Error E = F.take())
    return E;
  SmallVector<std::pair<StringRef, PointKind>> Names;
  auto ReadPoint = [&](RecordFields *PF) -> Error {
    if (!PF)
      return badRecord("a point is no object");
    using PointField = record::Point;
    StringRef Name = PF->string(PointField::name), Kind = PF->string(PointField::kind);
    Measurement M{};
    PointKind Is = PointKind::Throughput;
    if (Kind == "latency") {
      Is = PointKind::Latency;
      M.Begins = PF->integer(PointField::begins);
      M.Visits = PF->integer(PointField::ends);
      M.InFlight = PF->numberOr(PointField::in_flight, 0);
    } else if (Kind == "throughput" || Kind == "run") {
      Is = Kind == "run" ? PointKind::Run : PointKind::Throughput;
      M.Visits = PF->integer(PointField::visits);
    } else {
      return Error::success(); // A kind of later make.
    }
    M.SpanVisits = PF->integerOr(PointField::span_visits, 0);
    M.Span = PF->integerOr(PointField::span, 0);
    M.SpanWork = PF->integerOr(PointField::span_work, 0);
    M.LateVisits = PF->integerOr(PointField::late_visits, 0);
    M.LateSpan = PF->integerOr(PointField::late_span, 0);
    M.LateWork = PF->integerOr(PointField::late_work, 0);
    if (Is == PointKind::Latency)
      M.LateInFlight = PF->numberOr(PointField::late_in_flight, 0);
    Names.emplace_back(Name, Is);
    X.Points.push_back(M);
    return PF->take();
  };
  if (Error E = F.forEachObject(Field::points, ReadPoint))
    return E;
  std::vector<std::pair<unsigned, size_t>> Order; // Those of another file have other numbers.
  for (size_t I = 0; I < Names.size(); ++I) {
    X.Points[I].Point = Result.internPoint(Names[I].first, Names[I].second);
    Order.push_back({X.Points[I].Point, I});
  }
  if (!is_sorted(Order)) {
    llvm::sort(Order);
    std::vector<Measurement> Sorted;
    for (auto [Point, I] : Order)
      Sorted.push_back(X.Points[I]);
    X.Points = std::move(Sorted);
  }
  X.Run = Result.internRun(RunId);
  X.Line = Target.intern(Result);
  Result.noteLine(X.Run, X.Line, Target.Function);
  X.Raw = Text;
  if (TakeExperiment)
    TakeExperiment(X);
  else if (X.Delay >= X.Wall)
    Result.addVoidExperiment(X.Run, X.Index);
  else
    Result.addExperiment(std::move(X));
  return Error::success();
}

Error ProfileReader::readCounts(RecordFields &F, StringRef Text) {
  using Field = record::Line;
  int64_t Index = F.integer(Field::snapshot);
  TargetFields Target(F);
  LineCounts C;
  C.Samples = F.integer(Field::samples);
  C.UndelayedSamples = F.integerOr(Field::undelayed_samples, 0);
  C.Raw = Text;
  if (Error E = F.take())
    return E;
  unsigned RunIndex = Result.internRun(F.string(Field::run));
  PendingSnapshot &S = Pending[RunIndex];
  if (S.Index != Index) {
    S.Index = Index;
    S.Lines.clear();
  }
  unsigned LineIndex = Target.intern(Result);
  Result.noteLine(RunIndex, LineIndex, Target.Function);
  S.Lines[LineIndex] = C;
  return Error::success();
}

Error ProfileReader::readSnapshot(RecordFields &F, StringRef Text) {
  using Field = record::Snapshot;
  Snapshot S;
  S.Index = F.integer(Field::index);
  S.Final = F.booleanOr(Field::final, false);
  S.Wall = F.integer(Field::wall);
  S.Delay = F.integer(Field::delay);
  S.UndelayedWall = F.integer(Field::undelayed_wall);
  S.Idle = F.integerOr(Field::idle, 0);
  S.UndelayedIdle = F.integerOr(Field::undelayed_idle, 0);
  S.SampleWeight = std::max(F.numberOr(Field::sample_weight, 1), 1.0);
  S.Unlocked = F.integerOr(Field::unlocked, 0);
  S.Rewritten = F.booleanOr(Field::rewritten, false);
  int64_t Lines = F.integerOr(Field::lines, 0);
  if (S.Delay > S.Wall)
    F.fail(Field::delay, "is more than \"wall\"");
  if (S.UndelayedWall > S.Wall)
    F.fail(Field::undelayed_wall, "is more than \"wall\"");
  if (S.Idle > S.Wall)
    F.fail(Field::idle, "is more than \"wall\"");
  if (S.UndelayedIdle > S.UndelayedWall)
    F.fail(Field::undelayed_idle, "is more than \"undelayed_wall\"");
  if (std::optional<RecordFields> Lost = F.object(Field::losses)) {
    using LostField = record::Losses;
    S.Lost = {Lost->integerOr(LostField::dropped, 0),
              Lost->integerOr(LostField::late, 0),
              Lost->integerOr(LostField::unmapped, 0),
              Lost->integerOr(LostField::out_of_scope, 0),
              Lost->integerOr(LostField::oversleep, 0),
              Lost->integerOr(LostField::forgiven, 0),
              Lost->integerOr(LostField::threads, 0),
              Lost->integerOr(LostField::unsampled_threads, 0),
              Lost->integerOr(LostField::timed_threads, 0),
              Lost->integerOr(LostField::yields, 0)};
    if (Error E = Lost->take())
      return E;
  }
  S.Lost.CPUTime = F.integerOr(Field::cpu_time, 0);
  S.Lost.SampledTime = F.integerOr(Field::sampled_time, 0);
  S.Raw = Text;
  if (Error E = F.take())
    return E;
  unsigned RunIndex = Result.internRun(F.string(Field::run));
  PendingSnapshot &P = Pending[RunIndex];
  if (P.Index == S.Index)
    S.Lines = std::move(P.Lines);
  P = PendingSnapshot();
  if (int64_t(S.Lines.size()) != Lines)
    warn("snapshot " + Twine(S.Index) + " closes " + Twine(Lines) + " line records, " +
         Twine(S.Lines.size()) + " were read");
  Result.addSnapshot(RunIndex, std::move(S));
  return Error::success();
}

} // namespace causal
