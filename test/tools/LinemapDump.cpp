//===- LinemapDump.cpp - Prints the line table of an ELF file -------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tool of the tests. It lays the segments of a linked file out in memory as
// the loader would and reads the table with the runtime's own decoder.
//
//   linemap-dump FILE                the records and the lines of each
//   linemap-dump --addresses FILE    for each hexadecimal address on the input,
//   a
//                                    JSON array of frames, innermost first
//
//===----------------------------------------------------------------------===//
#include "causal/LineMapFormat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::object;
using namespace causal::linemap;

static cl::opt<std::string> Input(cl::Positional, cl::Required, cl::desc("FILE"));
static cl::opt<bool> Addresses("addresses", cl::desc("Look up the addresses on the input"));
static ExitOnError ExitOnErr("linemap-dump: ");

namespace {

constexpr unsigned MaxFrames = 256;

struct Image {
  std::vector<char> Memory;
  const FunctionRecord *Begin = nullptr;
  const FunctionRecord *End = nullptr;
  DenseMap<uint64_t, StringRef> Names;

  uintptr_t base() const { return reinterpret_cast<uintptr_t>(Memory.data()); }
};

} // namespace

static Expected<Image> loadImage(const ELF64LEObjectFile &File) {
  Image I;
  auto Headers = File.getELFFile().program_headers();
  if (!Headers)
    return Headers.takeError();
  for (auto &P : *Headers)
    if (P.p_type == ELF::PT_LOAD) {
      if (I.Memory.size() < P.p_vaddr + P.p_memsz)
        I.Memory.resize(P.p_vaddr + P.p_memsz);
      memcpy(&I.Memory[P.p_vaddr], File.getELFFile().base() + P.p_offset, P.p_filesz);
    }
  if (I.Memory.empty())
    return createStringError("not a linked file");

  for (const ELFSectionRef S : File.sections())
    if (auto Name = S.getName(); Name && *Name == CAUSAL_LINEMAP_FUNCTIONS) {
      I.Begin = reinterpret_cast<const FunctionRecord *>(&I.Memory[0] + S.getAddress());
      I.End = I.Begin + S.getSize() / sizeof(FunctionRecord);
    } else if (!Name)
      return Name.takeError();

  for (const ELFSymbolRef S : File.symbols()) {
    auto Name = S.getName();
    if (!Name)
      return Name.takeError();
    auto Address = S.getAddress();
    if (!Address)
      return Address.takeError();
    if (S.getELFType() == ELF::STT_FUNC)
      I.Names.try_emplace(*Address, *Name);
  }
  return I;
}

static std::string toString(ArrayRef<Frame> Frames) {
  return join(map_range(Frames,
                        [](const Frame &F) {
                          return formatv("{0}:{1} {2}", F.File, F.Line, F.Function).str();
                        }),
              " < ");
}

static void printRecords(const Image &I) {
  outs() << I.End - I.Begin << " records, " << (isSorted(I.Begin, I.End) ? "sorted" : "not sorted")
         << '\n';
  for (const FunctionRecord *R = I.Begin; R != I.End; ++R) {
    uint64_t Start = start(R) - I.base();
    outs() << formatv("{0:x} size {1:x} {2}\n", Start, R->Size, I.Names.lookup(Start));
    std::string Last;
    for (uint32_t Offset = 0; Offset < R->Size; ++Offset) {
      Frame Frames[MaxFrames];
      unsigned N = lookup(R, start(R) + Offset, Frames, MaxFrames);
      std::string Text = toString(ArrayRef(Frames, N));
      if (Text != Last)
        outs() << formatv("  +{0:x} {1}\n", Offset, Text);
      Last = std::move(Text);
    }
  }
}

static void printAddresses(const Image &I) {
  auto Buffer = ExitOnErr(errorOrToExpected(MemoryBuffer::getSTDIN()));
  for (line_iterator L(*Buffer); !L.is_at_end(); ++L) {
    uint64_t Address;
    if (L->getAsInteger(16, Address))
      ExitOnErr(createStringError("not an address: " + *L));
    Frame Frames[MaxFrames];
    unsigned N = 0;
    if (auto *R = find(I.Begin, I.End, I.base() + Address))
      N = lookup(R, I.base() + Address, Frames, MaxFrames);
    json::OStream J(outs());
    J.array([&] {
      for (const Frame &F : ArrayRef(Frames, N))
        J.array([&] {
          J.value(json::fixUTF8(F.Function));
          J.value(json::fixUTF8(F.File));
          J.value(F.Line);
        });
    });
    outs() << '\n';
  }
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::ParseCommandLineOptions(Argc, Argv, "Prints causal line tables\n");
  auto Binary = ExitOnErr(createBinary(Input));
  auto *File = dyn_cast<ELF64LEObjectFile>(Binary.getBinary());
  if (!File)
    ExitOnErr(createStringError(Input + ": not a 64-bit little-endian ELF file"));
  Image I = ExitOnErr(loadImage(*File));
  if (Addresses)
    printAddresses(I);
  else
    printRecords(I);
}
