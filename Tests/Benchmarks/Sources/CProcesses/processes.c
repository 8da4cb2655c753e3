// Runs and measures programs, and simulates a streaming robot for them.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "CProcesses.h"

extern char **environ;

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

process_cost process_run(const char *const *words, const char *output) {
  process_cost cost = {.status = -1};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const double start = now(CLOCK_MONOTONIC);
  pid_t child;
  if (posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ) == 0) {
    struct rusage usage;
    while (wait4(child, &cost.status, 0, &usage) < 0 && errno == EINTR) {}
    cost.seconds = now(CLOCK_MONOTONIC) - start;
    cost.processor = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  }
  posix_spawn_file_actions_destroy(&actions);
  return cost;
}

#ifdef __linux__

enum { rate = 400, most_words = 64, packet_length = 66, most_packets = 1 << 18 };

typedef struct {
  int port;
  uint8_t bytes[4096];
  size_t held;
  int streams;
  long packets;
  double *times;
} robot;

static void check(uint8_t *packet, size_t length) {
  uint8_t sum = 0;
  for (size_t i = 2; i < length - 1; i++) sum += packet[i];
  packet[length - 1] = ~sum;
}

// Receives commands and answers those that request an answer; Set Data Streaming starts or ends the stream.
static void receive_commands(robot *r) {
  const ssize_t got = read(r->port, r->bytes + r->held, sizeof r->bytes - r->held);
  if (got <= 0) return;
  r->held += (size_t)got;
  size_t place = 0;
  while (r->held - place >= 7) {
    const uint8_t *p = r->bytes + place;
    if (p[0] != 0xFF || p[1] < 0xFC) { place++; continue; }
    const size_t length = 6 + p[5];
    if (r->held - place < length) break;
    if (p[2] == 0x02 && p[3] == 0x11 && p[5] > 9) r->streams = (p[10] | p[11] | p[12] | p[13]) != 0;
    if (p[1] & 1) {
      uint8_t answer[6] = {0xFF, 0xFF, 0, p[4], 1};
      check(answer, sizeof answer);
      if (write(r->port, answer, sizeof answer) < 0) return;
    }
    place += length;
  }
  memmove(r->bytes, r->bytes + place, r->held - place);
  r->held -= place;
}

static void send_packet(robot *r) {
  uint8_t packet[packet_length] = {0xFF, 0xFE, 3, 0, packet_length - 5};
  for (int i = 5; i < packet_length - 1; i++) packet[i] = (uint8_t)(r->packets * 7 + i);
  check(packet, sizeof packet);
  r->times[r->packets++] = now(CLOCK_MONOTONIC);
  if (write(r->port, packet, sizeof packet) < 0) r->streams = 0;
}

static double resident(pid_t child) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)child);
  FILE *file = fopen(path, "r");
  long size = 0, pages = 0;
  if (!file || fscanf(file, "%ld %ld", &size, &pages) != 2) pages = 0;
  if (file) fclose(file);
  return pages * (double)sysconf(_SC_PAGESIZE) / 1024;
}

static int ascending(const void *a, const void *b) {
  const double d = *(const double *)a - *(const double *)b;
  return (d > 0) - (d < 0);
}

// Simulates the robot for the child for `seconds`, after one second of start-up.
static const char *simulate(robot *r, pid_t child, int lines, double seconds, int header_lines, double *delays, live_cost *cost) {
  clockid_t clock;
  if (clock_getcpuclockid(child, &clock) != 0) return "the program's CPU time cannot be read";
  const double limit = now(CLOCK_MONOTONIC) + 10;
  double start = 0, next = 0, used = 0;
  long skipped = 0;
  while (1) {
    const double time = now(CLOCK_MONOTONIC);
    if (!r->streams && start == 0 && time > limit) return "the program requests no stream";
    if (r->streams && start == 0) start = next = time;
    if (start > 0 && time >= next && r->streams) {
      send_packet(r);
      next += 1.0 / rate;
      // The first second is for starting up.
      if (r->packets == rate) used = now(clock);
      if (r->packets == (long)(rate * (1 + seconds / 10))) cost->first_kilobytes = resident(child);
      if (time - start >= seconds + 1 || r->packets == most_packets) {
        cost->processor = (now(clock) - used) / (time - start - 1);
        cost->last_kilobytes = resident(child);
        return NULL;
      }
      continue;
    }
    double wait = start > 0 ? next - time : 0.01;
    if (wait < 0) wait = 0;
    const struct timespec timeout = {0, (long)(wait * 1e9)};
    struct pollfd files[2] = {{.fd = r->port, .events = POLLIN}, {.fd = lines, .events = POLLIN}};
    if (ppoll(files, lines < 0 ? 1 : 2, &timeout, NULL) <= 0) continue;
    if (files[0].revents & POLLIN) receive_commands(r);
    if (lines >= 0 && files[1].revents) {
      char bytes[65536];
      const ssize_t got = read(lines, bytes, sizeof bytes);
      if (got <= 0) return "the program exited early";
      const double read_at = now(CLOCK_MONOTONIC);
      for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] != '\n') continue;
        if (skipped < header_lines) { skipped++; continue; }
        if (cost->lines < r->packets) delays[cost->lines] = read_at - r->times[cost->lines];
        cost->lines++;
      }
    }
  }
}

