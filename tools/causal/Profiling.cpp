//===- Profiling.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profiling.h"
#include "ChildProcess.h"
#include "causal/ProfileFormat.h"
#include "lib/container/ProfileReader.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

#include <cstring>

#include <unistd.h>

using namespace llvm;

namespace causal {

Expected<std::string> profilingOptions(ArrayRef<std::pair<std::string, std::string>> Flags) {
  std::string Text = sys::Process::GetEnv("CAUSAL_OPTIONS").value_or("");
  for (const auto &[Name, Value] : Flags) {
    char Quote = StringRef(Value).contains('\'') ? '"' : '\'';
    if (StringRef(Value).contains(Quote))
      return createStringError(inconvertibleErrorCode(),
                               "'" + Value +
                                   "' holds both kinds of quotes, which "
                                   "CAUSAL_OPTIONS cannot say; rename it");
    Text += (Text.empty() ? "" : ":") + Name + "=" + Quote + Value + Quote;
  }
  return Text;
}

std::string outputFlag(StringRef Path) {
  SmallString<256> Absolute(Path);
  (void)sys::fs::make_absolute(Absolute);
  std::string Flag;
  for (char C : Absolute)
    Flag.append(C == '%' ? 2 : 1, C);
  return Flag;
}

Expected<ControlFile> ControlFile::create() {
  int Descriptor;
  SmallString<128> Path;
  if (std::error_code EC = sys::fs::createTemporaryFile("causal", "control", Descriptor, Path))
    return createStringError(EC, "cannot make a file in the directory for "
                                 "temporary files: " +
                                     EC.message() + "; set TMPDIR to one that is writable");
  close(Descriptor);
  return ControlFile(Path.str().str());
}

ControlFile::~ControlFile() {
  if (!Path.empty())
    (void)sys::fs::remove(Path);
}

void ControlFile::stop() {
  std::error_code EC;
  raw_fd_ostream(Path, EC) << CAUSAL_CONTROL_STOP << '\n';
}

std::optional<Profile> peekProfile(StringRef Path) {
  ProfileReader Reader([](const Twine &) {});
  if (Error E = Reader.addFile(Path)) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return Reader.take();
}

Error noProfileError(StringRef Program) {
  Expected<std::string> Path = findProgram(Program);
  if (!Path)
    return Path.takeError();
  if (isUninstrumented(*Path))
    return createStringError(inconvertibleErrorCode(),
                             Program + " is not instrumented: it left no profile, and the "
                                       "profiler's runtime is not in it. Build and link it with "
                                       "-fcausal-profile (causal-clang or causal-clang++)");
  return createStringError(inconvertibleErrorCode(),
                           Program + " left no profile: what it starts is not built with "
                                     "-fcausal-profile, or it was killed before its first "
                                     "experiment, or CAUSAL_OPTIONS has enabled=0");
}

} // namespace causal
