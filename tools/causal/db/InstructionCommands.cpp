//===- InstructionCommands.cpp - causal db list, calc, stalls, ... --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of `causal db` that looks at instructions. What it reads is a database or the
// file of a probe; what it computes is in lib/continuous/cpi.
//
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "db/DatabaseCommands.h"
#include "db/InstructionReport.h"

#include "lib/container/SourceText.h"
#include "lib/continuous/Database.h"
#include "lib/continuous/cpi/ProbeFile.h"
#include "lib/continuous/probe/Calibration.h"
#include "lib/continuous/probe/CountRunner.h"
#include "lib/continuous/probe/Prober.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace causal {

cl::SubCommand DbListCommand("db list", "Show each instruction of functions: samples, frequency, "
                                        "cycles, culprits");
cl::SubCommand DbCalcCommand("db calc", "Show each block of functions: best case and actual, "
                                        "where control goes, why it waits");
cl::SubCommand DbStallsCommand("db stalls", "Show the instructions that waited most");
cl::SubCommand DbCalibrateCommand("db calibrate", "Measure where samples fall on this machine, "
                                                  "and its clock");
cl::SubCommand DbProbeCommand("db probe", "Run a program, and sample it with the data it touches");
cl::SubCommand DbCountCommand("db count", "Run a program built with -fcausal-profile=count, and "
                                          "write how often each block ran");

namespace {

/// An option of the three that look at a program.
template <typename T> struct LookOption : cl::opt<T> {
  template <typename... Ts>
  explicit LookOption(Ts &&...Modifiers)
      : cl::opt<T>(std::forward<Ts>(Modifiers)..., cl::sub(DbListCommand), cl::sub(DbCalcCommand),
                   cl::sub(DbStallsCommand), cl::cat(Options)) {}
};

cl::list<std::string> Words(cl::Positional, cl::desc("<db|probe file> [<function>...]"),
                            cl::sub(DbListCommand), cl::sub(DbCalcCommand),
                            cl::sub(DbStallsCommand), cl::cat(Options));
cl::list<std::string> ProgramWords(cl::Positional, cl::desc("-- <program> [<argument>...]"),
                                   cl::sub(DbProbeCommand), cl::sub(DbCountCommand),
                                   cl::cat(Options));
cl::opt<std::string> Output("o", cl::init("-"), cl::value_desc("file"),
                            cl::desc("Write to this file (default: stdout)"),
                            cl::sub(DbListCommand), cl::sub(DbCalcCommand),
                            cl::sub(DbStallsCommand), cl::sub(DbCalibrateCommand),
                            cl::sub(DbProbeCommand), cl::sub(DbCountCommand), cl::cat(Options));
enum class OutputFormat { Text, JSON };
LookOption<OutputFormat> Format("format", cl::init(OutputFormat::Text), cl::desc("Format"),
                                cl::values(clEnumValN(OutputFormat::Text, "text", "For people"),
                                           clEnumValN(OutputFormat::JSON, "json", "For programs")));
LookOption<std::string> Program("program", cl::value_desc("file"),
                                cl::desc("The program or library to look at (default: the one "
                                         "with the most samples)"));
LookOption<std::string> CountsFile("counts", cl::value_desc("file"),
                                   cl::desc("What causal db count wrote"));
LookOption<double> Runs("runs", cl::init(1.0), cl::value_desc("n"),
                        cl::desc("So many times the work of the counted run was sampled "
                                 "(default: 1)"));
LookOption<std::string> CPU("cpu", cl::value_desc("name"),
                            cl::desc("Schedule for this CPU instead of the one that was "
                                     "profiled"));
LookOption<std::string> MachineFile("machine", cl::value_desc("file"),
                                    cl::desc("What causal db calibrate wrote on the machine that "
                                             "was profiled"));
cl::opt<unsigned> Top("top", cl::init(10), cl::value_desc("n"),
                      cl::desc("How many (default: 10; 0: all)"), cl::sub(DbStallsCommand),
                      cl::cat(Options));
cl::opt<std::string> HTML("html", cl::value_desc("file"),
                          cl::desc("Write a page: annotated instructions, and the control flow "
                                   "drawn"),
                          cl::sub(DbCalcCommand), cl::cat(Options));
cl::opt<bool> WithSource("source", cl::desc("With source lines"), cl::sub(DbListCommand),
                         cl::cat(Options));
cl::opt<bool> WithRuledOut("ruled-out", cl::desc("Also the causes that are ruled out"),
                           cl::sub(DbCalcCommand), cl::cat(Options));
cl::opt<uint64_t> PeriodUs("period-us", cl::init(500), cl::value_desc("n"),
                           cl::desc("CPU time between samples (default: 500)"),
                           cl::sub(DbProbeCommand), cl::cat(Options));

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// Runs \p Print on stdout or on the file of -o.
Error toOutput(StringRef Path, function_ref<void(raw_ostream &)> Print) {
  if (Path == "-") {
    Print(outs());
    return Error::success();
  }
  std::error_code EC;
  ToolOutputFile File(Path, EC, sys::fs::OF_Text);
  if (EC)
    return createStringError(EC, "cannot write '" + Path + "': " + EC.message());
  Print(File.os());
  File.os().flush();
  if (File.os().has_error()) {
    EC = File.os().error();
    File.os().clear_error();
    return createStringError(EC, "cannot write '" + Path + "': " + EC.message());
  }
  File.keep();
  return Error::success();
}

} // namespace