const char *live_run(const char *const *words, const char *output, double seconds, int header_lines, live_cost *cost) {
  *cost = (live_cost){0};
  robot r = {.port = posix_openpt(O_RDWR | O_NOCTTY)};
  if (r.port < 0 || grantpt(r.port) != 0 || unlockpt(r.port) != 0) return "a pseudo-terminal cannot be opened";
  char name[128];
  if (ptsname_r(r.port, name, sizeof name) != 0) return "the pseudo-terminal has no name";
  // Kept open in raw mode, which prevents echo and a hangup.
  const int other = open(name, O_RDWR | O_NOCTTY);
  struct termios settings;
  tcgetattr(other, &settings);
  cfmakeraw(&settings);
  tcsetattr(other, TCSANOW, &settings);
  int pipes[2] = {-1, -1};
  if (!output && pipe2(pipes, O_CLOEXEC) != 0) return "a pipe cannot be created";
  fcntl(r.port, F_SETFD, FD_CLOEXEC);
  fcntl(other, F_SETFD, FD_CLOEXEC);

  const char *all[most_words] = {0};
  for (int i = 0; words[i] && i + 1 < most_words; i++) all[i] = strcmp(words[i], "PORT") == 0 ? name : words[i];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (output) posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  else posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
  r.times = calloc(most_packets, sizeof *r.times);
  double *delays = calloc(most_packets, sizeof *delays);
  pid_t child = -1;
  const char *error = "the program cannot be started";
  if (posix_spawnp(&child, all[0], &actions, NULL, (char *const *)all, environ) == 0) {
    if (pipes[1] >= 0) close(pipes[1]);
    pipes[1] = -1;
    error = simulate(&r, child, pipes[0], seconds, header_lines, delays, cost);
    cost->packets = r.packets;
    kill(child, SIGINT);
    // Answers the commands that the child sends during its shutdown.
    for (int i = 0; i < 200 && waitpid(child, NULL, WNOHANG) == 0; i++) {
      struct pollfd files[2] = {{.fd = r.port, .events = POLLIN}, {.fd = pipes[0], .events = POLLIN}};
      char rest[65536];
      if (poll(files, pipes[0] < 0 ? 1 : 2, 10) > 0) {
        if (files[0].revents & POLLIN) receive_commands(&r);
        if (files[1].revents && read(pipes[0], rest, sizeof rest) <= 0) usleep(10000);
      }
      if (i == 199) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
      }
    }
  }
  if (!error && !output) {
    const long count = cost->lines < cost->packets ? cost->lines : cost->packets;
    if (count < cost->packets - rate / 2 || cost->lines > cost->packets) error = "the program did not print one line per packet";
    // The first second is for starting up.
    const long first = count > 2 * rate ? rate : 0;
    qsort(delays + first, count - first, sizeof *delays, ascending);
    cost->middle = delays[first + (count - first) / 2];
    cost->late = delays[first + (count - first) * 99 / 100];
  }
  posix_spawn_file_actions_destroy(&actions);
  free(r.times);
  free(delays);
  if (pipes[0] >= 0) close(pipes[0]);
  if (pipes[1] >= 0) close(pipes[1]);
  close(other);
  close(r.port);
  return error;
}

#else

const char *live_run(const char *const *words, const char *output, double seconds, int header_lines, live_cost *cost) {
  (void)words, (void)output, (void)seconds, (void)header_lines, (void)cost;
  return "reading the CPU time of another program requires Linux";
}

#endif
