//===- causal_start.cpp - Options and messages ----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_start.h.
//
//===----------------------------------------------------------------------===//
#include "init/causal_start.h"
#include "base/causal_flags.h"
#include "base/causal_glob.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"
#include "profile/causal_profile_writer.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flags.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

using namespace __causal;
using namespace __sanitizer;

extern "C" void __sanitizer_set_report_fd(void *Fd);

static void reportLine(void *, const char *Line) { CAUSAL_REPORT("causal: %s\n", Line); }
static void printLine(void *, const char *Line) {
  MessageScope Scope;
  if (Scope.hasRoom())
    Printf("%s\n", Line);
}

// Where messages go, if not to stderr. (libsanitizer's own way ends the program if it
// cannot open the file.) Without a stderr they go nowhere: the program may open a file
// of its own under that number.
static int MessageFd = -1;

static void openMessages() {
  char Path[PATH_MAX + 16] = "/dev/null";
  if (*flags().log_path)
    internal_snprintf(Path, sizeof(Path), "%s.%d", flags().log_path, processId());
  else if (systemCall(SYS_fcntl, STDERR_FILENO, F_GETFD) >= 0)
    return;
  long Fd = systemCall(SYS_open, word(Path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (Fd >= 0)
    MessageFd = moveDescriptorUp(static_cast<int>(Fd));
  if (MessageFd >= 0)
    __sanitizer_set_report_fd(reinterpret_cast<void *>(uptr(MessageFd)));
  else if (*flags().log_path)
    CAUSAL_REPORT("causal: cannot open %s (errno %d): messages go to stderr. Set "
                  "log_path= in CAUSAL_OPTIONS to a path that can be written\n",
                  Path, Fd < 0 ? static_cast<int>(-Fd) : EMFILE);
}

static void initMessages() {
  SanitizerToolName = "CausalProfiler";
  SetCommonFlagsDefaults();
  CommonFlags Common;
  Common.CopyFrom(*common_flags());
  Common.verbosity = flags().verbosity;
  OverrideCommonFlags(Common);
  SetVerbosity(flags().verbosity);
  openMessages();
}

// Its runs would be added up with those of the program that is being built.
static bool isRunByBuild() {
  static char Path[PATH_MAX];
  long Size = systemCall(SYS_readlink, word("/proc/self/exe"), word(Path), sizeof(Path) - 1);
  Path[Size > 0 ? Size : 0] = 0;
  return isBuildCheck(Path);
}

void __causal::readOptions(char **Environment) {
  Flags &F = beginProcess(Environment);
  ownProcess();
  parseFlags(F, optionsText(), {});
  initMessages();
  if (*optionsText()) {
    // Again, now that messages go where log_path says, with the same values.
    F.StorageUsed = 0;
    parseFlags(F, optionsText(), {reportLine, nullptr});
  }
  if (F.help) {
    printLine(nullptr, "Available flags for CausalProfiler:");
    describeFlags(F, {printLine, nullptr});
  }
  if (F.enabled && isRunByBuild()) {
    F.enabled = false;
    if (F.verbosity)
      CAUSAL_REPORT("causal: this is a program by which a build tries its compiler: it is not "
                    "profiled. Give it another name or folder if it is yours\n");
  }
}

void __causal::closeInheritedDescriptors() {
  for (int Fd = 0; (Fd = nextOwnDescriptor(Fd)) >= 0; ++Fd)
    if (Fd != profileDirectory() && Fd != MessageFd)
      closeOwnDescriptor(Fd);
  if (MessageFd >= 0)
    __sanitizer_set_report_fd(reinterpret_cast<void *>(uptr(MessageFd)));
}
