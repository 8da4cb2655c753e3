// The functions of a C library that Embedded Swift requires: memory, comparison, number parsing, exact arithmetic.
#include <stddef.h>
#include <stdint.h>

extern uint8_t __heap_base;

// The start and the size class of a block, stored directly before the allocated memory.
struct header {
  uintptr_t block;
  uintptr_t class;
};

// Blocks have 32 bytes times a power of two. Free blocks are in a linked list for each class.
static uintptr_t free_blocks[32];
static uintptr_t end;

int posix_memalign(void **place, size_t alignment, size_t size) {
  if (alignment < sizeof(struct header)) alignment = sizeof(struct header);
  if (size > 1u << 30 || alignment > 4096) return 12;
  size_t needed = size + alignment + sizeof(struct header);
  unsigned class = needed <= 32 ? 0 : 32 - (unsigned)__builtin_clz((unsigned)(needed - 1) >> 5);
  uintptr_t block = free_blocks[class];
  if (block) {
    free_blocks[class] = *(uintptr_t *)block;
  } else {
    if (!end) end = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    uintptr_t next = end + ((uintptr_t)32 << class);
    if (next < end) return 12;
    size_t pages = (next + 0xFFFF) >> 16, have = __builtin_wasm_memory_size(0);
    if (pages > have && __builtin_wasm_memory_grow(0, pages - have) == (size_t)-1) return 12;
    block = end;
    end = next;
  }
  uintptr_t start = (block + sizeof(struct header) + alignment - 1) & ~(uintptr_t)(alignment - 1);
  ((struct header *)start)[-1] = (struct header){block, class};
  *place = (void *)start;
  return 0;
}

void free(void *place) {
  if (!place) return;
  struct header header = ((struct header *)place)[-1];
  *(uintptr_t *)header.block = free_blocks[header.class];
  free_blocks[header.class] = header.block;
}

int memcmp(const void *left, const void *right, size_t count) {
  const uint8_t *a = left, *b = right;
  for (; count; count--, a++, b++)
    if (*a != *b) return *a - *b;
  return 0;
}

void *memchr(const void *place, int byte, size_t count) {
  for (const uint8_t *each = place; count; count--, each++)
    if (*each == (uint8_t)byte) return (void *)each;
  return NULL;
}

// Hash seeds need not be secret here.
void arc4random_buf(void *place, size_t count) {
  for (size_t index = 0; index < count; index++) ((uint8_t *)place)[index] = (uint8_t)(index * 151 + 7);
}

// Rounds half away from zero.
double round(double value) {
  double whole = __builtin_trunc(value);
  return __builtin_fabs(value - whole) >= 0.5 ? whole + __builtin_copysign(1, value) : whole;
}

// Parses a decimal number exactly; imported from JavaScript.
double number(const char *text, size_t count);

static const char *digits(const char *text) {
  while (*text >= '0' && *text <= '9') text++;
  return text;
}

// Parses a decimal number and returns its end, or the beginning if there is none.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  const char *start = *text == '-' || *text == '+' ? text + 1 : text;
  const char *whole = digits(start);
  const char *last = *whole == '.' ? digits(whole + 1) : whole;
  if (last - start == (last == whole ? 0 : 1)) return text;
  if (*last == 'e' || *last == 'E') {
    const char *power = last[1] == '-' || last[1] == '+' ? last + 2 : last + 1;
    if (digits(power) > power) last = digits(power);
  }
  *result = number(text, (size_t)(last - text));
  return last;
}

static double upper(double value) {
  double shifted = value * 134217729;
  return shifted - (shifted - value);
}

// Exact if `c` is the negative rounded product, which is the only use (Dekker's product).
double fma(double a, double b, double c) {
  double product = a * b, a1 = upper(a), b1 = upper(b), a2 = a - a1, b2 = b - b1;
  double error = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
  return (product + c) + error;
}

// Multiplies two 128-bit integers by halves of their low words.
__int128 __multi3(__int128 a, __int128 b) {
  const uint64_t mask = 0xFFFFFFFF;
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  uint64_t low = (x & mask) * (y & mask), right = (x & mask) * (y >> 32), left = (x >> 32) * (y & mask);
  uint64_t carry = (low >> 32) + (right & mask) + (left & mask);
  uint64_t high = (x >> 32) * (y >> 32) + (right >> 32) + (left >> 32) + (carry >> 32);
  high += x * (uint64_t)(b >> 64) + y * (uint64_t)(a >> 64);
  return (__int128)((unsigned __int128)high << 64 | carry << 32 | (low & mask));
}
