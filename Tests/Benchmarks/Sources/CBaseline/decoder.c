// Implements the packet decoder in plain C, with a buffer for incomplete packets.

#include <stdlib.h>
#include <string.h>

#include "CBaseline.h"

enum { longest_event = 4096, capacity = 1 << 16 };

struct baseline_decoder {
  size_t start, end;
  uint8_t bytes[capacity];
};

baseline_decoder *baseline_decoder_new(void) { return calloc(1, sizeof(baseline_decoder)); }
void baseline_decoder_free(baseline_decoder *decoder) { free(decoder); }

// Makes room after the pending bytes, and appends a piece of at most half the buffer's size.
static inline void append(baseline_decoder *d, const uint8_t *bytes, size_t count) {
  if (capacity - d->end < count) {
    memmove(d->bytes, d->bytes + d->start, d->end - d->start);
    d->end -= d->start;
    d->start = 0;
  }
  memcpy(d->bytes + d->end, bytes, count);
  d->end += count;
}

// Returns the payload of the next complete packet with a valid checksum, and its length; NULL if more bytes are required.
static inline const uint8_t *next(baseline_decoder *d, size_t *length) {
  size_t place = d->start;
  const size_t end = d->end;
  const uint8_t *result = NULL;
  while (end - place >= 5) {
    const uint8_t *p = d->bytes + place;
    if (p[0] != 0xFF || p[1] < 0xFE || (p[1] == 0xFF && p[2] >= 0xF0)) { place++; continue; }
    const size_t count = p[1] == 0xFE ? (size_t)p[3] << 8 | p[4] : p[4];
    if (count == 0 || count > longest_event) { place++; continue; }
    if (end - place < 5 + count) break;
    uint8_t sum = 0;
    for (size_t i = 2; i < 5 + count; i++) sum += p[i];
    if (sum != 0xFF) { place++; continue; }
    result = p + 5;
    *length = count - 1;
    place += 5 + count;
    break;
  }
  d->start = place;
  if (!result && d->start == d->end) d->start = d->end = 0;
  return result;
}

long baseline_frames(baseline_decoder *decoder, const uint8_t *bytes, size_t count, uint64_t *sum) {
  append(decoder, bytes, count);
  long packets = 0;
  size_t length;
  for (const uint8_t *payload; (payload = next(decoder, &length)); packets++) *sum += payload[0];
  return packets;
}

void baseline_values(
  baseline_decoder *decoder, const uint8_t *bytes, size_t count, const double *scales, size_t scale_count,
  size_t words, double *values, size_t ring, size_t *packets) {
  append(decoder, bytes, count);
  size_t length;
  for (const uint8_t *payload; (payload = next(decoder, &length));) {
    if (length != 2 * words) continue;
    double *out = values + words * ((*packets)++ & ring);
    for (size_t frame = 0; frame < words; frame += scale_count)
      for (size_t i = 0; i < scale_count; i++) {
        const uint8_t *word = payload + 2 * (frame + i);
        out[frame + i] = (int16_t)((uint16_t)word[0] << 8 | word[1]) * scales[i];
      }
  }
}
