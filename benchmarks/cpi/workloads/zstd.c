/* Deterministic zstd: levels 1, 3 and 6, and decompression, of 1 MB of text. argv[1]: rounds. */
#include "zstd.h"
#include "text.h"

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  size_t size = 1 << 20, bound = ZSTD_compressBound(size);
  char *text = make_text(size), *packed = malloc(bound), *unpacked = malloc(size);
  long sum = 0;
  static const int levels[] = {1, 3, 6};
  for (int round = 0; round < rounds; ++round)
    for (int k = 0; k < 3; ++k) {
      size_t n = ZSTD_compress(packed, bound, text, size, levels[k]);
      sum += n;
      for (int j = 0; j < 3; ++j)
        sum += ZSTD_decompress(unpacked, size, packed, n);
    }
  printf("%ld %d\n", sum, memcmp(text, unpacked, size));
  return 0;
}
