//===- InputText.h - Writes runs of mode=input for tests --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the text of a profile record by record, so that a test shows the numbers that it
// is about and nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_INPUTTEXT_H
#define CAUSAL_TEST_INPUTTEXT_H

#include "lib/container/ProfileReader.h"
#include "lib/input/InputModel.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

namespace causal {

struct InputText {
  std::string Text, Id;

  InputText &run(const std::string &Run, int Cell = 4, const char *Metric = "trms",
                 const char *Unit = "instructions") {
    Id = Run;
    return add(llvm::formatv(R"({{"type":"run","version":1,"run":"{0}","exe":"/p","mode":"input",)"
                             R"("cell":{1},"cost":"{2}","metric":"{3}"})",
                             Id, Cell, Unit, Metric));
  }
  InputText &routine(int Number, const char *Name, const char *File = "", int Line = 0) {
    return add(llvm::formatv(
        R"({{"type":"routine","run":"{0}","id":{1},"name":"{2}","file":"{3}","line":{4}})", Id,
        Number, Name, File, Line));
  }
  /// One point: calls of these costs.
  InputText &point(int Routine, int64_t Input, std::vector<int64_t> Costs, int64_t Thread = 0,
                   int64_t External = 0, int OfThread = 0,
                   std::optional<int64_t> Self = std::nullopt) {
    double Sum = 0, Squares = 0;
    for (int64_t Cost : Costs) {
      Sum += double(Cost);
      Squares += double(Cost) * double(Cost);
    }
    return add(llvm::formatv(
        R"({{"type":"point","run":"{0}","routine":{1},"thread":{2},"input":{3},"calls":{4},)"
        R"("min":{5},"max":{6},"sum":{7:f0},"sumsq":{8:f1},"thread_input":{9},)"
        R"("external_input":{10}{11}})",
        Id, Routine, OfThread, Input, Costs.size(), *std::min_element(Costs.begin(), Costs.end()),
        *std::max_element(Costs.begin(), Costs.end()), Sum, Squares, Thread, External,
        Self ? ",\"self\":" + std::to_string(*Self) : ""));
  }
  InputText &call(int Caller, int Callee, int Calls, double Cost) {
    return add(llvm::formatv(
        R"({{"type":"call","run":"{0}","caller":{1},"callee":{2},"calls":{3},"cost":{4:f0}})", Id,
        Caller, Callee, Calls, Cost));
  }
  InputText &total(int Routine, int Calls, double Self, double Inclusive) {
    return add(llvm::formatv(R"({{"type":"routine_total","run":"{0}","routine":{1},"calls":{2},)"
                             R"("self":{3:f0},"inclusive":{4:f0}})",
                             Id, Routine, Calls, Self, Inclusive));
  }
  InputText &end(int Threads = 1, int Lost = 0) {
    return add(llvm::formatv(
        R"({{"type":"input_snapshot","run":"{0}","final":true,"threads":{1},"lost":{2},"uninstrumented":"libx.so liby.so"})",
        Id, Threads, Lost));
  }
  InputText &add(const std::string &Record) {
    Text += Record + "\n";
    return *this;
  }
};

inline Profile readText(const InputText &T) {
  ProfileReader Reader([](const llvm::Twine &W) { ADD_FAILURE() << W.str(); });
  EXPECT_FALSE(llvm::errorToBool(Reader.addBuffer(llvm::MemoryBuffer::getMemBufferCopy(T.Text))));
  return Reader.take();
}

inline std::vector<InputModel> models(const InputText &T, const InputOptions &Options = {}) {
  Profile P = readText(T);
  llvm::Expected<std::vector<InputModel>> Models = readInputModels(P, Options);
  if (Models)
    return std::move(*Models);
  ADD_FAILURE() << llvm::toString(Models.takeError());
  return {};
}

} // namespace causal

#endif // CAUSAL_TEST_INPUTTEXT_H
