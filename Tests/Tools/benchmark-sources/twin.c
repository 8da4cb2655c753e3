// The packet decoder in plain C: what the Swift one is measured against.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Finds the packets of a robot in a buffer: framing and checksum.
// Where `keep` is true, each payload is copied into memory of its own, as the packets of the library have it.
long twin_decode(const uint8_t *bytes, long count, int keep, long *checksum) {
  long place = 0, packets = 0;
  while (count - place >= 5) {
    const uint8_t *start = bytes + place;
    if (start[0] != 0xFF || start[1] < 0xFE) { place++; continue; }
    int isEvent = start[1] == 0xFE;
    if (!isEvent && start[2] >= 0xF0) { place++; continue; }
    long length = start[4] | (isEvent ? start[3] << 8 : 0);
    if (length == 0 || length > 4096) { place++; continue; }
    if (count - place < 5 + length) break;
    uint8_t sum = 0;
    for (long i = 2; i < 5 + length; i++) sum += start[i];
    if (sum != 0xFF) { place++; continue; }
    if (keep) {
      uint8_t *payload = malloc(length);
      memcpy(payload, start + 5, length - 1);
      *checksum += payload[0];
      free(payload);
    } else {
      *checksum += start[5];
    }
    packets++;
    place += 5 + length;
  }
  return packets;
}