// Counts of periods that differ are different samples; the period of most wins. The calibration
// that `causal db calibrate -o DB/HOST.machine` left holds for the host with the most samples.
Expected<std::vector<cpi::Observations>> readDatabaseImages(StringRef Directory) {
  if (!continuous::isDatabase(Directory))
    return failure("'" + Directory + "' is no database of mode=continuous");
  continuous::Selection CPUTime;
  CPUTime.Kind = continuous::Event::CPU;
  Expected<continuous::Database> Db =
      continuous::Database::read(Directory, CPUTime, [](const Twine &Message) {
        WithColor::warning(errs(), "causal") << Message << '\n';
      });
  if (!Db)
    return Db.takeError();
  std::map<std::string, uint64_t> OfHost;
  std::map<std::string, std::string> ProcessorOf;
  for (const continuous::HostSamples &S : Db->samples()) {
    OfHost[S.From->machine().str()] += S.Image.total();
    ProcessorOf[S.From->machine().str()] = S.From->Processor;
  }
  auto Most = std::max_element(OfHost.begin(), OfHost.end(),
                               [](const auto &A, const auto &B) { return A.second < B.second; });
  cpi::Machine On;
  if (Most != OfHost.end()) {
    std::string File = (Directory + "/" + Most->first + ".machine").str();
    if (sys::fs::exists(File)) {
      Expected<cpi::Machine> M = cpi::readMachine(File);
      if (!M)
        return M.takeError();
      On = *M;
    }
    if (On.CPU.empty())
      On.CPU = ProcessorOf[Most->first];
  }
  std::map<std::string, cpi::Observations> Best;
  for (const continuous::ImageSamples &S : Db->images()) {
    cpi::Observations O;
    O.Path = S.Path;
    O.BuildID = S.BuildId;
    O.On = On;
    O.PeriodNs = S.Period;
    O.Samples = S.Counts;
    cpi::Observations &Known = Best[S.BuildId.empty() ? S.Path : S.BuildId];
    if (O.total() > Known.total())
      Known = std::move(O);
  }
  std::vector<cpi::Observations> Images;
  for (auto &[Key, O] : Best)
    Images.push_back(std::move(O));
  return Images;
}

