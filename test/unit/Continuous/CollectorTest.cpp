//===- CollectorTest.cpp - Rounds of collecting, killed anywhere ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Collector.h"
#include "continuous/causal_segment.h"
#include "lib/continuous/Database.h"
#include "lib/continuous/Epoch.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace causal::continuous;
using namespace __causal;
using namespace llvm;
using causal::segment::Segment;

namespace {

constexpr uint64_t Now = 1795903200; // 20261128T22

uint64_t timeOfTest() { return Now; }

/// A process that counts in a segment of the database, and holds its lock.
class Process {
public:
  Process(const std::string &DB, const std::string &Name) : Path(DB + "/spool/" + Name + ".seg") {
    Fd = open(Path.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    EXPECT_EQ(ftruncate(Fd, sizeof(Segment)), 0);
    void *At = mmap(nullptr, sizeof(Segment), PROT_READ | PROT_WRITE, MAP_SHARED, Fd, 0);
    S = static_cast<Segment *>(At);
    flock(Fd, LOCK_EX);
    S->Size = sizeof(Segment);
    S->Period = 2000000;
    S->Active = 1;
    S->Start = S->Halves[1].Began = Now;
    S->Images = 4;
    for (unsigned I = 0; I < 4; ++I) {
      S->ImageTable[I].BuildIdSize = 1;
      S->ImageTable[I].BuildId[0] = uint8_t(0xa0 + I);
    }
    S->Magic = segment::Magic;
  }
  Process(const Process &) = delete;
  ~Process() { end(); }
  void end() {
    if (Fd >= 0) {
      munmap(S, sizeof(Segment));
      close(Fd);
    }
    Fd = -1;
  }
  void sample(unsigned N, std::mt19937 &Random, unsigned Addresses = 500) {
    for (unsigned I = 0; I < N; ++I)
      if (Random() % 50)
        countSample(*S, Random() % 4, 0, Random() % Addresses, 1, timeOfTest);
      else
        countUnmapped(*S, 1);
  }
  std::string Path;
  int Fd;
  Segment *S;
};

struct CollectorTest : testing::Test {
  CollectorTest() {
    SmallString<128> Path;
    // Where there is no disk to wait for, if there is such a place.
    const char *Where = sys::fs::is_directory("/dev/shm") ? "/dev/shm/causal-db" : "causal-db";
    EXPECT_FALSE(sys::fs::createUniqueDirectory(Where, Path));
    DB = Path.str().str();
    cantFail(makeDatabase(DB));
    Options.HostName = "box";
    Options.Now = Now;
  }
  ~CollectorTest() override { sys::fs::remove_directories(DB); }

  Collected round() { return cantFail(collect(DB, Options)); }
  /// Samples in images; checks that nothing is missing in the totals.
  uint64_t inImages(uint64_t Samples) {
    auto Read = cantFail(Database::read(DB));
    uint64_t Sum = 0;
    for (const ImageSamples &I : Read.images())
      Sum += I.total();
    HostTotals T = Read.total();
    EXPECT_EQ(T.Samples, Samples);
    EXPECT_EQ(T.Samples, Sum + T.Dropped + T.Unmapped);
    return Sum;
  }
  size_t segments() { return cantFail(Directory::open(DB + "/spool")).names().size(); }

