//===- LineTableWriter.cpp - Sections of the line table -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "line_table/LineTableWriter.h"

#include "causal/LineMapFormat.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace causal {

static uint64_t zigzag(int64_t Value) {
  return Value < 0 ? ((uint64_t(-(Value + 1)) << 1) | 1) : uint64_t(Value) << 1;
}

static int64_t baseLine(const LineScope &Scope) { return Scope.Subprogram->getLine(); }

/// A section beside Code: the linker keeps it exactly if it keeps Code
/// (SHF_LINK_ORDER), in the same COMDAT group, and lays both out in one order.
MCSection *LineTableWriter::sectionFor(StringRef Name, MCSection *Code) {
  auto &Text = *cast<MCSectionELF>(Code);
  unsigned Flags = ELF::SHF_ALLOC | ELF::SHF_LINK_ORDER;
  StringRef Group;
  if (const MCSymbol *Signature = Text.getGroup()) {
    Group = Signature->getName();
    Flags |= ELF::SHF_GROUP;
  }
  return Printer.OutContext.getELFSection(Name, ELF::SHT_PROGBITS, Flags, /*EntrySize=*/0, Group,
                                          Text.isComdat(), Text.getUniqueID(),
                                          cast<MCSymbolELF>(Text.getBeginSymbol()));
}

MCSymbol *LineTableWriter::emitLabel() {
  MCSymbol *Label = Printer.OutContext.createTempSymbol("causal_table");
  Printer.OutStreamer->emitLabel(Label);
  return Label;
}

/// The distance from here to Target, in 4 bytes.
void LineTableWriter::emitOffsetTo(MCSymbol *Target) {
  MCContext &C = Printer.OutContext;
  const MCExpr *Here = MCSymbolRefExpr::create(emitLabel(), C);
  Printer.OutStreamer->emitValue(
      MCBinaryExpr::createSub(MCSymbolRefExpr::create(Target, C), Here, C), 4);
}

void LineTableWriter::emitULEB(uint64_t Value) { Printer.OutStreamer->emitULEB128IntValue(Value); }

MCSymbol *LineTableWriter::string(StringRef Text) {
  auto Known = Strings.find(Text);
  if (Known != Strings.end())
    return Known->second;
  MCSymbol *Label = Printer.OutContext.createTempSymbol("causal_string");
  Strings[Text.copy(Allocator)] = Label;
  return Label;
}

/// The path as a compiler's message has it, made absolute and without dots. A
/// prefix map of the user's holds for it.
MCSymbol *LineTableWriter::pathOf(const DIFile *File) {
  MCSymbol *&Label = Paths[File];
  if (Label)
    return Label;
  SmallString<256> Path;
  if (File) {
    if (!sys::path::is_absolute(File->getFilename()))
      Path = File->getDirectory();
    sys::path::append(Path, File->getFilename());
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  }
  return Label = string(Path);
}

void LineTableWriter::write(const FunctionLines &Lines) {
  Printer.OutStreamer->pushSection();
  for (const LineFragment &Fragment : Lines.Fragments)
    if (Fragment.End && !Fragment.Rows.empty())
      writeFragment(Lines, Fragment);
  Printer.OutStreamer->popSection();
}

