// The least that a program does: what the start of `sphero` is measured against.

#include <stdio.h>

int main(void) {
  puts("hello");
  return 0;
}
