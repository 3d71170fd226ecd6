/* Deterministic LZ4: fast and HC compression, and decompression, of 1 MB of text. argv[1]: rounds. */
#include "lz4.h"
#include "lz4hc.h"
#include "text.h"

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  int size = 1 << 20, bound = LZ4_compressBound(size);
  char *text = make_text(size), *packed = malloc(bound), *unpacked = malloc(size);
  long sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int k = 0; k < 4; ++k) {
      int n = LZ4_compress_default(text, packed, size, bound);
      sum += n;
      for (int j = 0; j < 3; ++j)
        sum += LZ4_decompress_safe(packed, unpacked, n, size);
    }
    int n = LZ4_compress_HC(text, packed, size, bound, 6);
    sum += n + LZ4_decompress_safe(packed, unpacked, n, size);
  }
  printf("%ld %d\n", sum, memcmp(text, unpacked, size));
  return 0;
}
