// Limits the number of test cases that run at the same time.

#include <stdlib.h>

// Swift Testing starts all tests at once. On two cores, tests that wait in real time would then wait for minutes for a
// thread. A width that the environment states has priority.
__attribute__((constructor)) static void limit_parallelization_width(void) {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
