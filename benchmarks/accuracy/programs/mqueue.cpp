//===- mqueue.cpp - Producer and consumer over a message queue ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <fcntl.h>
#include <mqueue.h>
#include <thread>
#include <unistd.h>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Produce = accuracy::region("produce", 400);
  long Consume = accuracy::region("consume", 250);
  std::string Name = "/causal-accuracy-" + std::to_string(getpid());
  mq_attr Attributes = {};
  Attributes.mq_maxmsg = 8;
  Attributes.mq_msgsize = 64;
  mqd_t Queue = mq_open(Name.c_str(), O_CREAT | O_RDWR, 0600, &Attributes);
  if (Queue < 0) {
    std::perror("mq_open");
    return 1;
  }
  mq_unlink(Name.c_str());
  std::thread Producer([&] {
    char Message[64] = "work";
    while (accuracy::running()) {
      WORK(Produce); // REGION produce
      mq_send(Queue, Message, sizeof(Message), 1);
    }
    mq_send(Queue, Message, 0, 0);
  });
  char Message[64];
  while (mq_receive(Queue, Message, sizeof(Message), nullptr) > 0) {
    WORK(Consume); // REGION consume
    ITEM_DONE();
  }
  Producer.join();
  return accuracy::finish();
}
