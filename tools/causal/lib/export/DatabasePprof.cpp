//===- DatabasePprof.cpp - A continuous database for pprof ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One sample of profile.proto for each address, with the host as its label. There are no
// stacks: each is one frame deep.
//
//===----------------------------------------------------------------------===//
#include "lib/export/DatabasePprof.h"
#include "lib/export/ProtoWriter.h"

#include "llvm/Support/JSON.h"

using namespace llvm;

namespace causal::continuous {

namespace {
class PprofWriter {
public:
  explicit PprofWriter(Symbols &Names) : Names(Names) {}

  void add(const HostSamples &S) {
    uint64_t Mapping = mappingOf(S.Image);
    for (auto [Address, Count] : S.Image.Counts)
      addSample(S, locationOf(S.Image, Mapping, Address), Count);
    if (S.Image.Thinned)
      addSample(S, locationOf(S.Image, Mapping, 0), S.Image.Thinned);
  }

  Error write(raw_ostream &OS) {
    Message Profile;
    Profile.message(1, valueType(Texts.id("samples"), Texts.id("count")));
    Profile.message(1, valueType(Texts.id("cpu"), Texts.id("nanoseconds")));
    std::string Rest = Parts.text().str();
    for (StringRef Text : Texts.List)
      Profile.bytes(6, Text);
    return writeCompressed((Profile.text() + Rest).str(), OS);
  }

private:
  uint64_t text(StringRef T) { return Texts.id(json::fixUTF8(T)); }

  uint64_t mappingOf(const ImageSamples &Image) {
    auto [It, New] = Mappings.try_emplace(Image.key(), Mappings.size() + 1);
    if (New) {
      Message M;
      M.number(1, It->second);
      M.number(5, text(Image.Path));
      M.number(6, text(Image.BuildId));
      M.number(7, 1); // has_functions
      Parts.message(3, M);
    }
    return It->second;
  }

  uint64_t locationOf(const ImageSamples &Image, uint64_t Mapping, uint64_t Address) {
    auto [It, New] = Locations.try_emplace({Mapping, Address}, Locations.size() + 1);
    if (!New)
      return It->second;
    CodePlace P = Names.at(Image, Address);
    Message Line, Location;
    Line.number(1, functionOf(P));
    Line.number(2, P.Line);
    Location.number(1, It->second);
    Location.number(2, Mapping);
    Location.number(3, Address);
    Location.message(4, Line);
    Parts.message(4, Location);
    return It->second;
  }

  uint64_t functionOf(const CodePlace &P) {
    auto [It, New] = Functions.try_emplace({P.Function, P.File}, Functions.size() + 1);
    if (New) {
      Message F;
      F.number(1, It->second);
      F.number(2, text(P.Function));
      F.number(3, text(P.Function));
      F.number(4, text(P.File));
      Parts.message(5, F);
    }
    return It->second;
  }

  void addSample(const HostSamples &S, uint64_t Location, uint64_t Count) {
    Message Label, Sample;
    Label.number(1, text("host"));
    Label.number(2, text(S.From->machine()));
    Sample.packed(1, {Location});
    Sample.packed(2, {Count, Count * S.Image.Period});
    Sample.message(3, Label);
    Parts.message(2, Sample);
  }

  Symbols &Names;
  Strings Texts;
  Message Parts;
  std::map<std::string, uint64_t> Mappings;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> Locations;
  std::map<std::pair<std::string, std::string>, uint64_t> Functions;
};
} // namespace

Error exportPprof(const Database &DB, Event Kind, Symbols &Names, raw_ostream &OS) {
  PprofWriter Writer(Names);
  for (const HostSamples &S : DB.samples())
    if (S.Image.Kind == Kind)
      Writer.add(S);
  return Writer.write(OS);
}

} // namespace causal::continuous
