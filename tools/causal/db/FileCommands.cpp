//===- FileCommands.cpp - causal db cat, merge, push ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "db/DatabaseCommands.h"
#include "lib/container/SourceText.h"
#include "lib/continuous/Copies.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace causal::continuous;

namespace causal {

cl::SubCommand DbCatCommand("db cat", "Show a file of a database as text");
cl::SubCommand DbMergeCommand("db merge", "Put several databases into one");
cl::SubCommand DbPushCommand("db push", "Bring a database to a store that machines share");

static cl::list<std::string> Files(cl::Positional, cl::OneOrMore, cl::desc("<file>..."),
                                   cl::sub(DbCatCommand), cl::cat(Options));
static cl::list<std::string> Inputs(cl::Positional, cl::OneOrMore, cl::desc("<database>..."),
                                    cl::sub(DbMergeCommand), cl::cat(Options));
static cl::opt<std::string> Output("o", cl::Required, cl::value_desc("directory"),
                                   cl::desc("The database to make or to add to"),
                                   cl::sub(DbMergeCommand), cl::cat(Options));
static cl::opt<std::string> From(cl::Positional, cl::Required, cl::desc("<database>"),
                                 cl::sub(DbPushCommand), cl::cat(Options));
static cl::opt<std::string> To(cl::Positional, cl::Required, cl::desc("<directory>"),
                               cl::sub(DbPushCommand), cl::cat(Options));

Error runDbCat() {
  for (const std::string &File : Files) {
    auto Buffer = MemoryBuffer::getFile(File);
    if (!Buffer)
      return createStringError(Buffer.getError(),
                               "cannot read " + File + ": " + Buffer.getError().message());
    auto S = decodeImageFile((*Buffer)->getBuffer());
    if (!S)
      return createStringError(inconvertibleErrorCode(),
                               File + " is no image file of a database, or is damaged");
    outs() << "build-id   " << (S->BuildId.empty() ? "none" : S->BuildId) << '\n'
           << "path       " << printable(S->Path) << '\n'
           << "event      " << eventName(S->Kind) << '\n'
           << "period     " << S->Period << '\n'
           << "samples    " << S->total() << '\n';
    if (S->Thinned)
      outs() << "thinned    " << S->Thinned << '\n';
    for (auto [Address, Count] : S->Counts)
      outs() << "0x" << utohexstr(Address, /*LowerCase=*/true) << ' ' << Count << '\n';
  }
  return Error::success();
}

Error runDbMerge() {
  for (const std::string &Input : Inputs)
    if (auto Copied = copyDatabase(Input, Output); !Copied)
      return Copied.takeError();
  return Error::success();
}

Error runDbPush() {
  auto Copied = copyDatabase(From, To);
  if (!Copied)
    return Copied.takeError();
  outs() << *Copied << (*Copied == 1 ? " machine" : " machines") << " brought to " << printable(To)
         << '\n';
  return Error::success();
}

} // namespace causal
