// Three stages of threads over bounded queues (mutex, condition variables): make lines, count words, sum up.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
template <class T> struct Queue {
  std::mutex m;
  std::condition_variable c;
  std::deque<T> q;
  size_t cap = 64;
  bool end = false;
  void push(T v) {
    std::unique_lock<std::mutex> l(m);
    while (q.size() >= cap)
      c.wait(l);
    q.push_back(std::move(v));
    c.notify_all();
  }
  bool pop(T &v) {
    std::unique_lock<std::mutex> l(m);
    while (q.empty() && !end)
      c.wait(l);
    if (q.empty())
      return false;
    v = std::move(q.front());
    q.pop_front();
    c.notify_all();
    return true;
  }
  void close() {
    std::unique_lock<std::mutex> l(m);
    end = true;
    c.notify_all();
  }
};
using Text = std::string;
using Counts = std::unordered_map<std::string, int>;
static Queue<Text> lines;
static Queue<Counts> counts;
__attribute__((noinline)) Text make(unsigned seed, int words) {
  Text s;
  for (int i = 0; i < words; ++i) {
    seed = seed * 1103515245 + 12345;
    s += "w" + std::to_string(seed >> 16 & 255);
    s += ' ';
  }
  return s;
}
__attribute__((noinline)) Counts count(const Text &t) {
  Counts c;
  size_t i = 0;
  while (i < t.size()) {
    size_t j = t.find(' ', i);
    if (j == Text::npos)
      j = t.size();
    ++c[t.substr(i, j - i)];
    i = j + 1;
  }
  return c;
}
__attribute__((noinline)) void add(Counts &sum, const Counts &c) {
  for (auto &p : c)
    sum[p.first] += p.second;
}
int main(int c, char **v) {
  int n = c > 1 ? atoi(v[1]) : 4000;
  std::thread a([&] {
    for (int i = 0; i < n; ++i)
      lines.push(make(i, 100 + i % 400));
    lines.close();
  }),
      b([&] {
        Text t;
        while (lines.pop(t))
          counts.push(count(t));
        counts.close();
      });
  Counts sum, x;
  while (counts.pop(x))
    add(sum, x);
  a.join();
  b.join();
  long s = 0;
  for (auto &p : sum)
    s += p.second;
  printf("%ld\n", s);
}
