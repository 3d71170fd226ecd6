//===- JsonTest.cpp - Records that parse back ---------------------------- ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "base/causal_json.h"

#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <string>

using namespace __causal;

namespace {

struct JsonTest : testing::Test {
  char Buffer[4096];
  JsonRecord R{Buffer, sizeof(Buffer)};

  /// Closes the record, which must be one line, and reads it with LLVM's
  /// parser.
  llvm::json::Object finish() {
    size_t Length = R.end();
    EXPECT_GT(Length, 0u);
    EXPECT_EQ(Length, std::strlen(Buffer));
    EXPECT_EQ(std::strchr(Buffer, '\n'), Buffer + Length - 1);
    llvm::Expected<llvm::json::Value> Value = llvm::json::parse(Buffer);
    if (!Value || !Value->getAsObject()) {
      ADD_FAILURE() << Buffer << (Value ? "" : toString(Value.takeError()));
      return {};
    }
    return std::move(*Value->getAsObject());
  }

  std::string readBack(const char *Text) {
    R.begin();
    R.field("s", Text);
    return finish().getString("s").value_or("?").str();
  }
};

TEST(Json, RealNumbersOfAnySize) {
  char Buffer[256];
  JsonRecord R(Buffer, sizeof(Buffer));
  R.begin();
  R.real("a", 0);
  R.real("b", 12.6);
  R.real("c", 9007199254740993.0);
  R.real("d", 1.5e20);
  R.real("e", -1);
  ASSERT_TRUE(R.end());
  EXPECT_STREQ(Buffer, "{\"a\":0,\"b\":13,\"c\":9007199254740992,\"d\":150000000000000000e3,"
                       "\"e\":null}\n");
}

TEST_F(JsonTest, Empty) {
  R.begin();
  EXPECT_TRUE(finish().empty());
}

TEST_F(JsonTest, Numbers) {
  R.begin();
  R.field("u64", UINT64_MAX);
  R.field("i64", INT64_MIN);
  R.field("zero", 0);
  R.field("yes", true);
  R.field("no", false);
  llvm::json::Object O = finish();
  EXPECT_EQ(O.get("u64")->getAsUINT64(), UINT64_MAX);
  EXPECT_EQ(O.getInteger("i64"), INT64_MIN);
  EXPECT_EQ(O.getInteger("zero"), 0);
  EXPECT_EQ(O.getBoolean("yes"), true);
  EXPECT_EQ(O.getBoolean("no"), false);
}

TEST_F(JsonTest, Fixed) {
  R.begin();
  R.fixed("a", 1.25, 3);
  R.fixed("b", -0.9996, 3);
  R.fixed("c", 1234567.5, 0);
  R.fixed("d", -0.0001, 2);
  R.fixed("e", 0.05, 2);
  R.fixed("nan", std::nan(""));
  R.fixed("inf", INFINITY);
  R.fixed("big", -1e300);
  ASSERT_GT(R.end(), 0u);
  EXPECT_STREQ(Buffer, "{\"a\":1.250,\"b\":-1.000,\"c\":1234568,\"d\":0.00,"
                       "\"e\":0.05,\"nan\":null,\"inf\":null,\"big\":null}\n");
}

TEST_F(JsonTest, Nesting) {
  R.begin();
  R.beginArray("points");
  for (int I = 0; I != 2; ++I) {
    R.beginObject();
    R.field("visits", I);
    R.endObject();
  }
  R.endArray();
  R.beginObject("losses");
  R.endObject();
  R.beginArray("list");
  R.element("x");
  R.element(uint64_t{3});
  R.endArray();
  R.field("after", 1);
  ASSERT_GT(R.end(), 0u);
  EXPECT_STREQ(Buffer, "{\"points\":[{\"visits\":0},{\"visits\":1}],"
                       "\"losses\":{},\"list\":[\"x\",3],\"after\":1}\n");
}

TEST_F(JsonTest, EveryByteAlone) {
  for (int C = 1; C != 256; ++C) {
    R = JsonRecord(Buffer, sizeof(Buffer));
    const char Text[] = {'a', static_cast<char>(C), 'b', 0};
    std::string Expected = C < 0x80 ? Text
                                    : "a\xEF\xBF\xBD"
                                      "b";
    EXPECT_EQ(readBack(Text), Expected) << C;
  }
}

TEST_F(JsonTest, Utf8) {
  const char *Valid = "\u00fc \u20ac \U0001F600 \U0010FFFF \uD7FF \uE000";
  EXPECT_EQ(readBack(Valid), Valid);
}

TEST_F(JsonTest, InvalidUtf8) {
  const std::string U = "\xEF\xBF\xBD";
  const std::pair<const char *, std::string> Cases[] = {
      {"\xC3", U},                         // cut short by the end
      {"\xE2\x82x", U + U + "x"},          // cut short
      {"\xC0\xAF", U + U},                 // overlong
      {"\xE0\x80\xAF", U + U + U},         // overlong
      {"\xED\xA0\x80", U + U + U},         // surrogate
      {"\xF4\x90\x80\x80", U + U + U + U}, // beyond U+10FFFF
      {"\xF8\x88\x80\x80\x80", U + U + U + U + U}};
  for (const auto &[Text, Expected] : Cases) {
    R = JsonRecord(Buffer, sizeof(Buffer));
    EXPECT_EQ(readBack(Text), Expected);
  }
}

TEST_F(JsonTest, KeysAreEscapedAndNullIsEmpty) {
  R.begin();
  R.field("a\"b", static_cast<const char *>(nullptr));
  EXPECT_EQ(finish().getString("a\"b"), "");
}

TEST(JsonOverflowTest, EverySizeButTheLast) {
  char Buffer[64];
  auto Write = [&](size_t Size) {
    std::memset(Buffer, '#', sizeof(Buffer));
    JsonRecord R(Buffer, Size);
    R.begin();
    R.field("key", "value");
    R.field("n", 12345);
    size_t Length = R.end();
    EXPECT_EQ(Length == 0, R.overflowed());
    for (size_t I = Size; I != sizeof(Buffer); ++I)
      EXPECT_EQ(Buffer[I], '#') << "wrote behind the buffer";
    return Length;
  };
  size_t Needed = Write(sizeof(Buffer));
  ASSERT_EQ(Needed, std::strlen("{\"key\":\"value\",\"n\":12345}\n"));
  for (size_t Size = 1; Size <= Needed; ++Size)
    EXPECT_EQ(Write(Size), 0u) << Size;
  EXPECT_EQ(Write(Needed + 1), Needed);
}

TEST(JsonMisuseTest, IsNeverWritten) {
  char Buffer[256];
  auto End = [&](void (*Build)(JsonRecord &)) {
    JsonRecord R(Buffer, sizeof(Buffer));
    R.begin();
    Build(R);
    return R.end();
  };
  EXPECT_EQ(End([](JsonRecord &R) { R.beginArray("a"); }), 0u);
  EXPECT_EQ(End([](JsonRecord &R) { R.endArray(); }), 0u);
  EXPECT_EQ(End([](JsonRecord &R) { R.element("no key"); }), 0u);
  EXPECT_EQ(End([](JsonRecord &R) {
              R.beginArray("a");
              R.field("key", 1);
              R.endArray();
            }),
            0u);
  EXPECT_EQ(End([](JsonRecord &R) {
              for (int I = 0; I != 20; ++I)
                R.beginObject("deep");
              for (int I = 0; I != 20; ++I)
                R.endObject();
            }),
            0u);
}

} // namespace
