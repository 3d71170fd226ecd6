// Where messages go. A program without a stderr may have a file of its own there; a
// log that cannot be written costs nothing but one message; and a profile whose
// directory goes away, or signals that cannot be queued, cost the profile at most.
// RUN: %build
// RUN: rm -f %t.file && bash -c '%env_causal_opts=verbosity=2:experiment_ms=5:sample_period_us=100:output=%t.causal %t file %t.file 2>&-'
// RUN: echo mine | diff - %t.file
// RUN: rm -rf %t.log && mkdir %t.log
// RUN: %env_causal_opts=verbosity=1:output=%t.causal:log_path=%t.log/log %t 2> %t.err
// RUN: cat %t.log/log.* | FileCheck %s --check-prefix=LOG
// LOG: causal: sampler
// RUN: test ! -s %t.err
// RUN: %env_causal_opts=output=%t.causal:log_path=/dev/null/log %t 2>&1 | FileCheck %s --check-prefix=NOLOG
// NOLOG: causal: cannot open /dev/null/log.{{[0-9]+}} (errno 20): messages go to stderr. Set log_path=
// NOLOG: worked
// RUN: rm -rf %t.gone && mkdir %t.gone
// RUN: %env_causal_opts=output=%t.gone/profile.causal:experiment_ms=5:sample_period_us=100 %t remove %t.gone 2> %t.err | FileCheck %s --check-prefix=WORKED
// WORKED: worked
// RUN: not grep -v "no experiment was" %t.err
// RUN: %same --before="prlimit --sigpending=0" %t.native %t
#include "busy.h"
#include <fcntl.h>
#include <unistd.h>
int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "file"))
    EXPECT(open(argv[2], O_WRONLY | O_CREAT, 0600) == 2 &&
           write(2, "mine\n", 5) == 5);
  busyBegin();
  work(20000);
  if (argc > 2 && !strcmp(argv[1], "remove")) {
    char Command[4096];
    snprintf(Command, sizeof(Command), "rm -rf %s", argv[2]);
    EXPECT(system(Command) == 0);
  }
  work(20000);
  busyEnd();
  puts("worked");
  return 0;
}