namespace {

/// The images that \p Source has samples of.
Expected<std::vector<cpi::Observations>> readSource(StringRef Source) {
  Expected<std::vector<cpi::Observations>> Images =
      sys::fs::is_directory(Source) ? readDatabaseImages(Source) : cpi::readProbe(Source);
  if (!Images)
    return Images;
  if (!MachineFile.empty()) {
    Expected<cpi::Machine> M = cpi::readMachine(MachineFile);
    if (!M)
      return M.takeError();
    for (cpi::Observations &Image : *Images)
      Image.On = *M;
  }
  return Images;
}

Expected<cpi::Observations> chooseImage(StringRef Source) {
  Expected<std::vector<cpi::Observations>> Images = readSource(Source);
  if (!Images)
    return Images.takeError();
  const cpi::Observations *Best = nullptr;
  for (const cpi::Observations &Image : *Images) {
    bool Fits = Program.empty() || Image.Path == Program ||
                sys::fs::equivalent(Image.Path, Program) ||
                StringRef(Image.Path).ends_with("/" + Program);
    if (Fits && (!Best || Image.total() > Best->total()))
      Best = &Image;
  }
  if (!Best) {
    std::string Known;
    for (const cpi::Observations &Image : *Images)
      Known += "\n  " + printable(Image.Path);
    return failure("'" + Source + "' has no samples" +
                   (Program.empty() ? Twine() : " of '" + Program + "'") +
                   (Known.empty() ? Twine() : "; it has those of:" + Twine(Known)));
  }
  return *Best;
}

struct Looked {
  cpi::Observations Seen;
  std::unique_ptr<cpi::Image> Code;
  std::unique_ptr<cpi::Decoder> Decode;
  std::optional<cpi::ExactCounts> Counts;
  cpi::AnalysisOptions Options;
};

Expected<Looked> look(StringRef Source) {
  Expected<cpi::Observations> Seen = chooseImage(Source);
  if (!Seen)
    return Seen.takeError();
  Looked L;
  L.Seen = std::move(*Seen);
  StringRef Path =
      Program.empty() || !sys::fs::exists(Program) ? StringRef(L.Seen.Path) : StringRef(Program);
  Expected<std::unique_ptr<cpi::Image>> Code = cpi::Image::open(Path);
  if (!Code)
    return Code.takeError();
  L.Code = std::move(*Code);
  if (!L.Seen.BuildID.empty() && L.Code->buildID() != L.Seen.BuildID)
    return failure("'" + Path + "' is not what was profiled: its build-id is " + L.Code->buildID() +
                   ", the samples are of " + L.Seen.BuildID + "; name the file with --program=");
  StringRef Model = CPU.empty() ? StringRef(L.Seen.On.CPU) : StringRef(CPU);
  if (Model.empty())
    return failure("the CPU that was profiled is not known: name it with --cpu=");
  Expected<std::unique_ptr<cpi::Decoder>> Decode = cpi::Decoder::create(Model);
  if (!Decode)
    return Decode.takeError();
  L.Decode = std::move(*Decode);
  if (!CountsFile.empty()) {
    Expected<cpi::ExactCounts> Counts = cpi::ExactCounts::read(CountsFile);
    if (!Counts)
      return Counts.takeError();
    L.Counts = std::move(*Counts);
  }
  L.Options.Runs = Runs;
  return L;
}

/// The procedures of these names, or as many of the hottest as hold 95 % of the samples.
Expected<std::vector<cpi::ProcedureResult>> analyse(const Looked &L, ArrayRef<std::string> Names) {
  cpi::AnalysisOptions Options = L.Options;
  Options.Counts = L.Counts ? &*L.Counts : nullptr;
  cpi::Analysis A(*L.Code, *L.Decode, L.Seen, Options);
  std::vector<const cpi::Symbol *> Symbols;
  for (const std::string &Name : Names) {
    SmallVector<const cpi::Symbol *, 1> Found = L.Code->findSymbol(Name);
    if (Found.empty())
      return failure("no function '" + Name + "' in '" + L.Seen.Path +
                     "': `causal db stalls` names those with samples");
    Symbols.insert(Symbols.end(), Found.begin(), Found.end());
  }
  if (Names.empty()) {
    uint64_t Sum = 0, Total = L.Seen.total();
    for (auto [S, N] : A.hotSymbols()) {
      if (Sum >= 0.95 * Total)
        break;
      Sum += N;
      Symbols.push_back(S);
    }
    if (Symbols.empty())
      return failure("no sample of '" + L.Seen.Path +
                     "' is in a function with a name: is the program stripped?");
  }
  std::vector<cpi::ProcedureResult> All;
  for (const cpi::Symbol *S : Symbols) {
    Expected<cpi::ProcedureResult> R = A.analyse(*S);
    if (!R)
      return R.takeError();
    All.push_back(std::move(*R));
  }
  return All;
}

Error print(function_ref<void(const InstructionReport &, ArrayRef<cpi::ProcedureResult>)> Text) {
  if (Words.empty())
    return failure("name a database, or a file that causal db probe wrote");
  Expected<Looked> L = look(Words.front());
  if (!L)
    return L.takeError();
  Expected<std::vector<cpi::ProcedureResult>> All =
      analyse(*L, ArrayRef<std::string>(Words).drop_front());
  if (!All)
    return All.takeError();
  cpi::SourceLines Lines(L->Seen.Path);
  if (!HTML.empty()) {
    Error Failed = Error::success();
    Error E = toOutput(HTML, [&](raw_ostream &OS) {
      InstructionReport Report{*L->Decode, Lines, L->Seen, OS};
      cantFail(std::move(Failed));
      Failed = writePage(Report.page(*All), OS);
    });
    return joinErrors(std::move(Failed), std::move(E));
  }
  return toOutput(Output, [&](raw_ostream &OS) {
    InstructionReport Report{*L->Decode, Lines, L->Seen, OS};
    if (Format == OutputFormat::JSON) {
      OS << Report.json(*All) << '\n';
      return;
    }
    Text(Report, *All);
    Report.legend();
  });
}

} // namespace

