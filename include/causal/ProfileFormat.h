//===- ProfileFormat.h - Records of a .causal profile ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile is JSON Lines: one record a line, appended, each line written by one
// write(2). The runtime writes it and never reads it; the tool reads it. Several
// runs may stand in one file, interleaved: every record names its run. A reader
// skips (and counts) lines that do not parse, unknown types and unknown fields.
//
// Times are integers in nanoseconds; "start" and "wall" are CLOCK_MONOTONIC since
// the run began. Speedups are integer percent. Lines are source lines, 1-based; 0 stands
// for all of "function" (target=function), and with "section":true, which else is left
// out, the line is where a critical section takes its lock (target=section).
//
//   {"type":"run","version":1,"run":"<16 hex>","exe":"/abs/path",
//    "build_id":"<hex or empty>","pid":1,"host":"h","time":<CLOCK_REALTIME>,
//    "options":"<CAUSAL_OPTIONS>","sampler":"perf-sigtrap|perf-signal|timer|none",
//    "kernel":false,"period":250000,"cores":2}
//        kernel     whether time in the kernel is sampled; left out where it is
//        cores      that the program may use
//
//   {"type":"experiment","run":"..","index":0,"file":"/abs/a.c","line":7,
//    "function":"f","speedup":25,"start":1,"wall":2,"delay":1,
//    "pause":1,"samples":3,"work":9,"waited":1,"idle":1,
//    "stolen":10000000,"unsettled":0,"core_wait":0.25,"threads_per_core":1.5,"points":[
//      {"name":"item","kind":"throughput","visits":12,"span_visits":9,"span":3,
//       "span_work":6,"late_visits":5,"late_span":2,"late_work":4},
//      {"name":"req","kind":"latency","begins":5,"ends":4,"in_flight":1.25,
//       "span_visits":2,"span":3,"span_work":6,"late_visits":1,"late_span":2,
//       "late_work":4,"late_in_flight":1.5}]}
//      With end_to_end=1 there is also {"name":"run","kind":"run","visits":1}.
//        delay      wall time that the virtual speedup stands for; wall - delay is
//                   the effective duration
//        pause      what every thread that ran was held back by; less than delay
//                   where threads wait for cores
//        samples    samples in the selected line during the experiment
//        work       CPU time that the program's threads worked meanwhile: without
//                   pauses, and without waits that were recognised as spinning
//        waited     how long they waited for cores, all together, as far as samples have
//                   seen it; left out where they did not
//        idle       wall time in which nobody was at work for 20 ms or more (20 sample periods,
//                   if that is longer): threads had no more CPU time than a sixteenth of
//                   it, all together; left out where there is none
//        stolen     time that the host of a virtual machine had its cores since the end of
//                   the experiment before, all cores together, by ticks of 10 ms; left
//                   out where it had not, or is not known
//        unsettled  how much of it the slowest payer among the running threads
//                   still owed when waiting for it was given up; 0 is normal
//        core_wait  how long threads waited for a core lately, per time on one;
//                   threads_per_core: threads that were at work when it began
//        dilated    true where all code but the line was slowed down; else left out
//        spun       what part of the CPU time of threads that waited for cores they spun
//                   through; left out where none
//        lock_waits how often threads waited for mutexes and rwlocks, asleep;
//                   lock_wait_time: for how long, all together; left out where never
//        span       effective time from the first visit (or end) that was seen when
//                   a fifth of the experiment was over to the last one seen;
//                   span_visits counts those after the first, span_work is work in
//                   that time
//        late_span  the same when three fifths were over, with late_visits
//        in_flight  begins - ends, averaged over effective time; late_in_flight: over that
//                   of the last two fifths
//
//   {"type":"line","run":"..","snapshot":0,"file":"/abs/a.c","line":7,
//    "function":"f","samples":100,"undelayed_samples":60}
//   {"type":"snapshot","run":"..","index":0,"final":false,"wall":9,"delay":1,
//    "paused":1,"undelayed_wall":5,"idle":1,"undelayed_idle":1,"cpu_time":8,
//    "sampled_time":8,"sample_weight":1.25,"lines":1,"experiments":4,
//    "losses":{"dropped":0,"late":0,"unmapped":0,"out_of_scope":0,"oversleep":0,
//    "forgiven":0,"threads":3,"unsampled_threads":0,"timed_threads":1,"yields":0}}
//        A snapshot's line records come first; the snapshot record closes it, and
//        the last closed one of a run stands for the whole run so far.
//        paused     time that all threads together spent in pauses
//        idle       as in experiments, in the whole run; left out where there is none
//        undelayed  while no delay was being inserted, but could have been: experiments at
//                   speedup 0 and the cool-off behind them (phase correction, eq. 8); not
//                   before the first visit of a progress point
//        sample_weight  how many samples one that was taken counts for, on average over all
//                   that are counted (sum of squares by sum): a count's variance is so many
//                   times that of Poisson; left out where each counts for one
//        unlocked   with target=section: samples in no critical section; else left out
//        timed_threads  those of a run sampled by perf for which there was no event, so that
//                   a timer samples them; left out where none
//        late       samples taken while the runtime itself ran; they count for
//                   nothing.  unmapped: no line table entry up to the thread's
//                   start.  forgiven: delay (ns) that threads blocked outside the
//                   program never had to pay.  yields: calls of sched_yield() from code
//                   without a line table, which are mostly waits; left out where none
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROFILEFORMAT_H
#define CAUSAL_PROFILEFORMAT_H

#define CAUSAL_PROFILE_VERSION 1
#define CAUSAL_PROFILE_DEFAULT_NAME "default.causal"

// A run with CAUSAL_OPTIONS=control=FILE looks into FILE before each experiment. As
// long as it begins with this word no experiment begins; the runtime writes a
// snapshot and then disturbs the program no more than its samples do. A file that
// is empty, missing or says anything else lets the experiments go on.
#define CAUSAL_CONTROL_STOP "stop"

#endif // CAUSAL_PROFILEFORMAT_H
