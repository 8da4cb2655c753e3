// Counts the allocations of an executable that the linker redirects here (`--wrap`); see Package.swift.

#include "CAllocations.h"

#include <stdlib.h>

#ifdef __linux__
extern void *__real_malloc(size_t);
extern void *__real_calloc(size_t, size_t);
extern void *__real_realloc(void *, size_t);
extern void *__real_memalign(size_t, size_t);
extern void *__real_aligned_alloc(size_t, size_t);
extern int __real_posix_memalign(void **, size_t, size_t);

static __thread long count;

long allocation_count(void) { return count; }

void *__wrap_malloc(size_t size) {
  count++;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size) {
  count++;
  return __real_calloc(number, size);
}

void *__wrap_realloc(void *block, size_t size) {
  count++;
  return __real_realloc(block, size);
}

void *__wrap_memalign(size_t alignment, size_t size) {
  count++;
  return __real_memalign(alignment, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size) {
  count++;
  return __real_posix_memalign(block, alignment, size);
}
#else
long allocation_count(void) { return -1; }
#endif
