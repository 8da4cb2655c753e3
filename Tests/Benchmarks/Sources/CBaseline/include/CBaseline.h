// Plain C counterparts of the library's work, the reference for the Swift code.

#ifndef CBASELINE_H
#define CBASELINE_H

#include <stddef.h>
#include <stdint.h>

// Decodes a robot's packets from a stream of bytes in pieces.
typedef struct baseline_decoder baseline_decoder;
baseline_decoder *baseline_decoder_new(void);
void baseline_decoder_free(baseline_decoder *decoder);

// Appends a piece and decodes the packets that it completes; resynchronises at the second byte of an invalid packet.
// Adds the first byte of each payload to `sum`. Returns the number of packets.
long baseline_frames(baseline_decoder *decoder, const uint8_t *bytes, size_t count, uint64_t *sum);

// Appends a piece, and writes each word of each payload to `values`, multiplied by the scale of its position in the frame.
// A packet has `words` words, written at index `words` * (`*packets` & `ring`).
void baseline_values(
  baseline_decoder *decoder, const uint8_t *bytes, size_t count, const double *scales, size_t scale_count,
  size_t words, double *values, size_t ring, size_t *packets);

// Converts `count` unit quaternions (w, x, y, z) to the angles of an Euler order in radians.
void baseline_euler(const double *quaternions, size_t count, int first, int second, int third, int intrinsic, double *angles);

// Filters; each keeps its state between calls. A sample that is not finite counts as lost.
typedef struct { double factor, output; int begun; } baseline_low_pass;
void baseline_low_pass_run(baseline_low_pass *filter, const double *samples, size_t count, double *outputs);

typedef struct { baseline_low_pass low; double output; } baseline_high_pass;
void baseline_high_pass_run(baseline_high_pass *filter, const double *samples, size_t count, double *outputs);

typedef struct { double step, nominal; baseline_low_pass base; } baseline_adaptive;
void baseline_adaptive_run(baseline_adaptive *filter, const double *samples, size_t count, double *outputs);

typedef struct { double tau, elapsed; baseline_low_pass base; } baseline_timed;
void baseline_timed_run(
  baseline_timed *filter, const double *samples, const double *intervals, size_t count, double *outputs);

typedef struct { double b0, b1, b2, a1, a2; } baseline_section;
typedef struct { double first[3], second[3]; } baseline_delays;
typedef struct {
  baseline_section sections[8];
  baseline_delays delays[8];
  size_t section_count;
  int high;
  double output[3];
  int begun;
} baseline_butterworth;
void baseline_butterworth_init(baseline_butterworth *filter, int high, size_t order, double cutoff, double rate);
void baseline_butterworth_run(baseline_butterworth *filter, const double *samples, size_t count, double *outputs);
// The same for samples of three components.
void baseline_butterworth_run3(baseline_butterworth *filter, const double *samples, size_t count, double *outputs);

// MotionEstimator with default settings and without a magnetometer.
typedef struct baseline_estimator baseline_estimator;
baseline_estimator *baseline_estimator_new(void);
void baseline_estimator_free(baseline_estimator *estimator);
// Processes a rotation rate (rad/s) and an acceleration (g); writes attitude (w, x, y, z), rate, bias and user acceleration.
// Returns whether a motion is available.
int baseline_estimator_update(baseline_estimator *estimator, double time, const double *rate, const double *force, double *motion);

#endif
