// Plain C counterparts of the library's work, the reference for the Swift code.

#ifndef CTWINS_H
#define CTWINS_H

#include <stddef.h>
#include <stdint.h>

// Decodes a robot's packets from a stream of bytes in pieces.
typedef struct twin_decoder twin_decoder;
twin_decoder *twin_decoder_new(void);
void twin_decoder_free(twin_decoder *decoder);

// Appends a piece and decodes the packets that it completes; resynchronises at the second byte of an invalid packet.
// Adds the first byte of each payload to `sum`. Returns the number of packets.
long twin_frames(twin_decoder *decoder, const uint8_t *bytes, size_t count, uint64_t *sum);

// Appends a piece, and writes each word of each payload to `values`, multiplied by the scale of its position in the frame.
// A packet has `words` words, written at index `words` * (`*packets` & `ring`).
void twin_values(
  twin_decoder *decoder, const uint8_t *bytes, size_t count, const double *scales, size_t scale_count,
  size_t words, double *values, size_t ring, size_t *packets);

// Converts `count` unit quaternions (w, x, y, z) to the angles of an Euler order in radians.
void twin_euler(const double *quaternions, size_t count, int first, int second, int third, int intrinsic, double *angles);

// Filters; each keeps its state between calls. A sample that is not finite counts as lost.
typedef struct { double factor, output; int begun; } twin_low_pass;
void twin_low_pass_run(twin_low_pass *filter, const double *samples, size_t count, double *outputs);

typedef struct { twin_low_pass low; double output; } twin_high_pass;
void twin_high_pass_run(twin_high_pass *filter, const double *samples, size_t count, double *outputs);

typedef struct { double step, nominal; twin_low_pass base; } twin_adaptive;
void twin_adaptive_run(twin_adaptive *filter, const double *samples, size_t count, double *outputs);

typedef struct { double tau, elapsed; twin_low_pass base; } twin_timed;
void twin_timed_run(
  twin_timed *filter, const double *samples, const double *intervals, size_t count, double *outputs);

typedef struct { double b0, b1, b2, a1, a2; } twin_section;
typedef struct { double first[3], second[3]; } twin_delays;
typedef struct {
  twin_section sections[8];
  twin_delays delays[8];
  size_t section_count;
  int high;
  double output[3];
  int begun;
} twin_butterworth;
void twin_butterworth_init(twin_butterworth *filter, int high, size_t order, double cutoff, double rate);
void twin_butterworth_run(twin_butterworth *filter, const double *samples, size_t count, double *outputs);
// The same for samples of three components.
void twin_butterworth_run3(twin_butterworth *filter, const double *samples, size_t count, double *outputs);

// MotionEstimator with default settings and without a magnetometer.
typedef struct twin_estimator twin_estimator;
twin_estimator *twin_estimator_new(void);
void twin_estimator_free(twin_estimator *estimator);
// Processes a rotation rate (rad/s) and an acceleration (g); writes attitude (w, x, y, z), rate, bias and user acceleration.
// Returns whether a motion is available.
int twin_estimator_update(twin_estimator *estimator, double time, const double *rate, const double *force, double *motion);

#endif
