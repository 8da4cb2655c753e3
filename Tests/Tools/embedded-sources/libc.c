// What Embedded Swift asks of a C library, as far as a program that runs for a second needs it.
#include <stddef.h>
#include <stdint.h>

extern uint8_t __heap_base;

// Memory is never given back.
int posix_memalign(void **place, size_t alignment, size_t size) {
  static uintptr_t end;
  if (!end) end = (uintptr_t)&__heap_base;
  uintptr_t start = (end + alignment - 1) & ~(uintptr_t)(alignment - 1);
  size_t pages = (start + size + 0xFFFF) >> 16, have = __builtin_wasm_memory_size(0);
  if (pages > have && __builtin_wasm_memory_grow(0, pages - have) == (size_t)-1) return 12;
  end = start + size;
  *place = (void *)start;
  return 0;
}

void free(void *place) { (void)place; }

int memcmp(const void *left, const void *right, size_t count) {
  const uint8_t *a = left, *b = right;
  for (; count; count--, a++, b++)
    if (*a != *b) return *a - *b;
  return 0;
}

// Seeds of hashes: nothing here needs a secret.
void arc4random_buf(void *place, size_t count) {
  for (size_t index = 0; index < count; index++) ((uint8_t *)place)[index] = (uint8_t)(index * 151 + 7);
}

static double upper(double value) {
  double shifted = value * 134217729;
  return shifted - (shifted - value);
}

// Exact where `c` takes the rounded product away, which is all that is asked (Dekker's product).
double fma(double a, double b, double c) {
  double product = a * b, a1 = upper(a), b1 = upper(b), a2 = a - a1, b2 = b - b1;
  double error = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
  return (product + c) + error;
}

// The product of two wide integers, by halves of their low words.
__int128 __multi3(__int128 a, __int128 b) {
  const uint64_t mask = 0xFFFFFFFF;
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  uint64_t low = (x & mask) * (y & mask), right = (x & mask) * (y >> 32), left = (x >> 32) * (y & mask);
  uint64_t carry = (low >> 32) + (right & mask) + (left & mask);
  uint64_t high = (x >> 32) * (y >> 32) + (right >> 32) + (left >> 32) + (carry >> 32);
  high += x * (uint64_t)(b >> 64) + y * (uint64_t)(a >> 64);
  return (__int128)((unsigned __int128)high << 64 | carry << 32 | (low & mask));
}
