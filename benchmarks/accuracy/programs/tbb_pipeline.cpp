//===- tbb_pipeline.cpp - oneTBB: a pipeline of three stages ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// FLAGS: -ltbb
#include "Region.h"

#include <tbb/parallel_pipeline.h>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Read = accuracy::region("read", 200);
  long Transform = accuracy::region("transform", 150);
  long Write = accuracy::region("write", 100);
  using Mode = tbb::filter_mode;
  tbb::parallel_pipeline(
      4, tbb::make_filter<void, int>(Mode::serial_in_order,
                                     [&](tbb::flow_control &Control) {
                                       if (!accuracy::running())
                                         Control.stop();
                                       WORK(Read); // REGION read
                                       return 0;
                                     }) &
             tbb::make_filter<int, int>(Mode::parallel,
                                        [&](int Item) {
                                          WORK(Transform); // REGION transform
                                          return Item;
                                        }) &
             tbb::make_filter<int, void>(Mode::serial_in_order, [&](int) {
               WORK(Write); // REGION write
               ITEM_DONE();
             }));
  return accuracy::finish();
}
