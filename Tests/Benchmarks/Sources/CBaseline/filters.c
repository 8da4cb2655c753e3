// Implements the filters in plain C, including the handling of lost samples.

#include <float.h>
#include <math.h>

#include "CBaseline.h"

static inline double low_pass(baseline_low_pass *f, double x) {
  if (!isfinite(x)) return f->begun ? f->output : 0;
  if (!f->begun) {
    f->begun = 1;
    return f->output = x;
  }
  const double next = x * f->factor + f->output * (1 - f->factor);
  if (!isfinite(next)) return f->output;
  return f->output = next;
}

void baseline_low_pass_run(baseline_low_pass *filter, const double *samples, size_t count, double *outputs) {
  baseline_low_pass f = *filter;
  for (size_t i = 0; i < count; i++) outputs[i] = low_pass(&f, samples[i]);
  *filter = f;
}

void baseline_high_pass_run(baseline_high_pass *filter, const double *samples, size_t count, double *outputs) {
  baseline_high_pass f = *filter;
  for (size_t i = 0; i < count; i++) {
    baseline_low_pass next = f.low;
    const double x = samples[i];
    const double result = isfinite(x) ? x - low_pass(&next, x) : NAN;
    if (isfinite(result)) {
      f.low = next;
      f.output = result;
    }
    outputs[i] = f.output;
  }
  *filter = f;
}

static inline double clamped(double value) { return value > 0 ? fmin(value, 1) : 0; }

void baseline_adaptive_run(baseline_adaptive *filter, const double *samples, size_t count, double *outputs) {
  baseline_adaptive f = *filter;
  for (size_t i = 0; i < count; i++) {
    const double x = samples[i];
    if (isfinite(x) && f.base.begun) {
      const double ratio = fabs(fabs(f.base.output) - fabs(x)) / f.step - 1;
      const double change = isnan(ratio) ? 1 : fmin(fmax(ratio, 0), 1);
      f.base.factor = clamped(f.nominal * (change + (1 - change) / 3));
    }
    outputs[i] = low_pass(&f.base, x);
  }
  *filter = f;
}

void baseline_timed_run(
  baseline_timed *filter, const double *samples, const double *intervals, size_t count, double *outputs) {
  baseline_timed f = *filter;
  for (size_t i = 0; i < count; i++) {
    if (intervals[i] > 0) f.elapsed += intervals[i];
    if (isfinite(samples[i])) {
      f.base.factor = f.elapsed > 0 ? (isfinite(f.elapsed) ? clamped(-expm1(-f.elapsed / f.tau)) : 1) : 0;
      f.elapsed = 0;
      outputs[i] = low_pass(&f.base, samples[i]);
    } else {
      outputs[i] = f.base.begun ? f.base.output : 0;
    }
  }
  *filter = f;
}

void baseline_butterworth_init(baseline_butterworth *f, int high, size_t order, double cutoff, double rate) {
  *f = (baseline_butterworth){.high = high, .section_count = (order + 1) / 2};
  const double k = tan(M_PI * cutoff / rate);
  for (size_t s = 0; s < order / 2; s++) {
    const double d = order == 2 ? sqrt(2) : 2 * sin(M_PI * (2 * s + 1) / (2 * order));
    const double n = 1 / (1 + d * k + k * k), a1 = 2 * n * (k * k - 1), a2 = n * (1 - d * k + k * k);
    f->sections[s] = high ? (baseline_section){n, -2 * n, n, a1, a2} : (baseline_section){n * k * k, 2 * n * k * k, n * k * k, a1, a2};
  }
  if (order % 2) {
    const double n = 1 / (1 + k);
    f->sections[order / 2] =
      high ? (baseline_section){n, -n, 0, n * (k - 1), 0} : (baseline_section){n * k, n * k, 0, n * (k - 1), 0};
  }
}

// Inlined, so that the compiler specialises the loop for constant numbers of components and sections.
static inline __attribute__((always_inline)) void butterworth(
  baseline_butterworth *filter, const double *samples, size_t count, double *outputs, size_t width, size_t sections) {
  baseline_butterworth f = *filter;
  for (size_t i = 0; i < count; i++, samples += width, outputs += width) {
    double value[3], check = 0;
    for (size_t c = 0; c < width; c++) check += samples[c] * 0;
    if (check == 0) {
      for (size_t c = 0; c < width; c++) value[c] = samples[c];
      if (!f.begun) {
        f.begun = 1;
        for (size_t s = 0; s < sections; s++)
          for (size_t c = 0; c < width; c++) {
            const double x = value[c], y = f.high ? 0 : x;
            f.delays[s].first[c] = y - x * f.sections[s].b0;
            f.delays[s].second[c] = x * f.sections[s].b2 - y * f.sections[s].a2;
            value[c] = y;
          }
        for (size_t c = 0; c < width; c++) f.output[c] = value[c], value[c] = samples[c];
      }
      baseline_delays next[8];
      for (size_t s = 0; s < sections; s++)
        for (size_t c = 0; c < width; c++) {
          const double x = value[c], y = x * f.sections[s].b0 + f.delays[s].first[c];
          next[s].first[c] = x * f.sections[s].b1 - y * f.sections[s].a1 + f.delays[s].second[c];
          next[s].second[c] = x * f.sections[s].b2 - y * f.sections[s].a2;
          value[c] = y;
          check += (y + next[s].first[c] + next[s].second[c]) * 0;
        }
      if (check == 0) {
        for (size_t s = 0; s < sections; s++) f.delays[s] = next[s];
        for (size_t c = 0; c < width; c++) f.output[c] = value[c];
      }
    }
    for (size_t c = 0; c < width; c++) outputs[c] = f.output[c];
  }
  *filter = f;
}

void baseline_butterworth_run(baseline_butterworth *f, const double *samples, size_t count, double *outputs) {
  switch (f->section_count) {
  case 1: butterworth(f, samples, count, outputs, 1, 1); break;
  case 2: butterworth(f, samples, count, outputs, 1, 2); break;
  default: butterworth(f, samples, count, outputs, 1, f->section_count);
  }
}

void baseline_butterworth_run3(baseline_butterworth *f, const double *samples, size_t count, double *outputs) {
  switch (f->section_count) {
  case 1: butterworth(f, samples, count, outputs, 3, 1); break;
  default: butterworth(f, samples, count, outputs, 3, f->section_count);
  }
}