void LineTableWriter::writeFragment(const FunctionLines &Lines, const LineFragment &Fragment) {
  // The scopes that this fragment needs; parents come first as they did.
  BitVector Needed(Lines.Scopes.size());
  for (const LineRow &Row : Fragment.Rows)
    for (unsigned S = Row.Scope; S != LineScope::NoParent && !Needed[S]; S = Lines.Scopes[S].Parent)
      Needed.set(S);
  Needed.set(0);
  SmallVector<unsigned, 16> NewIndex(Lines.Scopes.size());
  MapVector<MCSymbol *, unsigned> Files;
  MapVector<std::pair<const DISubprogram *, const DIFile *>, unsigned> Subprograms;
  unsigned NumScopes = 0;
  for (unsigned S : Needed.set_bits()) {
    const LineScope &Scope = Lines.Scopes[S];
    NewIndex[S] = NumScopes++;
    Files.try_emplace(pathOf(Scope.File), Files.size());
    Subprograms.try_emplace({Scope.Subprogram, Scope.File}, Subprograms.size());
  }

  MCStreamer &Out = *Printer.OutStreamer;
  Out.switchSection(sectionFor(CAUSAL_LINEMAP_LINES, Fragment.Section));
  MCSymbol *Data = emitLabel();
  emitULEB(Files.size());
  for (auto &[Path, Index] : Files)
    emitOffsetTo(Path);
  emitULEB(Subprograms.size());
  for (auto &[Key, Index] : Subprograms) {
    emitOffsetTo(string(Key.first->getName()));
    emitULEB(Files.lookup(pathOf(Key.second)));
    emitULEB(Key.first->getLine());
  }
  emitULEB(NumScopes);
  for (unsigned S : Needed.set_bits()) {
    const LineScope &Scope = Lines.Scopes[S];
    bool Inlined = Scope.Parent != LineScope::NoParent;
    emitULEB(Inlined ? NewIndex[S] - NewIndex[Scope.Parent] : 0);
    emitULEB(Subprograms.lookup({Scope.Subprogram, Scope.File}));
    if (Inlined)
      emitULEB(zigzag(int64_t(Scope.CallLine) - baseLine(Lines.Scopes[Scope.Parent])));
  }
  writeRows(Lines, Fragment, NewIndex);

  Out.switchSection(sectionFor(CAUSAL_LINEMAP_FUNCTIONS, Fragment.Section));
  Out.emitValueToAlignment(Align(alignof(linemap::FunctionRecord)));
  emitOffsetTo(Fragment.Begin);
  Printer.emitLabelDifference(Fragment.End, Fragment.Begin, 4);
  emitOffsetTo(Data);
}

void LineTableWriter::writeRows(const FunctionLines &Lines, const LineFragment &Fragment,
                                ArrayRef<unsigned> NewIndex) {
  MCSymbol *At = Fragment.Begin;
  unsigned Scope = 0;
  int64_t Line = baseLine(Lines.Scopes[0]);
  for (const LineRow &Row : Fragment.Rows) {
    unsigned RowScope = NewIndex[Row.Scope];
    bool ScopeChanges = RowScope != Scope;
    if (ScopeChanges)
      Line = baseLine(Lines.Scopes[Row.Scope]);
    uint64_t LineStep = Row.Line ? zigzag(int64_t(Row.Line) - Line) + 1 : 0;
    Printer.emitLabelDifferenceAsULEB128(Row.Label, At);
    emitULEB(LineStep << 1 | ScopeChanges);
    if (ScopeChanges)
      emitULEB(zigzag(int64_t(RowScope) - int64_t(Scope)));
    At = Row.Label;
    Scope = RowScope;
    if (Row.Line)
      Line = Row.Line;
  }
  // Without it a reader would go on into the next fragment's table.
  Printer.emitLabelDifferenceAsULEB128(Fragment.End, At);
}

void LineTableWriter::finish() {
  if (!Strings.empty()) {
    MCStreamer &Out = *Printer.OutStreamer;
    Out.pushSection();
    Out.switchSection(Printer.OutContext.getELFSection(
        CAUSAL_LINEMAP_STRINGS, ELF::SHT_PROGBITS,
        ELF::SHF_ALLOC | ELF::SHF_MERGE | ELF::SHF_STRINGS, /*EntrySize=*/1));
    for (auto &[Text, Label] : Strings) {
      Out.emitLabel(Label);
      Out.emitBytes(Text);
      Out.emitInt8(0);
    }
    Out.popSection();
  }
  Strings.clear();
  Paths.clear();
  Allocator.Reset();
}

} // namespace causal
