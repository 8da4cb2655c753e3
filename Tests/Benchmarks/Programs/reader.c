// Streams all fields of a robot at 400 Hz, the reference for `sphero stream`.
//
//   reader PORT count      only reads
//   reader PORT print      prints a line of comma-separated values for each packet immediately

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { words = 30, length = 6 + 2 * words };

static volatile sig_atomic_t ended;
static void end(int signal) { (void)signal, ended = 1; }

static void request(int port) {
  // Set Data Streaming: divisor 1, one frame, MASK, unlimited packet count, MASK2.
  uint8_t packet[] = {0xFF, 0xFF, 0x02, 0x11, 0x01, 0x0E, 0, 1, 0, 1, 0xFC, 0x7F, 0xFC, 0x60, 0, 0xFF, 0x80, 0, 0, 0};
  uint8_t sum = 0;
  for (size_t i = 2; i < sizeof packet - 1; i++) sum += packet[i];
  packet[sizeof packet - 1] = ~sum;
  if (write(port, packet, sizeof packet) < 0) ended = 1;
}

// Prints the complete packets of an undamaged stream; returns the number of remaining bytes.
static size_t print(uint8_t *bytes, size_t count) {
  size_t place = 0;
  while (count - place >= length) {
    const uint8_t *p = bytes + place;
    uint8_t sum = 0;
    for (int i = 2; i < length; i++) sum += p[i];
    if (p[0] != 0xFF || p[1] != 0xFE || sum != 0xFF) { place++; continue; }
    char line[1024];
    int end = 0;
    for (int i = 0; i < words; i++)
      end += snprintf(line + end, sizeof line - end, "%.4f%c", (int16_t)(p[5 + 2 * i] << 8 | p[6 + 2 * i]) / 4096.0, i + 1 < words ? ',' : '\n');
    if (write(1, line, end) < 0) ended = 1;
    place += length;
  }
  memmove(bytes, bytes + place, count - place);
  return count - place;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const int prints = strcmp(arguments[2], "print") == 0, port = open(arguments[1], O_RDWR | O_NOCTTY);
  if (port < 0) return 1;
  struct termios settings;
  tcgetattr(port, &settings);
  cfmakeraw(&settings);
  tcsetattr(port, TCSANOW, &settings);
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGINT, &action, NULL);
  request(port);
  uint8_t bytes[8192];
  size_t held = 0;
  while (!ended) {
    struct pollfd wait = {.fd = port, .events = POLLIN};
    if (poll(&wait, 1, -1) < 0) continue;
    const ssize_t got = read(port, bytes + held, sizeof bytes - held);
    if (got <= 0) break;
    held = prints ? print(bytes, held + (size_t)got) : 0;
  }
  return 0;
}
