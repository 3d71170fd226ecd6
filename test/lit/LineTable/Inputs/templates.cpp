// Template-heavy code with deep inlining, for comparisons over every instruction.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace shapes {
struct Circle {
  double Radius;
};
struct Box {
  double Width, Height;
};
using Shape = std::variant<Circle, Box, std::unique_ptr<Circle>>;

template <class... Functions> struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

double area(const Shape &S) {
  return std::visit(
      Overloaded{[](const Circle &C) { return 3.14 * C.Radius * C.Radius; },
                 [](const Box &B) { return B.Width * B.Height; },
                 [](const std::unique_ptr<Circle> &C) {
                   return C ? C->Radius : 0.0;
                 }},
      S);
}
} // namespace shapes

template <unsigned N> struct Fibonacci {
  template <class T> static T of(T X) {
    if (X % 2)
      return Fibonacci<N - 1>::of(X + 1) + Fibonacci<N - 2>::of(X);
    return X / 2;
  }
};
template <> struct Fibonacci<0> {
  template <class T> static T of(T X) { return X; }
};
template <> struct Fibonacci<1> {
  template <class T> static T of(T X) { return X * 3; }
};

static std::map<std::string, std::vector<int>>
index(const std::vector<std::string> &Words) {
  std::map<std::string, std::vector<int>> Result;
  for (size_t I = 0; I < Words.size(); ++I)
    Result[Words[I]].push_back(int(I));
  for (auto &[Word, Places] : Result)
    std::sort(Places.begin(), Places.end(),
              [&W = Word](int A, int B) { return A * W.size() > B; });
  return Result;
}

#line 1000 "elsewhere.h"
static int elsewhere(const std::function<int(int)> &F, int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += F(I);
  return Sum;
}
#line 74 "templates.cpp"

int main(int Argc, char **Argv) {
  std::vector<std::string> Words(Argv, Argv + Argc);
  std::regex Pattern("([a-z]+)=([0-9]*)");
  std::smatch Match;
  for (const std::string &Word : Words)
    if (std::regex_match(Word, Match, Pattern))
      Words.push_back(Match[1]);
  std::unordered_map<int, double> Areas;
  std::vector<shapes::Shape> Shapes;
  Shapes.emplace_back(shapes::Circle{1.5});
  Shapes.emplace_back(shapes::Box{2, 3});
  for (const shapes::Shape &S : Shapes)
    Areas[int(S.index())] += shapes::area(S);
  try {
    Words.at(Words.size() + Argc - 2).append("x");
  } catch (const std::exception &E) {
    Words.push_back(E.what());
  }
  return int(index(Words).size()) + Fibonacci<12>::of(Argc) +
         elsewhere([&](int I) { return I * Argc; }, Argc) +
         int(std::accumulate(Shapes.begin(), Shapes.end(), 0.0,
                             [](double Sum, const shapes::Shape &S) {
                               return Sum + shapes::area(S);
                             }));
}
