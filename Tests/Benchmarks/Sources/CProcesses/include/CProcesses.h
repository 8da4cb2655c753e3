// Starts programs, and says what they cost.

#ifndef CPROCESSES_H
#define CPROCESSES_H

// What a program took.
typedef struct {
  double seconds;    // from start to end
  double processor;  // of user and system, in seconds
  int status;        // 0 where it ended well
} process_cost;

// Runs a program with its output in a file; words end with NULL.
process_cost process_run(const char *const *words, const char *output);

// What a program does that reads from a robot.
typedef struct {
  double processor;        // its share of a core while it streams
  double first_kilobytes;  // resident, a tenth of the way
  double last_kilobytes;   // and at the end
  double middle, late;     // seconds from a packet written to its line read: median and 99th percentile
  long packets, lines;
} live_cost;

// Runs a program with a robot on a pseudo-terminal that streams 66-byte packets, 400 a second; the word PORT becomes its name.
// Where there is an output, the lines go there and there are no latencies; else they are read through a pipe.
// Returns 0, or what went wrong.
const char *live_run(const char *const *words, const char *output, double seconds, int header_lines, live_cost *cost);

#endif
