//===- CollectCommand.cpp - causal db collect, causal db share ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "db/DatabaseCommands.h"

#include "llvm/Support/Process.h"

#include <cerrno>
#include <ctime>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace causal::continuous;

namespace causal {

cl::SubCommand DbCollectCommand("db collect", "Bring what programs have sampled into a database");
cl::SubCommand DbShareCommand("db share", "Make a database for programs of all users");

static cl::opt<std::string> Path(cl::Positional, cl::Required, cl::desc("<database>"),
                                 cl::sub(DbCollectCommand), cl::sub(DbShareCommand),
                                 cl::cat(Options));
static cl::opt<unsigned> MaxMB("max-mb", cl::value_desc("n"),
                               cl::desc("Thin old epochs above this size (default: 1024, or "
                                        "db_max_mb= in <database>/settings)"),
                               cl::sub(DbCollectCommand), cl::sub(DaemonCommand), cl::cat(Options));
static cl::opt<unsigned> KeepDays("keep-days", cl::value_desc("n"),
                                  cl::desc("Remove epochs older than this (default: 30, or "
                                           "keep_days= in <database>/settings)"),
                                  cl::sub(DbCollectCommand), cl::sub(DaemonCommand),
                                  cl::cat(Options));

CollectOptions collectOptions(const std::string &Where) {
  CollectOptions O;
  O.HostName = hostName();
  O.Now = uint64_t(time(nullptr));
  O.Warn = warnOf;
  unsigned MB = unsigned(O.MaxBytes >> 20);
  if (auto Top = Directory::open(Where, /*FollowLast=*/true)) {
    std::string Text = Top->read("settings").value_or("");
    SmallVector<StringRef> Lines;
    StringRef(Text).split(Lines, '\n', -1, false);
    for (StringRef Line : Lines) {
      auto [Name, Value] = Line.split('=');
      if (Name.trim() == "db_max_mb")
        Value.trim().getAsInteger(10, MB);
      else if (Name.trim() == "keep_days")
        Value.trim().getAsInteger(10, O.KeepDays);
    }
  } else {
    consumeError(Top.takeError());
  }
  if (MaxMB.getNumOccurrences())
    MB = MaxMB;
  if (KeepDays.getNumOccurrences())
    O.KeepDays = KeepDays;
  O.MaxBytes = uint64_t(MB) << 20;
  return O;
}

/// Runs a round as another user, so that what it makes is that user's, and so that a link in a
/// directory of that user leads nowhere that the user may not go.
static Error collectAs(uid_t User, gid_t Group, const std::string &Where,
                       const CollectOptions &Options) {
  pid_t Child = fork();
  if (Child < 0)
    return fileError("cannot collect for another user in", Where, errno);
  if (!Child) {
    if (setgroups(0, nullptr) || setgid(Group) || setuid(User))
      _exit(1);
    auto C = collect(Where, Options);
    if (!C)
      warnOf(toString(C.takeError()));
    _exit(C ? 0 : 1);
  }
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR) {
  }
  if (Status)
    warnOf("the segments of user " + Twine(User) + " in " + Where + " are not collected");
  return Error::success();
}

Expected<Collected> collectForAll(const std::string &Where, const CollectOptions &Options,
                                  const Delta *More) {
  if (geteuid() == 0)
    for (auto [User, Group] : segmentOwners(Where))
      if (User != 0)
        if (Error E = collectAs(User, Group, Where, Options))
          return std::move(E);
  return collect(Where, Options, More);
}

Error runDbCollect() {
  auto C = collectForAll(Path, collectOptions(Path));
  if (!C)
    return C.takeError();
  outs() << C->Segments << " segments, " << C->Ended
         << " of them of processes that have ended: " << C->Samples << " samples, " << C->Dropped
         << " dropped, " << C->Unmapped << " in no image\n";
  return Error::success();
}

Error runDbShare() { return makeDatabase(Path, /*Shared=*/true); }

} // namespace causal
