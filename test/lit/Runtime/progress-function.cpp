// -fcausal-progress makes a function a progress point, in a program that knows nothing of
// the profiler; inlined or not, at -O0 as well.
// RUN: %causal_clangxx -fcausal-profile -fcausal-progress=Server::serve,tick -O2 %s -o %t && rm -f %t.causal
// RUN: %env_causal_opts="experiment_ms=20:output=%t.causal" %t
// RUN: FileCheck %s --input-file=%t.causal
// RUN: %causal_clangxx -fcausal-profile -fcausal-progress=serve -fcausal-progress=tick -O0 %s -o %t && rm -f %t.causal
// RUN: %env_causal_opts="experiment_ms=20:output=%t.causal" %t
// RUN: FileCheck %s --input-file=%t.causal
// CHECK: "points":[{{.*}}"name":"{{(Server::)?}}serve","kind":"throughput","visits":{{[1-9]}}
// RUN: FileCheck %s --input-file=%t.causal --check-prefix=TICK
// TICK: "name":"tick","kind":"throughput","visits":{{[1-9]}}
// Link-time optimisation and static linking change nothing.
// RUN: %causal_clangxx -fcausal-profile -fcausal-progress=serve,tick -flto -fuse-ld=lld -O2 %s -o %t && rm -f %t.causal
// RUN: %env_causal_opts="experiment_ms=20:output=%t.causal" %t
// RUN: FileCheck %s --input-file=%t.causal
// RUN: %causal_clangxx -fcausal-profile -fcausal-progress=serve,tick -static -O2 %s -o %t && rm -f %t.causal
// RUN: %env_causal_opts="experiment_ms=20:output=%t.causal" %t
// RUN: FileCheck %s --input-file=%t.causal
// A name that no function has is missed, alone or beside others.
// RUN: %causal_clangxx -fcausal-profile -fcausal-progress=Server::sevre -O2 %s -o %t && rm -f %t.causal
// RUN: %env_causal_opts="output=%t.causal" %t 2>&1 | FileCheck %s --check-prefix=MISSPELLED
// MISSPELLED: causal: no experiment was made: no call was seen of Server::sevre, named by -fcausal-progress. Look at the spelling
// One that is there and not called is not misspelled.
// RUN: %causal_clangxx -fcausal-profile -fcausal-progress=tock -O2 %s -o %t && rm -f %t.causal
// RUN: %env_causal_opts="output=%t.causal" %t 2>&1 | FileCheck %s --check-prefix=UNCALLED
// UNCALLED: causal: no experiment was made: tock, named by -fcausal-progress or progress=, was found and never reached
// RUN: %causal_clangxx -fcausal-profile -fcausal-progress=tick,Server::sevre -O2 %s -o %t && rm -f %t.causal
// RUN: %env_causal_opts="experiment_ms=20:output=%t.causal" %t
// RUN: FileCheck %s --input-file=%t.causal --check-prefix=BESIDE
// BESIDE: "name":"Server::sevre","kind":"throughput","visits":0
// RUN: %causal_clangxx -fcausal-profile -fcausal-progress=serve -O2 -Rpass='causal' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: progress-function.cpp:[[#@LINE+5]]:{{[0-9]+}}: remark: _ZN{{.*}}serve{{.*}} is a progress point [-Rpass=causal]
// RUN: not %causal_clangxx -fcausal-profile -fcausal-progress= -c %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: causal: -fcausal-progress= names no function: write, for example, -fcausal-progress=handle_request
#include "Inputs/work.h"
namespace net {
struct Server { void serve(int) { WORK(500); } };
} // namespace net
extern "C" void tick() { WORK(100); }
extern "C" void tock() { WORK(100); }
int main() {
  net::Server S;
  for (int I = 0; I < 800; ++I) {
    S.serve(I);
    tick();
  }
}
