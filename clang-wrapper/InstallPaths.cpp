//===- InstallPaths.cpp - Where our files and the real clang are ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InstallPaths.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;

namespace causal {
namespace {

const char *const ClangMajor = "19";
const char *const Remedy = "install clang 19 (Debian: apt-get install clang-19) or name one with "
                           "--causal-clang=PATH";

template <typename... Ts> Error failure(const char *Format, const Ts &...Values) {
  return createStringError(inconvertibleErrorCode(), Format, Values...);
}

std::string realPath(const Twine &Path) {
  SmallString<128> Real;
  return sys::fs::real_path(Path, Real) ? std::string() : std::string(Real);
}

/// The major version that \p Clang prints; empty when it does not run.
std::string askVersion(StringRef Clang) {
  SmallString<128> Path;
  if (sys::fs::createTemporaryFile("causal", "version", Path))
    return "";
  FileRemover Remove(Path);
  std::optional<StringRef> Redirects[] = {StringRef(), StringRef(Path), StringRef()};
  if (sys::ExecuteAndWait(Clang, {Clang, "-dumpversion"}, std::nullopt, Redirects) != 0)
    return "";
  auto Text = MemoryBuffer::getFile(Path);
  return Text ? (*Text)->getBuffer().split('.').first.trim().str() : "";
}

/// The resource directory beside the real file tells the version without
/// running it. Only for a file called clang: in /usr/bin that directory is no
/// evidence.
bool isPlainlyClang19(StringRef Clang) {
  std::string Real = realPath(Clang);
  SmallString<128> Resources = sys::path::parent_path(sys::path::parent_path(Real));
  if (Resources == "/usr" || !sys::path::filename(Real).starts_with("clang"))
    return false;
  sys::path::append(Resources, "lib", "clang", ClangMajor);
  return sys::fs::is_directory(Resources);
}

} // namespace

Installation findInstallation(const char *Argv0) {
  std::string Self =
      realPath(sys::fs::getMainExecutable(Argv0, reinterpret_cast<void *>(&findInstallation)));
  StringRef Prefix = sys::path::parent_path(sys::path::parent_path(Self));

  Installation Install;
  Install.LibDir = (Prefix + "/lib/causal").str();
  Install.IncludeDir = (Prefix + "/include").str();
  const char *Path = std::getenv("PATH");
  Install.Clang = findClang(CAUSAL_CONFIGURED_CLANG, Path ? Path : "", Self);
  return Install;
}

std::string findClang(StringRef Configured, StringRef Path, StringRef Self) {
  if (sys::fs::can_execute(Configured))
    return Configured.str();
  SmallVector<StringRef, 16> Dirs;
  Path.split(Dirs, ':');
  for (StringRef Name : {"clang-19", "clang"})
    for (StringRef Dir : Dirs) {
      SmallString<128> Candidate = Dir;
      sys::path::append(Candidate, Name);
      if (sys::fs::can_execute(Candidate) && realPath(Candidate) != Self)
        return std::string(Candidate);
    }
  return "";
}

Error checkInstallation(const Command &Cmd, const Installation &Install) {
  if (Cmd.Program.empty())
    return failure("clang 19 was not found: %s", Remedy);
  if (sys::path::filename(Cmd.Program) == "clang-scan-deps" && !sys::fs::can_execute(Cmd.Program))
    return failure("no %s, which CMake looks for C++20 modules with: install it "
                   "(Debian: apt-get install clang-tools-19) or configure with "
                   "-DCMAKE_CXX_SCAN_FOR_MODULES=OFF",
                   Cmd.Program.c_str());
  if (!sys::fs::can_execute(Cmd.Program))
    return failure("%s is not executable: %s", Cmd.Program.c_str(), Remedy);
  if (!isPlainlyClang19(Cmd.Program)) {
    std::string Version = askVersion(Cmd.Program);
    if (Version.empty())
      return failure("%s is not clang 19: %s", Cmd.Program.c_str(), Remedy);
    if (Version != ClangMajor)
      return failure("%s is clang %s, and the plugins are for clang 19: %s", Cmd.Program.c_str(),
                     Version.c_str(), Remedy);
  }
  if (Cmd.NeedsInstallation && !sys::fs::exists(Install.LibDir + "/CausalPass.so"))
    return failure("no plugins and runtime in %s: keep causal-clang in its "
                   "installation (a "
                   "symbolic link to it may be anywhere)",
                   Install.LibDir.c_str());
  return Error::success();
}

} // namespace causal
