//===- socketpair.cpp - A client and a server in one process --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <sys/socket.h>
#include <thread>
#include <unistd.h>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Request = accuracy::region("request", 150);
  long Serve = accuracy::region("serve", 250);
  long Digest = accuracy::region("digest", 100);
  int Ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, Ends))
    return 1;
  std::thread Server([&] {
    char Message[64];
    while (recv(Ends[1], Message, sizeof(Message), 0) > 0) {
      WORK(Serve); // REGION serve
      if (send(Ends[1], Message, sizeof(Message), 0) < 0)
        return;
    }
  });
  char Message[64] = {};
  while (accuracy::running()) {
    WORK(Request); // REGION request
    if (send(Ends[0], Message, sizeof(Message), 0) < 0 ||
        recv(Ends[0], Message, sizeof(Message), MSG_WAITALL) <= 0)
      return 1;
    WORK(Digest); // REGION digest
    ITEM_DONE();
  }
  shutdown(Ends[0], SHUT_WR);
  Server.join();
  return accuracy::finish();
}
