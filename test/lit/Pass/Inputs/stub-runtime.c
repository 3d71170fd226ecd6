// Stands for the runtime in tests of the plugins alone: says what it is told.
#include <stdio.h>

void __causal_version_mismatch_check_v2(void) {}
void __causal_register_image(const char *Begin, const char *End, unsigned Features) {
  printf("registered %ld records\n", (long)(End - Begin) / 12);
  fflush(stdout);
}
void __causal_unregister_image(const char *Begin) {
  printf("unregistered %s\n", Begin ? "records" : "nothing");
  fflush(stdout);
}
