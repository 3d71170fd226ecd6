//===- InputModelTest.cpp -------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records into models, and the ranking by root cause.
//
//===----------------------------------------------------------------------===//

#include "lib/input/InputModel.h"
#include "InputText.h"
#include "lib/input/RootCause.h"

#include <gmock/gmock.h>

using namespace causal;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

namespace {

TEST(InputModel, ReadsEveryField) {
  InputText T;
  T.run("b", 8, "rms", "blocks").routine(1, "_ZN1a1fEi", "/s/f.cpp", 7).point(1, 10, {3, 5}, 2, 1);
  T.routine(2, "main").call(2, 1, 2, 8).total(1, 2, 6, 8).total(2, 1, 1, 9).end(3, 4);
  std::vector<InputModel> Models = models(T);
  ASSERT_THAT(Models, SizeIs(1));
  const InputModel &M = Models.front();
  EXPECT_EQ(M.Metric, "rms");
  EXPECT_EQ(M.Unit, "blocks");
  EXPECT_EQ(M.Cell, 8);
  EXPECT_EQ(M.Threads, 3u);
  EXPECT_EQ(M.Lost, 4);
  EXPECT_THAT(M.Uninstrumented, ElementsAre("libx.so", "liby.so"));
  EXPECT_EQ(M.Total, 7);
  ASSERT_THAT(M.Routines, SizeIs(2));
  const InputRoutine &F = M.Routines[0];
  EXPECT_EQ(F.Name, "a::f(int)");
  EXPECT_EQ(F.File, "/s/f.cpp");
  EXPECT_EQ(F.Line, 7u);
  EXPECT_EQ(F.Self, 6);
  EXPECT_EQ(F.Inclusive, 8);
  ASSERT_THAT(F.Points, SizeIs(1));
  EXPECT_EQ(F.Points[0].Calls, 2);
  EXPECT_EQ(F.Points[0].Min, 3);
  EXPECT_EQ(F.Points[0].Max, 5);
  EXPECT_EQ(F.Points[0].SumSquares, 34);
  EXPECT_EQ(F.Points[0].ThreadInput, 2);
  EXPECT_EQ(F.Points[0].ExternalInput, 1);
  ASSERT_THAT(M.Calls, SizeIs(1));
  EXPECT_EQ(M.Calls[0].Cost, 8);
}

TEST(InputModel, RunsAndThreadsAddUp) {
  InputText T;
  T.run("a").routine(1, "f").point(1, 10, {3}, 0, 0, 0).point(1, 10, {5}, 0, 0, 1).end();
  T.run("b").routine(9, "f").point(9, 10, {7}).point(9, 20, {9}).end();
  InputModel M = models(T).front();
  ASSERT_THAT(M.Routines, SizeIs(1));
  ASSERT_THAT(M.Routines[0].Points, SizeIs(2));
  EXPECT_EQ(M.Routines[0].Points[0].Calls, 3);
  EXPECT_EQ(M.Routines[0].Points[0].Sum, 15);
  EXPECT_EQ(M.Routines[0].Points[0].Max, 7);

  InputOptions Apart;
  Apart.ThreadsApart = true;
  M = models(T, Apart).front();
  EXPECT_THAT(M.Routines, SizeIs(2)); // Thread 0 of both runs, and thread 1.
}

TEST(InputModel, ReadingTwiceChangesNothing) {
  InputText T;
  T.run("a").routine(1, "f").point(1, 10, {3}).total(1, 1, 3, 3).end();
  InputText Twice = T;
  Twice.Text += T.Text;
  EXPECT_EQ(models(Twice).front().Routines[0].Points[0].Calls, 1);
  EXPECT_EQ(models(Twice).front().Total, 3);
}

TEST(InputModel, MetricsStandApart) {
  InputText T;
  T.run("a", 4, "rms").routine(1, "f").point(1, 5, {3}).end();
  T.run("b", 4, "trms").routine(1, "f").point(1, 9, {3}).end();
  std::vector<InputModel> Models = models(T);
  ASSERT_THAT(Models, SizeIs(2));
  EXPECT_EQ(Models[0].Metric, "trms");
  EXPECT_EQ(Models[0].Routines[0].Points[0].Input, 9);
  EXPECT_EQ(Models[1].Routines[0].Points[0].Input, 5);
}

TEST(InputModel, WhatDoesNotAddUpIsRefused) {
  InputText T;
  T.run("a", 4).end().run("b", 8).end();
  EXPECT_THAT(toString(checkInputRuns(readText(T))),
              HasSubstr("one has cells of 4 bytes and another of 8"));
  InputText U;
  U.run("a", 4, "trms", "blocks").end().run("b").end();
  EXPECT_THAT(toString(checkInputRuns(readText(U))),
              HasSubstr("one counts cost in blocks and another in instructions"));
}

TEST(InputModel, ARunThatWasCutSaysSo) {
  InputText T;
  T.run("a").routine(1, "f").point(1, 10, {3, 4});
  InputModel M = models(T).front();
  EXPECT_THAT(M.Warnings, ElementsAre(HasSubstr("1 run has no end")));
  EXPECT_EQ(M.Routines[0].Inclusive, 7);
  EXPECT_EQ(M.Routines[0].Calls, 2);
  EXPECT_EQ(M.Total, 7);
}

TEST(InputModel, RecordsWithoutSenseAreSkippedAndSaid) {
  InputText T;
  T.run("a").routine(1, "f").point(1, 10, {3});
  T.add(
      R"({"type":"point","run":"a","routine":1,"input":-4,"calls":1,"min":1,"max":1,"sum":1,"sumsq":1})");
  T.add(R"({"type":"call","run":"a","caller":1})").end();
  InputModel M = models(T).front();
  EXPECT_THAT(M.Warnings,
              ElementsAre(HasSubstr("2 records were skipped; the first: \"input\" is")));
  EXPECT_THAT(M.Routines[0].Points, SizeIs(1));
}

TEST(InputModel, SumsOfSquaresAreOfAnySize) {
  InputText T;
  T.run("a").routine(1, "f");
  T.add(
      R"({"type":"point","run":"a","routine":1,"thread":0,"input":4,"calls":1,"min":1,"max":1,"sum":1,"sumsq":1.5e300})");
  EXPECT_EQ(models(T.end()).front().Routines[0].Points[0].SumSquares, 1.5e300);
}

TEST(InputModel, RoutinesAreFoundByName) {
  InputText T;
  T.run("a").routine(1, "_ZN1a1fEi", "/s/f.cpp", 7).routine(2, "f", "/s/g.c", 1).routine(3, "ff");
  for (int I : {1, 2, 3})
    T.point(I, 1, {1});
  InputModel M = models(T.end()).front();
  EXPECT_THAT(findRoutines(M, "f"), ElementsAre(1));
  EXPECT_THAT(findRoutines(M, "a::f"), ElementsAre(0));
  EXPECT_THAT(findRoutines(M, "a::f(int)"), ElementsAre(0));
  EXPECT_THAT(findRoutines(M, "f.cpp:f"), ElementsAre(0));
  EXPECT_THAT(findRoutines(M, "g"), ElementsAre());
}

/// \p Number calls of inputs that grow; cost of one as \p Cost says. Returns their sum.
template <typename Function> double grow(InputText &T, int Routine, Function Cost) {
  double Sum = 0;
  for (int Input = 10, I = 0; I < 14; ++I, Input = Input * 3 / 2) {
    T.point(Routine, Input, {int64_t(Cost(double(Input)))});
    Sum += double(int64_t(Cost(double(Input))));
  }
  return Sum;
}

TEST(RootCause, ACallerIsFoldedUnderTheCalleeThatGrows) {
  InputText T;
  T.run("a").routine(1, "quadratic").routine(2, "work").routine(3, "main").routine(4, "linear");
  double Q = grow(T, 1, [](double N) { return 2 * N * N; });
  double L = grow(T, 4, [](double N) { return 9 * N; });
  double W = grow(T, 2, [](double N) { return 2 * N * N + 9 * N + 5 * N; });
  T.point(3, 100000, {int64_t(W + 100)});
  T.call(2, 1, 14, Q).call(2, 4, 14, L).call(3, 2, 14, W);
  T.total(1, 14, Q, Q).total(4, 14, L, L).total(2, 14, W - Q - L, W).total(3, 1, 100, W + 100);
  InputModel M = models(T.end()).front();
  Ranking R = rankRoutines(M);
  ASSERT_THAT(R.Causes, SizeIs(1));
  const RootCause &C = R.Causes[0];
  EXPECT_EQ(M.Routines[C.Routine].Name, "quadratic");
  EXPECT_EQ(C.Why, RootCause::SlowByItself);
  EXPECT_TRUE(C.Sure);
  EXPECT_GT(C.Share, 0.9);
  ASSERT_THAT(C.Under, SizeIs(2));
  EXPECT_EQ(M.Routines[C.Under[0].Routine].Name, "work");
  EXPECT_EQ(M.Routines[C.Under[1].Routine].Name, "main");
}

TEST(RootCause, CalledTooOftenIsToldFromSlow) {
  InputText T;
  T.run("a").routine(1, "insert").routine(2, "build");
  double I = grow(T, 1, [](double N) { return 3 * N; });
  double B = grow(T, 2, [](double N) { return 1.5 * N * N + 7 * N; });
  T.call(2, 1, 5000, B * 0.95).total(1, 5000, B * 0.95, B * 0.95).total(2, 14, B * 0.05, B);
  (void)I;
  InputModel M = models(T.end()).front();
  Ranking R = rankRoutines(M);
  ASSERT_THAT(R.Causes, SizeIs(1));
  EXPECT_EQ(M.Routines[R.Causes[0].Routine].Name, "build");
  EXPECT_EQ(R.Causes[0].Why, RootCause::CallsTooOften);
  EXPECT_EQ(describeCause(M, R, R.Causes[0]),
            "calls insert too often: 357 calls for one of its own, and insert is n by itself");
}

TEST(RootCause, WhatIsCalledTooOftenIsNamedAtTheBottom) {
  // statement() only passes on to add(), where the cost comes up.
  InputText T;
  T.run("a").routine(1, "add").routine(2, "statement").routine(3, "parse");
  for (int N : {2, 10, 100, 400, 900})
    T.point(1, N, {3 * N}).point(2, N + 1, {3 * N + 2});
  double P = grow(T, 3, [](double N) { return 1.5 * N * N + 7 * N; });
  T.call(3, 2, 5000, P * 0.97).call(2, 1, 5000, P * 0.95);
  T.total(1, 5000, P * 0.95, P * 0.95).total(2, 5000, P * 0.02, P * 0.97).total(3, 14, P * 0.03, P);
  InputModel M = models(T.end()).front();
  Ranking R = rankRoutines(M);
  ASSERT_THAT(R.Causes, SizeIs(1));
  EXPECT_EQ(
      describeCause(M, R, R.Causes[0]),
      "calls add too often by way of statement: 357 calls for one of its own, and add is n by "
      "itself");
}

TEST(RootCause, ACircleOfCallsHasOneCulprit) {
  // exec() runs statements, one of which calls exec() again; the parser below is quadratic.
  InputText T;
  T.run("a").routine(1, "parse").routine(2, "exec").routine(3, "step").routine(4, "main");
  double P = grow(T, 1, [](double N) { return 2 * N * N; });
  grow(T, 2, [](double N) { return 2 * N * N + N; });
  grow(T, 3, [](double N) { return 0.5 * N * N + N; });
  T.call(4, 2, 14, P).call(2, 1, 14, P).call(2, 3, 14, P / 4).call(3, 2, 14, P / 4);
  T.total(1, 14, P, P).total(2, 28, P / 100, P).total(3, 14, P / 100, P / 4).total(4, 1, 1, P);
  InputModel M = models(T.end()).front();
  Ranking R = rankRoutines(M);
  ASSERT_FALSE(R.Causes.empty());
  for (const RootCause &Other : llvm::ArrayRef(R.Causes).drop_front())
    EXPECT_LT(Other.Share, 0.02);
  EXPECT_EQ(M.Routines[R.Causes[0].Routine].Name, "parse");
  EXPECT_EQ(R.Causes[0].Why, RootCause::SlowByItself);
}

TEST(RootCause, RoutinesThatCallEachOtherDoNotHideOneAnother) {
  InputText T;
  T.run("a").routine(1, "even").routine(2, "odd");
  double A = grow(T, 1, [](double N) { return 2 * N * N; });
  double B = grow(T, 2, [](double N) { return 2 * N * N; });
  T.call(1, 2, 14, B).call(2, 1, 14, A).total(1, 14, A / 2, A).total(2, 14, B / 2, B);
  EXPECT_THAT(rankRoutines(models(T.end()).front()).Causes, SizeIs(1));
}

TEST(RootCause, SelfCostOfPointsDecides) {
  // What the routine does itself is much, but it does not grow: the calls do.
  InputText T;
  T.run("a").routine(1, "f").routine(2, "g").routine(3, "main");
  double Sum = 0, Self = 0;
  for (int Input = 10, I = 0; I < 14; ++I, Input = Input * 3 / 2) {
    int64_t Own = 1000 * Input, Cost = Own + int64_t(Input) * Input;
    T.point(1, Input, {Cost}, 0, 0, 0, Own);
    Sum += double(Cost);
    Self += double(Own);
  }
  T.point(2, 1, {1}, 0, 0, 0, 1).point(3, 9, {1}, 0, 0, 0, 1);
  T.call(1, 2, 90000, Sum - Self).total(1, 14, Self, Sum).total(2, 90000, Sum - Self, Sum - Self);
  InputModel M = models(T.end()).front();
  Ranking R = rankRoutines(M);
  ASSERT_THAT(R.Causes, SizeIs(1));
  EXPECT_EQ(R.Causes[0].Why, RootCause::CallsTooOften);
}

TEST(RootCause, LinearProgramsHaveNone) {
  InputText T;
  T.run("a").routine(1, "f");
  double F = grow(T, 1, [](double N) { return 7 * N + 100; });
  T.total(1, 14, F, F);
  EXPECT_THAT(rankRoutines(models(T.end()).front()).Causes, SizeIs(0));
}

} // namespace
