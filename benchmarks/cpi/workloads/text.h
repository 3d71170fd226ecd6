/* Text that compresses as text does, always the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *make_text(size_t size) {
  static const char *words[] = {"the ", "of ",   "profile ",    "sample ", "thread ", "lock", "{\"id\":", ",\"name\":\"",
                                "\"},\n", "0x", "continuous ", "cycle",   "s ",      "and ", "\n",       "return "};
  char *text = malloc(size);
  unsigned long z = 88172645463325252ul;
  for (size_t i = 0; i < size;) {
    z ^= z << 13;
    z ^= z >> 7;
    z ^= z << 17;
    if (z % 5 == 0) {
      text[i++] = 'a' + (z >> 20) % 26;
      continue;
    }
    for (const char *w = words[(z >> 8) % 16]; *w && i < size; ++w)
      text[i++] = *w;
  }
  return text;
}
