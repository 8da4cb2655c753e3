// Runs programs and measures their time, memory and latency.

#ifndef CPROCESSES_H
#define CPROCESSES_H

// The cost of running a program.
typedef struct {
  double seconds;    // wall-clock time
  double processor;  // user and system CPU time in seconds
  int status;        // the wait status, 0 on success
} process_cost;

// Runs a program with its stdout redirected to a file; `words` is terminated by NULL.
process_cost process_run(const char *const *words, const char *output);

// The cost of a program that streams from a robot.
typedef struct {
  double processor;        // the share of a core during streaming
  double first_kilobytes;  // resident memory after a tenth of the time
  double last_kilobytes;   // resident memory at the end
  double middle, late;     // seconds from writing a packet to reading its line: median and 99th percentile
  long packets, lines;
} live_cost;

// Runs a program with a robot on a pseudo-terminal that streams 66-byte packets at 400 Hz; its name replaces the argument PORT.
// If `output` is not NULL, stdout is redirected to this file and no latency is measured; otherwise stdout is read through a pipe.
// Returns NULL, or an error message.
const char *live_run(const char *const *words, const char *output, double seconds, int header_lines, live_cost *cost);

#endif
