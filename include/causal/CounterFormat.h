/*===- CounterFormat.h - Counters of basic blocks -----------------*- C -*-===*\
|*                                                                            *|
|* Part of the causal profiler, under the Apache License v2.0 with LLVM       *|
|* Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Written by the pass plugin under -fcausal-profile=count, read by           *|
|* `causal db count`. Counters are 64 bits each. The map has one record a     *|
|* function, all little endian, not aligned:                                  *|
|*   u64 function's address, u64 address of its counters, u32 number,         *|
|*   u32 the compiler's number of the basic block, for each counter           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef CAUSAL_COUNTERFORMAT_H
#define CAUSAL_COUNTERFORMAT_H

/* Loaded and written to. */
#define CAUSAL_COUNTERS "causal_cnt"
/* Not loaded. */
#define CAUSAL_COUNTER_MAP "causal_cntmap"

#endif