Error runDbList() {
  return print([](const InstructionReport &R, ArrayRef<cpi::ProcedureResult> All) {
    for (const cpi::ProcedureResult &Each : All)
      R.list(Each, WithSource);
  });
}

Error runDbCalc() {
  return print([](const InstructionReport &R, ArrayRef<cpi::ProcedureResult> All) {
    for (const cpi::ProcedureResult &Each : All)
      R.calc(Each, WithRuledOut);
  });
}

Error runDbStalls() {
  return print(
      [](const InstructionReport &R, ArrayRef<cpi::ProcedureResult> All) { R.stalls(All, Top); });
}

Error runDbCalibrate() {
  Expected<probe::Calibration> C = probe::calibrate();
  if (!C)
    return C.takeError();
  if (Output != "-")
    if (Error E = toOutput(Output, [&](raw_ostream &OS) { cpi::writeMachine(C->On, OS); }))
      return E;
  outs() << "CPU " << C->On.CPU << (cpi::hasModel(C->On.CPU) ? "" : " (LLVM has no model of it)")
         << format(", %.2f cycles in a nanosecond\n", C->On.GHz);
  outs() << "samples by number of instructions behind the slow one:\n";
  for (const probe::SkidLoop &L : C->Loops) {
    outs() << format("  %-14s", L.Name.c_str());
    for (uint64_t N : L.Behind)
      outs() << format(" %5.1f %%", 100.0 * N / std::max<uint64_t>(1, L.Samples));
    outs() << "   of " << L.Samples << '\n';
  }
  if (C->On.Skid == 1)
    outs() << "Samples fall one instruction behind their cause. They are shifted back.\n";
  else
    outs() << "Samples do not fall one instruction behind their cause here. They are not "
              "shifted.\n";
  return Error::success();
}

Error runDbProbe() {
  if (ProgramWords.empty())
    return failure("name a program: causal db probe -o FILE -- PROGRAM ARGUMENT...");
  if (Output == "-")
    return failure("causal db probe needs -o FILE: the program may write to stdout");
  if (PeriodUs < 50)
    return failure("--period-us= is at least 50");
  Expected<probe::Calibration> C = probe::calibrate();
  if (!C)
    return C.takeError();
  probe::ProbeOptions Options;
  Options.PeriodNs = PeriodUs * 1000;
  Options.On = C->On;
  Expected<probe::ProbeResult> R = probe::probe(ProgramWords, Options);
  if (!R)
    return R.takeError();
  if (R->Images.empty() && R->Status)
    return make_error<ExitStatus>(R->Status, "'" + ProgramWords.front() + "' ended with status " +
                                                 std::to_string(R->Status));
  if (R->Images.empty())
    return failure("'" + ProgramWords.front() +
                   "' was too short to be sampled: let it run longer, or "
                   "take a smaller --period-us=");
  if (R->Lost)
    WithColor::warning(errs(), "causal")
        << R->Lost << " samples found no room and are missing: take a larger --period-us=\n";
  if (Error E = toOutput(Output, [&](raw_ostream &OS) { cpi::writeProbe(R->Images, OS); }))
    return E;
  if (R->Status)
    return make_error<ExitStatus>(R->Status, "'" + ProgramWords.front() + "' ended with status " +
                                                 std::to_string(R->Status));
  return Error::success();
}

Error runDbCount() {
  if (ProgramWords.empty())
    return failure("name a program: causal db count -o FILE -- PROGRAM ARGUMENT...");
  if (Output == "-")
    return failure("causal db count needs -o FILE: the program may write to stdout");
  Expected<probe::CountResult> R = probe::countBlocks(ProgramWords);
  if (!R)
    return R.takeError();
  if (R->Execs)
    WithColor::warning(errs(), "causal")
        << R->Execs << " processes replaced themselves by another program: what they had counted "
        << "before is missing\n";
  if (Error E = toOutput(Output, [&](raw_ostream &OS) { R->Counts.write(OS); }))
    return E;
  if (R->Status)
    return make_error<ExitStatus>(R->Status, "'" + ProgramWords.front() + "' ended with status " +
                                                 std::to_string(R->Status));
  return Error::success();
}

} // namespace causal
