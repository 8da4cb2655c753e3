// A minimal program, the reference for the start-up time of `sphero`.

#include <stdio.h>

int main(void) {
  puts("hello");
  return 0;
}
