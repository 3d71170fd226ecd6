//===- TableExport.cpp - A database as tables for an engine ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/TableExport.h"
#include "lib/continuous/Epoch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace llvm;

namespace causal::continuous {

namespace {

// Engines read signed numbers of 64 bits.
constexpr uint64_t MostNumber = INT64_MAX;

class Table {
public:
  Table(const std::string &Directory, StringRef Name, StringRef Head)
      : OS(Directory + "/" + Name.str(), Code) {
    OS << Head << '\n';
  }
  Table &number(uint64_t N) {
    begin();
    OS << std::min(N, MostNumber);
    return *this;
  }
  Table &text(StringRef Text) {
    begin();
    // Engines want UTF-8, and no zeros.
    std::string Valid = json::fixUTF8(Text.split('\0').first);
    OS << '"';
    for (char C : Valid)
      OS << (C == '"' ? "\"\"" : StringRef(&C, 1));
    OS << '"';
    return *this;
  }
  Table &none() {
    begin();
    OS << "-1";
    return *this;
  }
  void end() {
    OS << '\n';
    First = true;
  }
  Error close(const std::string &Directory) {
    OS.close();
    std::error_code Failed = Code ? Code : OS.error();
    OS.clear_error();
    return Failed
               ? createStringError(Failed, "cannot write to " + Directory + ": " + Failed.message())
               : Error::success();
  }

private:
  void begin() {
    if (!First)
      OS << ',';
    First = false;
  }
  std::error_code Code;
  raw_fd_ostream OS;
  bool First = true;
};

class Exporter {
public:
  Exporter(const Database &DB, Symbols &Names, const std::string &Directory)
      : DB(DB), Names(Names), Directory(Directory) {}

  Error run() {
    if (std::error_code Code = sys::fs::create_directories(Directory))
      return createStringError(Code, "cannot make " + Directory + ": " + Code.message());
    for (auto Write : {&Exporter::epochs, &Exporter::images, &Exporter::samples, &Exporter::totals,
                       &Exporter::places})
      if (Error E = (this->*Write)())
        return E;
    return Error::success();
  }

private:
  Error epochs() {
    Table T(Directory, "epochs.csv", "host,epoch,first_second,last_second");
    std::set<std::pair<StringRef, StringRef>> All;
    for (const HostSamples &S : DB.samples())
      All.insert({S.From->Name, S.Epoch});
    for (const HostTotals &S : DB.totals())
      All.insert({S.From->Name, S.Epoch});
    for (auto [Host, Epoch] : All) {
      T.text(Host).text(Epoch).number(beginOf(Epoch)).number(endOf(Epoch) - 1);
      T.end();
    }
    return T.close(Directory);
  }

  Error images() {
    Table T(Directory, "images.csv", "image,build_id,path");
    for (const HostSamples &S : DB.samples()) {
      auto Who = whoIs(S.Image);
      auto [It, New] = Images.try_emplace(Who, Images.size() + 1);
      if (!New)
        continue;
      T.number(It->second).text(S.Image.BuildId).text(S.Image.Path);
      T.end();
    }
    return T.close(Directory);
  }

  Error samples() {
    Table T(Directory, "samples.csv", "host,epoch,image,event,period,address,samples");
    auto Begin = [&](const HostSamples &S) {
      T.text(S.From->Name).text(S.Epoch).number(Images[whoIs(S.Image)]);
      T.text(eventName(S.Image.Kind)).number(S.Image.Period);
    };
    for (const HostSamples &S : DB.samples()) {
      for (auto [Address, Count] : S.Image.Counts) {
        Begin(S);
        T.number(Address).number(Count).end();
      }
      if (S.Image.Thinned) {
        Begin(S);
        T.none().number(S.Image.Thinned).end();
      }
    }
    return T.close(Directory);
  }

  Error totals() {
    Table T(Directory, "totals.csv", "host,epoch,event,period,samples,dropped,unmapped,processes");
    for (const HostTotals &S : DB.totals()) {
      T.text(S.From->Name).text(S.Epoch).text(eventName(S.Kind)).number(S.Period);
      T.number(S.Samples).number(S.Dropped).number(S.Unmapped).number(S.Processes).end();
    }
    return T.close(Directory);
  }

  Error places() {
    Table T(Directory, "places.csv", "image,address,function,file,line");
    std::set<std::pair<uint64_t, uint64_t>> Done;
    for (const HostSamples &S : DB.samples())
      for (auto [Address, Count] : S.Image.Counts) {
        uint64_t Image = Images[whoIs(S.Image)];
        if (!Done.insert({Image, Address}).second)
          continue;
        CodePlace P = Names.at(S.Image, Address);
        T.number(Image).number(Address).text(P.Function).text(P.File).number(P.Line).end();
      }
    return T.close(Directory);
  }

  /// A build-id says who an image is, wherever it lies.
  static std::pair<std::string, std::string> whoIs(const ImageSamples &S) {
    return {S.BuildId, S.BuildId.empty() ? S.Path : ""};
  }

  const Database &DB;
  Symbols &Names;
  const std::string &Directory;
  std::map<std::pair<std::string, std::string>, uint64_t> Images;
};

} // namespace

Error exportTables(const Database &DB, Symbols &Names, const std::string &Directory) {
  return Exporter(DB, Names, Directory).run();
}

} // namespace causal::continuous
