//===- RoutineNameTest.cpp ------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/RoutineName.h"

#include <gtest/gtest.h>

using causal::shortRoutineName;

namespace {

TEST(RoutineName, HasNoSignature) {
  EXPECT_EQ(shortRoutineName("main"), "main");
  EXPECT_EQ(shortRoutineName("a::f(int)"), "a::f");
  EXPECT_EQ(
      shortRoutineName("void std::__introsort_loop<It<int*, std::v<int> >, long>(It<int*>, long)"),
      "std::__introsort_loop");
  EXPECT_EQ(shortRoutineName("std::vector<int, std::allocator<int> >::push_back(int const&)"),
            "std::vector::push_back");
  EXPECT_EQ(shortRoutineName("ns::T<(char)1>::get() const"), "ns::T::get");
}

TEST(RoutineName, OperatorsKeepTheirSigns) {
  EXPECT_EQ(shortRoutineName("bool a::operator<(a::B const&, a::B const&)"), "a::operator<");
  EXPECT_EQ(shortRoutineName("std::ostream& operator<< <char>(std::ostream&, char)"), "operator<<");
  EXPECT_EQ(shortRoutineName("main::$_0::operator()(int) const"), "main::$_0::operator()");
  EXPECT_EQ(shortRoutineName("T<int>::operator bool() const"), "T::operator bool");
  EXPECT_EQ(shortRoutineName("T::operator->() const"), "T::operator->");
  EXPECT_EQ(shortRoutineName("my_operators(int)"), "my_operators");
}

TEST(RoutineName, AnonymousNamespacesStay) {
  EXPECT_EQ(shortRoutineName("(anonymous namespace)::f(int)"), "(anonymous)::f");
  EXPECT_EQ(shortRoutineName("void a::(anonymous namespace)::f<int>(int)"), "a::(anonymous)::f");
}

TEST(RoutineName, OddTextIsNoTrouble) {
  for (const char *Text :
       {"", "<", ">>>", "(", "()", "operator", "f(", "a b c", "<<<<(", "operator("})
    shortRoutineName(Text);
  EXPECT_EQ(shortRoutineName("<unknown>"), "<unknown>");
}

} // namespace