  std::string DB;
  CollectOptions Options;
  std::mt19937 Random{5};
};

TEST_F(CollectorTest, FoldsALiveProcessAndThenTheRest) {
  Process P(DB, "p");
  P.sample(1000, Random);
  EXPECT_EQ(round().Samples, 1000u);
  EXPECT_EQ(round().Samples, 0u);
  inImages(1000);
  P.sample(500, Random);
  P.end();
  Collected C = round();
  EXPECT_EQ(C.Samples, 500u);
  EXPECT_EQ(C.Ended, 1u);
  EXPECT_EQ(segments(), 0u);
  inImages(1500);
  EXPECT_EQ(cantFail(Database::read(DB)).total().Processes, 1u);
}

TEST_F(CollectorTest, WaitsForWhoIsAtASample) {
  Process P(DB, "p");
  P.sample(10, Random);
  P.S->Halves[1].InFlight = 1; // Its thread has lost its core.
  EXPECT_EQ(round().Samples, 0u);
  P.sample(10, Random); // In the other half.
  P.S->Halves[1].InFlight = 0;
  EXPECT_EQ(round().Samples, 10u);
  EXPECT_EQ(round().Samples, 10u);
  inImages(20);
}

TEST_F(CollectorTest, CountsWhatWasInFlightWhenItWasKilled) {
  Process P(DB, "p");
  P.sample(10, Random);
  P.S->Halves[1].InFlight = 1;
  P.S->Halves[1].Samples += 1;
  P.end();
  Collected C = round();
  EXPECT_EQ(C.Samples, 11u);
  EXPECT_EQ(C.Torn, 1u);
  inImages(11);
}

// The collector dies at its first step, its second and so on; the next one takes over.
TEST_F(CollectorTest, SurvivesAKillAtEveryStep) {
  uint64_t Expected = 0;
  bool Finished = false;
  for (unsigned Kill = 1; !Finished; ++Kill) {
    ASSERT_LT(Kill, 200u);
    Process Lives(DB, "lives" + utostr(Kill)), Ends(DB, "ends" + utostr(Kill));
    Lives.sample(300, Random);
    Ends.sample(200, Random);
    Expected += 500;
    Ends.end();
    pid_t Child = fork();
    ASSERT_GE(Child, 0);
    if (!Child) {
      unsigned Steps = 0;
      CollectOptions Killed = Options;
      Killed.OnStep = [&] {
        if (++Steps == Kill)
          _exit(1);
      };
      cantFail(collect(DB, Killed));
      _exit(0);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    Finished = WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
    Lives.sample(100, Random); // It goes on meanwhile.
    Expected += 100;
    if (Kill % 2)
      round();
    // Who reads now sees whole deltas; what is still in segments is not in there.
    auto Read = cantFail(Database::read(DB));
    uint64_t Sum = 0;
    for (const ImageSamples &I : Read.images())
      Sum += I.total();
    EXPECT_EQ(Read.total().Samples, Sum + Read.total().Dropped + Read.total().Unmapped) << Kill;
    Lives.end();
    round();
    inImages(Expected);
    EXPECT_EQ(segments(), 0u);
  }
}

TEST_F(CollectorTest, TwoCollectorsAndManyProcesses) {
  std::vector<std::unique_ptr<Process>> All;
  for (unsigned I = 0; I < 40; ++I)
    All.push_back(std::make_unique<Process>(DB, "p" + utostr(I)));
  std::vector<pid_t> Collectors;
  for (unsigned C = 0; C < 2; ++C)
    if (pid_t Child = fork())
      Collectors.push_back(Child);
    else {
      for (unsigned I = 0; I < 8; ++I)
        cantFail(collect(DB, Options));
      _exit(0);
    }
  for (unsigned I = 0; I < 40; ++I) {
    All[I]->sample(1000, Random);
    if (I % 2)
      All[I]->end();
  }
  for (pid_t C : Collectors)
    waitpid(C, nullptr, 0);
  All.clear();
  round();
  inImages(40000);
  EXPECT_EQ(segments(), 0u);
}

TEST_F(CollectorTest, LeavesAloneWhatIsNoSegmentOfThisUser) {
  unsigned Warnings = 0;
  Options.Warn = [&](const Twine &) { ++Warnings; };
  std::string Spool = DB + "/spool/";
  ASSERT_EQ(symlink("/etc/passwd", (Spool + "link.seg").c_str()), 0);
  ASSERT_EQ(mkfifo((Spool + "pipe.seg").c_str(), 0600), 0);
  ASSERT_EQ(mkdir((Spool + "dir.seg").c_str(), 0700), 0);
  cantFail(cantFail(Directory::open(Spool)).replace("short.seg", "CAUSALS1"));
  cantFail(
      cantFail(Directory::open(Spool)).replace("zero.seg", std::string(sizeof(Segment), '\0')));
  EXPECT_EQ(round().Segments, 0u);
  EXPECT_EQ(Warnings, 5u);
  EXPECT_EQ(segments(), 5u);
}

TEST_F(CollectorTest, RefusesAHostDirectoryThatIsALink) {
  ASSERT_EQ(symlink("/tmp", (DB + "/box." + utostr(geteuid())).c_str()), 0);
  auto C = collect(DB, Options);
  EXPECT_FALSE(C);
  consumeError(C.takeError());
}

TEST_F(CollectorTest, MakesFilesForTheirOwnerAlone) {
  umask(0);
  Process P(DB, "p");
  P.sample(100, Random);
  round();
  std::error_code Code;
  unsigned Seen = 0;
  for (sys::fs::recursive_directory_iterator I(DB, Code), E; I != E && !Code; I.increment(Code)) {
    struct stat S;
    ASSERT_EQ(lstat(I->path().c_str(), &S), 0);
    EXPECT_EQ(S.st_mode & 077, 0u) << I->path();
    ++Seen;
  }
  EXPECT_GT(Seen, 8u);
}

/// One image, sampled in hour after hour.
ImageSamples imageOf(unsigned Id, unsigned Addresses, std::mt19937 &Random) {
  ImageSamples S;
  S.BuildId = utohexstr(0x1000 + Id, /*LowerCase=*/true);
  S.Path = "/bin/p";
  S.Period = 1;
  for (unsigned I = 0; I < Addresses; ++I)
    S.Counts[Random()] += 1 + Random() % 100;
  return S;
}

TEST_F(CollectorTest, ThinningKeepsTotals) {
  Delta D;
  uint64_t Total = 0;
  for (unsigned Hour = 0; Hour < 24 * 9; ++Hour) {
    ImageSamples S = imageOf(1, 20, Random);
    Total += S.total();
    D.add(hourOf(Now - 3600 * Hour), S);
  }
  Options.MaxBytes = 100000;
  cantFail(collect(DB, Options, &D));
  auto Read = cantFail(Database::read(DB));
  ASSERT_EQ(Read.images().size(), 1u);
  EXPECT_EQ(Read.images()[0].total(), Total);
  EXPECT_EQ(Read.images()[0].Thinned, 0u); // Weeks and days were enough.
  EXPECT_LT(Read.samples().size(), 30u);
  EXPECT_LE(cantFail(Directory::open(DB)).bytes(), Options.MaxBytes + 20000);
}

TEST_F(CollectorTest, StaysWithinItsBoundInAFloodOfImages) {
  Options.MaxBytes = 1 << 20;
  uint64_t Total = 0;
  for (unsigned Round = 0; Round < 3; ++Round) {
    Delta D;
    for (unsigned I = 0; I < 600; ++I) {
      ImageSamples S = imageOf(Round * 600 + I, 5, Random);
      Total += S.total();
      D.add(hourOf(Now - 3600 * (I % 3)), S);
    }
    cantFail(collect(DB, Options, &D));
    EXPECT_LE(cantFail(Directory::open(DB)).bytes(), Options.MaxBytes);
    uint64_t Sum = 0;
    for (const ImageSamples &I : cantFail(Database::read(DB)).images())
      Sum += I.total();
    EXPECT_EQ(Sum, Total);
  }
}

// Deltas that replace epochs are taken up like others.
TEST_F(CollectorTest, ThinningSurvivesAKillAtEveryStep) {
  Delta D;
  uint64_t Total = 0;
  for (unsigned Hour = 0; Hour < 30; ++Hour) {
    ImageSamples S = imageOf(1, 20, Random);
    Total += S.total();
    D.add(hourOf(Now - 3600 * Hour), S);
  }
  cantFail(collect(DB, Options, &D));
  Options.MaxBytes = 20000;
  bool Finished = false;
  for (unsigned Kill = 1; !Finished; ++Kill) {
    ASSERT_LT(Kill, 200u);
    pid_t Child = fork();
    if (!Child) {
      unsigned Steps = 0;
      Options.OnStep = [&] {
        if (++Steps == Kill)
          _exit(1);
      };
      cantFail(collect(DB, Options));
      _exit(0);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    Finished = WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
    uint64_t Sum = 0;
    for (const ImageSamples &I : cantFail(Database::read(DB)).images())
      Sum += I.total();
    EXPECT_EQ(Sum, Total) << Kill;
  }
}

TEST_F(CollectorTest, RemovesWhatIsTooOld) {
  Delta D;
  for (unsigned Days : {1, 10, 100})
    D.add(hourOf(Now - Days * 24 * 3600), imageOf(Days, 5, Random));
  Options.KeepDays = 30;
  cantFail(collect(DB, Options, &D));
  EXPECT_EQ(cantFail(Database::read(DB)).samples().size(), 2u);
}

} // namespace
