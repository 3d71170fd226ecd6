// A program may define functions that have the names of libc's: it and its libraries
// use those, as without us.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=output=%t.causal %t
// RUN: %causal_clang -fcausal-profile -O1 -static %s -o %t.static
// RUN: %env_causal_opts=output=%t.causal %t.static
int Sent;
__attribute__((noinline)) int send(int What) { return Sent = What; }
__attribute__((noinline)) int poll(void) { return Sent; }
int main(void) {
  send(5);
  return poll() != 5;
}
