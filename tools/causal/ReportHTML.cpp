//===- ReportHTML.cpp - The report as a page ------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the JSON report into the page that web/ makes: one file that loads nothing.
// What the page does not show is left out and numbers are rounded, so that the
// file stays small; a large profile is compressed as well. A '<' never stands in
// the data, so no text of a profile can end its element.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace llvm;

namespace causal {

namespace {

// Empty if the page could not be made when the tool was built.
constexpr unsigned char PageBytes[] = {
#include "web/ReportPage.inc"
    0};

constexpr StringLiteral EncodingMarker = "{{encoding}}", ProfileMarker = "{{profile}}";
/// Above, the profile is compressed.
constexpr size_t MaxPlain = 256 << 10;
/// Single experiments in the whole page: a chart has no room for more.
constexpr size_t MaxPoints = 40000;
/// Lines shown with all that was measured, most promising first; of the others
/// the curve alone.
constexpr size_t MaxDetailed = 1000;

/// Three decimals, and what is not a number is null.
void writeCompact(const json::Value &V, json::OStream &J) {
  if (const json::Object *O = V.getAsObject()) {
    J.object([&] {
      for (const auto &[Key, Member] : *O)
        J.attributeBegin(Key), writeCompact(Member, J), J.attributeEnd();
    });
  } else if (const json::Array *A = V.getAsArray()) {
    J.array([&] {
      for (const json::Value &Each : *A)
        writeCompact(Each, J);
    });
  } else if (std::optional<int64_t> I = V.getAsInteger()) {
    J.value(*I);
  } else if (std::optional<double> D = V.getAsNumber()) {
    if (!std::isfinite(*D))
      return J.value(nullptr);
    std::string Digits = formatv("{0:f3}", *D);
    StringRef Short = StringRef(Digits).rtrim('0').rtrim('.');
    J.rawValue(Short == "-0" ? "0" : Short);
  } else {
    J.value(V);
  }
}

JSONDetail detail(const ReportData &R) {
  JSONDetail Detail;
  Detail.Lines = MaxDetailed / std::max<size_t>(1, R.Points.size());
  size_t Points = 0;
  for (const PointReport &PR : R.Points)
    for (const LineCurve &C : ArrayRef(PR.Curves).take_front(Detail.Lines))
      Points += C.Points.size();
  Detail.PointStep = Points / MaxPoints + 1;
  Detail.ForPage = true;
  return Detail;
}

void forEachLine(json::Object &Report, function_ref<void(json::Object &)> Do) {
  for (json::Value &Point : *Report.getArray("points"))
    for (json::Value &Line : *Point.getAsObject()->getArray("lines"))
      Do(*Line.getAsObject());
}

/// Leaves what the page shows.
void shrink(json::Object &Report) {
  forEachLine(Report, [&](json::Object &Line) {
    Line["function_name"] = json::fixUTF8(shortFunctionName(*Line.getString("function")));
    json::Array *Points = Line.getArray("points");
    if (!Points)
      return;
    for (json::Value &Each : *Points) {
      json::Array &P = *Each.getAsArray();
      double Gain = *P[1].getAsNumber();
      P = json::Array{P[0], std::round(Gain * 10) / 10};
    }
    Line.erase("predictions");
    for (json::Value &Cell : *Line.getArray("cells"))
      for (StringRef Unused : {"effective_ns", "period_ns", "period_std_error_ns", "std_error"})
        Cell.getAsObject()->erase(Unused);
  });
}

/// The profile as it stands in the page, and how.
std::pair<std::string, StringRef> encode(const json::Value &Report) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  writeCompact(Report, J);
  J.flush();
  OS.flush();
  if (Text.size() > MaxPlain && compression::zlib::isAvailable()) {
    SmallVector<uint8_t, 0> Packed;
    compression::zlib::compress(arrayRefFromStringRef(Text), Packed,
                                compression::zlib::DefaultCompression);
    return {encodeBase64(Packed), "deflate"};
  }
  std::string Escaped;
  Escaped.reserve(Text.size());
  for (char C : Text)
    if (C == '<')
      Escaped += "\\u003c";
    else
      Escaped += C;
  return {std::move(Escaped), "json"};
}

} // namespace

Error writeHTML(const ReportData &R, raw_ostream &OS) {
  json::Object Report = makeJSON(R, detail(R));
  shrink(Report);
  return writePage(std::move(Report), OS);
}

Error writePage(json::Object Report, raw_ostream &OS) {
  StringRef Page(reinterpret_cast<const char *>(PageBytes), sizeof(PageBytes) - 1);
  if (Page.empty())
    return createStringError(inconvertibleErrorCode(),
                             "this causal was built without the HTML report: install Node.js 18 or "
                             "later and npm and build it again; --format=markdown works meanwhile");
  auto [Profile, Encoding] = encode(std::move(Report));
  auto [Head, Rest] = Page.split(EncodingMarker);
  auto [Middle, Tail] = Rest.split(ProfileMarker);
  OS << Head << Encoding << Middle << Profile << Tail;
  return Error::success();
}

} // namespace causal
