//===- FormatDoc.cpp - Writes what docs say of the profile's records ------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// causal-format-doc FORMATS.md FORMATS-OUT.md SCHEMA-OUT.json: copies the first file
// with the part between its two markers made anew, and writes a JSON schema of one
// line of a profile. Both come from ProfileFormat.def. Run by the target
// update-format-doc and the test docs.format.
//
//===----------------------------------------------------------------------===//
#include "causal/ProfileFormat.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Field {
  std::string Name, Kind, Of, Need, Doc, Choices;
};
struct Record {
  std::string Id, Type, Modes, Doc; ///< Type: empty for an object inside a record.
  std::vector<Field> Fields;
};

std::vector<Record> records() {
  std::vector<Record> All;
#define CAUSAL_RECORD(Record, Type, Modes, Doc) All.push_back({#Record, Type, Modes, Doc, {}});
#define CAUSAL_OBJECT(Record, Doc) All.push_back({#Record, "", "", Doc, {}});
#define CAUSAL_NESTED(Record, Name, Kind, Of, Need, Doc)                                           \
  All.back().Fields.push_back({#Name, #Kind, #Of, #Need, Doc, ""});
#define CAUSAL_FIELD(Record, Name, Kind, Need, Doc)                                                \
  All.back().Fields.push_back({#Name, #Kind, "", #Need, Doc, ""});
#define CAUSAL_CHOICES(Record, Name, Values) All.back().Fields.back().Choices = Values;
#include "causal/ProfileFormat.def"
  return All;
}

std::vector<std::string> split(const std::string &Text) {
  std::vector<std::string> Parts;
  std::stringstream Stream(Text);
  for (std::string Part; std::getline(Stream, Part, '|');)
    Parts.push_back(Part);
  return Parts;
}

std::string join(const std::string &Text, const char *Before, const char *After,
                 const char *Between) {
  std::string Joined;
  for (const std::string &Part : split(Text))
    Joined += (Joined.empty() ? "" : Between) + (Before + Part) + After;
  return Joined;
}

std::string kindInWords(const Field &F) {
  static const std::map<std::string, std::string> Words = {
      {"Count", "integer"}, {"Time", "ns"},      {"Percent", "percent"}, {"Real", "number"},
      {"Text", "text"},     {"Flag", "flag"},    {"Counts", "integers"}, {"Times", "ns by name"},
      {"Object", "object"}, {"Objects", "array"}};
  return F.Choices.empty() ? Words.at(F.Kind) : join(F.Choices, "`", "`", ", ");
}

std::string tables() {
  std::string Out;
  for (const Record &R : records()) {
    Out += R.Type.empty() ? "**" + R.Id + "**" : "### `" + R.Type + "`";
    if (R.Modes == "any")
      Out += "\n\nAll modes.";
    else if (!R.Modes.empty())
      Out += "\n\nMode " + join(R.Modes, "`", "`", ", ") + ".";
    Out += (R.Type.empty() ? ": " : " ") + R.Doc +
           "\n\n| Field | Type | Always | Meaning |\n"
           "| --- | --- | --- | --- |\n";
    for (const Field &F : R.Fields)
      Out += "| `" + F.Name + "` | " + kindInWords(F) + " | " +
             (F.Need == "Required" ? "yes" : "") + " | " + F.Doc +
             (F.Of.empty() ? "" : " See " + F.Of + ".") + " |\n";
    Out += "\n";
  }
  return Out;
}

std::string quoted(const std::string &Text) {
  std::string Out = "\"";
  for (char C : Text)
    Out += C == '"' || C == '\\' ? std::string("\\") + C : std::string(1, C);
  return Out + "\"";
}

std::string schemaOf(const Field &F) {
  static const std::map<std::string, std::string> Types = {
      {"Count", R"("type": "integer", "minimum": 0)"},
      {"Time", R"("type": "integer", "minimum": 0)"},
      {"Percent", R"("type": "integer", "minimum": 0, "maximum": 100)"},
      {"Real", R"("type": "number")"},
      {"Text", R"("type": "string")"},
      {"Flag", R"("type": "boolean")"},
      {"Counts", R"("type": "array", "items": {"type": "integer", "minimum": 0})"},
      {"Times", R"("type": "object", "additionalProperties": {"type": "integer", "minimum": 0})"}};
  std::string Ref = R"("$ref": "#/$defs/)" + F.Of + "\"";
  std::string Out = F.Kind == "Object"    ? Ref
                    : F.Kind == "Objects" ? R"("type": "array", "items": {)" + Ref + "}"
                                          : Types.at(F.Kind);
  if (!F.Choices.empty())
    Out += ", \"enum\": [" + join(F.Choices, "\"", "\"", ", ") + "]";
  return "{" + Out + ", \"description\": " + quoted(F.Doc) + "}";
}

std::string schema() {
  std::string Definitions, Types;
  for (const Record &R : records()) {
    std::string Properties, Required;
    auto Add = [&](const std::string &Name, const std::string &Schema, bool Always) {
      Properties += (Properties.empty() ? "" : ",\n") + ("        " + quoted(Name) + ": " + Schema);
      if (Always)
        Required += (Required.empty() ? "" : ", ") + quoted(Name);
    };
    if (!R.Type.empty()) {
      Add("type", "{\"const\": " + quoted(R.Type) + "}", true);
      Types += (Types.empty() ? "" : ",\n") + (R"(    {"$ref": "#/$defs/)" + R.Id + "\"}");
    }
    for (const Field &F : R.Fields)
      Add(F.Name, schemaOf(F), F.Need == "Required");
    Definitions += (Definitions.empty() ? "" : ",\n") + ("    " + quoted(R.Id)) +
                   ": {\n      \"type\": \"object\", \"description\": " + quoted(R.Doc) +
                   ",\n      \"properties\": {\n" + Properties +
                   "\n      },\n      \"required\": [" + Required + "]\n    }";
  }
  return R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "One line of a causal profile",
  "description": "Generated from include/causal/ProfileFormat.def by the target update-format-doc. Format version )" +
         std::to_string(CAUSAL_PROFILE_VERSION) + ".\",\n  \"oneOf\": [\n" + Types +
         "\n  ],\n  \"$defs\": {\n" + Definitions + "\n  }\n}\n";
}

bool write(const char *Path, const std::string &Text) {
  std::ofstream Out(Path, std::ios::binary);
  Out << Text;
  return bool(Out.flush());
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 4) {
    fprintf(stderr, "usage: causal-format-doc FORMATS.md FORMATS-OUT.md SCHEMA-OUT.json\n");
    return 1;
  }
  std::ifstream In(Argv[1], std::ios::binary);
  std::string Text{std::istreambuf_iterator<char>(In), {}};
  const std::string Begin = "<!-- Generated from include/causal/ProfileFormat.def by the target "
                            "update-format-doc. -->\n",
                    End = "<!-- End of what is generated. -->\n";
  size_t From = Text.find(Begin), To = Text.find(End);
  if (From == Text.npos || To == Text.npos || To < From) {
    fprintf(stderr, "%s lacks the markers\n%s%s", Argv[1], Begin.c_str(), End.c_str());
    return 1;
  }
  From += Begin.size();
  Text.replace(From, To - From, "\n" + tables());
  if (write(Argv[2], Text) && write(Argv[3], schema()))
    return 0;
  fprintf(stderr, "cannot write %s or %s\n", Argv[2], Argv[3]);
  return 1;
}
