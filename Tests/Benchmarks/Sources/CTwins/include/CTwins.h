// The library's work in plain C: what the Swift code is measured against.

#ifndef CTWINS_H
#define CTWINS_H

#include <stddef.h>
#include <stdint.h>

// The packets of a robot in a stream of bytes that comes in pieces.
typedef struct twin_decoder twin_decoder;
twin_decoder *twin_decoder_new(void);
void twin_decoder_free(twin_decoder *decoder);

// Takes a piece, and finds the packets that it completes; a false one is searched from its second byte.
// Adds up the first byte of each payload. Returns the number of packets.
long twin_frames(twin_decoder *decoder, const uint8_t *bytes, size_t count, uint64_t *sum);

// Takes a piece, and writes each word of each payload, times the scale of its place in a frame, to `values`.
// A packet has `words` words and goes to place `words` * (`*packets` & `ring`).
void twin_values(
  twin_decoder *decoder, const uint8_t *bytes, size_t count, const double *scales, size_t scale_count,
  size_t words, double *values, size_t ring, size_t *packets);

// Takes a piece, and writes after each other the payloads of `length` bytes. Returns the number of packets of that length.
long twin_payloads(
  twin_decoder *decoder, const uint8_t *bytes, size_t count, size_t length, uint8_t *payloads);

// The angles of an Euler order in radians, for `count` quaternions w, x, y, z of length 1.
void twin_euler(const double *quaternions, size_t count, int first, int second, int third, int intrinsic, double *angles);

// Filters; each leaves its state where the next call goes on. A sample that is not finite counts as lost.
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

// MotionEstimator with its usual settings and without a magnetometer.
typedef struct twin_estimator twin_estimator;
twin_estimator *twin_estimator_new(void);
void twin_estimator_free(twin_estimator *estimator);
// Takes rate (rad/s) and acceleration (g) at a time; writes attitude (w, x, y, z), rate, bias and own acceleration.
// Returns whether there is a motion yet.
int twin_estimator_update(twin_estimator *estimator, double time, const double *rate, const double *force, double *motion);

#endif
