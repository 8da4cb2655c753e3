// Implements MotionEstimator in plain C: the same steps in the same order, with default settings.

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "CBaseline.h"

typedef struct { double x, y, z; } vector;
typedef struct { double w, x, y, z; } quaternion;
typedef double lanes __attribute__((vector_size(128)));

static const double degree = M_PI / 180;
enum { heading = 12, tilt_x = 13, tilt_y = 14, places = 15 };
static const double acceleration_time = 3, block_duration = 0.5, hold = 2 * acceleration_time;

static inline vector add(vector a, vector b) { return (vector){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vector subtract(vector a, vector b) { return (vector){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vector times(vector a, double f) { return (vector){a.x * f, a.y * f, a.z * f}; }
static inline double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vector cross(vector a, vector b) {
  return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline int finite3(vector a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }
static inline int without_loss(double squared) { return squared >= 1e-270 && squared <= 1e300; }
static inline double largest(vector a) { return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))); }

static inline int within(vector a, double limit) { return fabs(a.x) <= limit && fabs(a.y) <= limit && fabs(a.z) <= limit; }

static inline double length(vector a) {
  const double squared = dot(a, a);
  if (without_loss(squared)) return sqrt(squared);
  if (!finite3(a)) return INFINITY;
  const double most = largest(a);
  if (!(most > 0)) return 0;
  const vector scaled = times(a, 1 / most);
  return most * sqrt(dot(scaled, scaled));
}

static inline int normalize(vector *a) {
  const double squared = dot(*a, *a);
  if (without_loss(squared)) {
    const double root = sqrt(squared);
    *a = (vector){a->x / root, a->y / root, a->z / root};
    return 1;
  }
  const double most = largest(*a);
  if (!(most > 0) || !finite3(*a)) return 0;
  const vector scaled = times(*a, 1 / most);
  *a = times(scaled, 1 / sqrt(dot(scaled, scaled)));
  return 1;
}

static inline quaternion product(quaternion a, quaternion b) {
  return (quaternion){
    a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline double norm2(quaternion q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }
static inline quaternion scaled(quaternion q, double f) { return (quaternion){q.w * f, q.x * f, q.y * f, q.z * f}; }
// One Newton step normalises the product.
static inline quaternion after(quaternion a, quaternion b) {
  const quaternion q = product(a, b);
  return scaled(q, 1.5 - 0.5 * norm2(q));
}
static inline quaternion unit(quaternion q) {
  const double root = sqrt(norm2(q));
  return (quaternion){q.w / root, q.x / root, q.y / root, q.z / root};
}
static inline quaternion inverse(quaternion q) { return (quaternion){q.w, -q.x, -q.y, -q.z}; }

static vector act_far(quaternion q, vector v);
static inline vector act(quaternion q, vector v) {
  if (!finite3(v)) return v;
  const vector u = {q.x, q.y, q.z}, t = times(cross(u, v), 2);
  const vector turned = add(add(v, times(t, q.w)), cross(u, t));
  return finite3(turned) ? turned : act_far(q, v);
}
static double grown(double c) { return 8 * fmin(fmax(c, -DBL_MAX / 8), DBL_MAX / 8); }
static vector act_far(quaternion q, vector v) {
  const vector small = act(q, times(v, 0.125));
  return (vector){grown(small.x), grown(small.y), grown(small.z)};
}

// The coefficients of a second-order Butterworth low-pass filter for a constant step.
typedef struct { double step, dd, sd, ds, ss; } weights;
static weights weigh(double step, double tau) {
  const double turn = step / tau, decay = exp(-turn), cosine = cos(turn), sine = sin(turn);
  return (weights){step, (cosine + sine) * decay, sine * tau * decay, -2 * sine / tau * decay, (cosine - sine) * decay};
}

// Defines this low-pass filter for a type of `count` doubles.
#define LOW_PASS(name, count)                                                                       \
  typedef struct { double tau, elapsed, age; int mean, begun; weights w; double output[count], slope[count], last[count]; } name; \
  static inline void name##_run(name *f, const double *x, double interval, double *out) {           \
    double check = 0;                                                                               \
    for (int i = 0; i < count; i++) check += x[i] * 0;                                              \
    if (interval > 0) f->elapsed += interval;                                                       \
    if (check != 0) {                                                                               \
      for (int i = 0; i < count; i++) out[i] = f->begun ? f->output[i] : 0;                         \
      return;                                                                                       \
    }                                                                                               \
    if (!f->begun) {                                                                                \
      for (int i = 0; i < count; i++) out[i] = f->output[i] = f->last[i] = x[i];                    \
      f->begun = 1;                                                                                 \
      f->elapsed = 0;                                                                               \
      return;                                                                                       \
    }                                                                                               \
    const double step = fmin(f->elapsed, DBL_MAX);                                                  \
    double next[count], slope[count];                                                               \
    if (f->mean && f->age + step < f->tau) {                                                        \
      const double share = step / (f->age + 2 * step);                                              \
      for (int i = 0; i < count; i++) {                                                             \
        next[i] = f->output[i] * (1 - share) + x[i] * share;                                        \
        check += next[i] * 0;                                                                       \
      }                                                                                             \
      const int taken = step > 0 && check == 0;                                                     \
      for (int i = 0; i < count; i++) {                                                             \
        out[i] = taken ? next[i] : f->output[i];                                                    \
        if (taken) f->output[i] = next[i], f->last[i] = x[i];                                       \
      }                                                                                             \
      if (taken) f->elapsed = 0, f->age += step;                                                    \
      return;                                                                                       \
    }                                                                                               \
    if (!(step / f->tau < 700)) {                                                                   \
      for (int i = 0; i < count; i++) {                                                             \
        out[i] = f->output[i] = f->last[i] * 0.5 + x[i] * 0.5;                                      \
        f->slope[i] = 0;                                                                            \
        f->last[i] = x[i];                                                                          \
      }                                                                                             \
      f->elapsed = 0, f->age = f->tau;                                                              \
      return;                                                                                       \
    }                                                                                               \
    if (!(fabs(step - f->w.step) <= 1e-8 * f->w.step)) f->w = weigh(step, f->tau);                  \
    for (int i = 0; i < count; i++) {                                                               \
      const double held = f->last[i] * 0.5 + x[i] * 0.5, distance = f->output[i] - held;            \
      next[i] = held + distance * f->w.dd + f->slope[i] * f->w.sd;                                  \
      slope[i] = f->slope[i] * f->w.ss + distance * f->w.ds;                                        \
      check += (next[i] + slope[i]) * 0;                                                            \
    }                                                                                               \
    const int taken = check == 0;                                                                   \
    for (int i = 0; i < count; i++) {                                                               \
      out[i] = taken ? next[i] : f->output[i];                                                      \
      if (taken) f->output[i] = next[i], f->slope[i] = slope[i], f->last[i] = x[i];                 \
    }                                                                                               \
    if (taken) f->elapsed = 0, f->age = f->tau;                                                     \
  }                                                                                                 \
  static inline void name##_reset(name *f) { *f = (name){.tau = f->tau, .mean = f->mean, .w = weigh(0, 1)}; }

LOW_PASS(low3, 3)
LOW_PASS(low16, 16)

static inline vector run3(low3 *f, vector x, double interval) {
  const double in[3] = {x.x, x.y, x.z};
  double out[3];
  low3_run(f, in, interval, out);
  return (vector){out[0], out[1], out[2]};
}

static inline double sum(lanes a) {
  double s = 0;
  for (int i = 0; i < 16; i++) s += a[i];
  return s;
}

// Filters a mean over the time since the previous mean.
static lanes average(low16 *f, lanes row, double seconds) {
  double in[16], out[16];
  memcpy(in, &row, sizeof in);
  if (f->begun && isfinite(sum(row))) memcpy(f->last, in, sizeof in);
  low16_run(f, in, seconds, out);
  lanes result;
  memcpy(&result, out, sizeof out);
  return result;
}

typedef struct {
  double seconds, rows[3][16], tilt[2], neglected, noise;
  vector reading;
  int at_rest, blind;
} block;

struct baseline_estimator {
  int has_time, has_motion;
  double time, motion[13];
  quaternion correction;
  low3 up;
  // Integrator.
  quaternion attitude;
  int begun, count;
  vector last, first, second, third;
  double steps[3], squares[3], neglected_step, noise_step;
  // Rest.
  low3 mean_rate, mean_force;
  double calm;
  // Drift.
  vector bias, sensitivity[3];
  lanes covariance[places];
  block b;
  low16 smooth_x, smooth_y;
  double measured[2], estimated[2], tilt_variance, neglected, noise;
  lanes unseen_x, unseen_y;
  int has_calm_rate, lost;
  vector calm_rate;
  double settled, off_time;
};

static block empty(void) { return (block){.at_rest = 1, .blind = 1}; }

baseline_estimator *baseline_estimator_new(void) {
  baseline_estimator *e = aligned_alloc(128, (sizeof(baseline_estimator) + 127) / 128 * 128);
  memset(e, 0, sizeof *e);
  e->correction = e->attitude = (quaternion){1, 0, 0, 0};
  e->up.tau = e->smooth_x.tau = e->smooth_y.tau = acceleration_time;
  e->up.mean = e->smooth_x.mean = e->smooth_y.mean = 1;
  e->mean_rate.tau = e->mean_force.tau = 0.5;
  low3_reset(&e->up);
  low3_reset(&e->mean_rate);
  low3_reset(&e->mean_force);
  low16_reset(&e->smooth_x);
  low16_reset(&e->smooth_y);
  for (int axis = 0; axis < 3; axis++) {
    for (int i = 0; i < 3; i++) e->covariance[4 * axis + i][4 * axis + i] = 0.01 * 0.01;
    e->covariance[4 * axis + 3][4 * axis + 3] = 0.5 * degree * (0.5 * degree);
  }
  e->tilt_variance = NAN;
  e->b = empty();
  return e;
}

void baseline_estimator_free(baseline_estimator *estimator) { free(estimator); }

static inline vector corrected(const baseline_estimator *e, vector reading) {
  const vector r = subtract(reading, e->bias);
  return subtract(r, (vector){dot(e->sensitivity[0], r), dot(e->sensitivity[1], r), dot(e->sensitivity[2], r)});
}

static void forget_tilt(baseline_estimator *e) {
  e->measured[0] = e->measured[1] = e->estimated[0] = e->estimated[1] = 0;
  for (int place = tilt_x; place <= tilt_y; place++) {
    for (int row = 0; row < places; row++) e->covariance[row][place] = 0;
    e->covariance[place] = (lanes){0};
    e->covariance[place][place] = 0.7 * degree * (0.7 * degree);
  }
}

static int rests(baseline_estimator *e, vector rate, vector force, double interval) {
  const vector center = run3(&e->mean_rate, rate, interval), center_force = run3(&e->mean_force, force, interval);
  const int calm = length(subtract(rate, center)) < 2 * degree
    && length(subtract(force, center_force)) < 0.5 / 9.81 && largest(center) < 2 * degree;
  e->calm = calm ? e->calm + interval : 0;
  return e->calm > 0 && e->calm >= 1.5;
}

static inline vector bending(baseline_estimator *e, vector rate, double h) {
  const double open = h, p = h + e->steps[0], q = p + e->steps[1];
  const vector zero = {0, 0, 0}, first = times(subtract(rate, e->last), 1 / h);
  const vector second = e->count > 0 ? times(subtract(first, e->first), 1 / p) : zero;
  const vector third = e->count > 1 ? times(subtract(second, e->second), 1 / q) : zero;
  const vector fourth = e->count > 2 ? times(subtract(third, e->third), 1 / (q + e->steps[2])) : zero;
  vector excess = add(times(first, open / 2), times(second, open * h / 6));
  if (e->count == 1) {
    const double missed = e->steps[0];
    excess = add(excess, times(second, missed * missed * missed * open / (6 * h * h)));
  }
  const double d[3] = {2 * h * h * length(second), 6 * h * h * h * length(third), 24 * h * h * h * h * length(fourth)};
  const int is_outlier = d[0] * d[0] > 100 * e->squares[0];
  const double share = fmin(h, 1);
  for (int i = 0; i < 3; i++) e->squares[i] += (d[i] * d[i] - e->squares[i]) * share;
  e->neglected_step = d[1] / 24 * open;
  if (e->squares[1] < e->squares[0]) {
    excess = add(excess, times(third, h * h * (2 * p - h) / 12));
    if (e->squares[2] < e->squares[1]) {
      const double part = h * h / 5 - (h + p + q) * h / 4 + (h * p + h * q + p * q) / 3 - p * q / 2;
      excess = subtract(excess, times(fourth, h * h * part));
      e->neglected_step = d[2] * 19 / 720 * open;
    }
  }
  e->noise_step = fmax(e->squares[2] - e->squares[1], 0) / (3 * (70 - 20)) * open * open;
  if (is_outlier) e->neglected_step = fmax(e->neglected_step, d[0] / sqrt(6) * open);
  e->steps[2] = e->steps[1], e->steps[1] = e->steps[0], e->steps[0] = h;
  e->first = first, e->second = second, e->third = third, e->count++;
  return excess;
}

static void integrate(baseline_estimator *e, vector rate, double interval) {
  if (!finite3(rate)) return;
  if (!e->begun) {
    e->last = rate;
    e->begun = 1;
    return;
  }
  if (!(interval > 0) || !isfinite(interval)) return;
  const vector start = e->last;
  const vector coning = times(cross(start, rate), interval / 12);
  const vector mean = subtract(add(rate, coning), bending(e, rate, interval));
  e->last = rate;
  const vector turn = times(mean, interval);
  const double angle = length(turn);
  if (!isfinite(angle)) return;
  const double factor = angle < 1e-8 ? 0.5 : sin(angle / 2) / angle;
  const quaternion q = {cos(angle / 2), turn.x * factor, turn.y * factor, turn.z * factor};
  e->attitude = after(e->attitude, unit(q));
}

// Returns whether the force has a direction; writes the up axis before the correction to `tilt`.
static int level(baseline_estimator *e, vector force, double interval, vector *up) {
  if (!(dot(force, force) >= 0.1 * 0.1)) return 0;
  vector tilt = act(e->correction, run3(&e->up, force, interval));
  if (!normalize(&tilt)) return 0;
  const double root = sqrt(2 + 2 * tilt.z);
  if (tilt.z > 0) {
    e->correction = after((quaternion){(1 + tilt.z) / root, tilt.y / root, -tilt.x / root, 0}, e->correction);
  } else {
    vector axis = {tilt.y, -tilt.x, 0};
    if (!normalize(&axis)) axis = (vector){1, 0, 0};
    const quaternion near = {1 - tilt.z, -tilt.y, tilt.x, 0};
    e->correction = after(unit(product((quaternion){0, axis.x, axis.y, axis.z}, near)), e->correction);
  }
  *up = tilt;
  return 1;
}

static inline void correct(baseline_estimator *e, int place, double error, double variance, lanes *change) {
  const lanes spread = e->covariance[place];
  const double total = spread[place] + variance;
  if (!(total > 0) || !isfinite(total) || !isfinite(error)) return;
  const lanes gain = spread * (1 / total);
  *change += gain * (error - (*change)[place]);
  for (int row = 0; row < places; row++) e->covariance[row] -= spread * gain[row];
}

static void advance_errors(baseline_estimator *e, lanes x, lanes y, lanes z, double seconds) {
  lanes *m = e->covariance;
  lanes h = m[heading], tx = m[tilt_x], ty = m[tilt_y];
  for (int cause = 0; cause < 12; cause++) {
    const lanes row = m[cause];
    h += row * z[cause];
    tx += row * x[cause];
    ty += row * y[cause];
  }
  for (int cause = 0; cause < 12; cause++) {
    m[cause][heading] = h[cause];
    m[cause][tilt_x] = tx[cause];
    m[cause][tilt_y] = ty[cause];
  }
  lanes *rows[3] = {&h, &tx, &ty};
  for (int i = 0; i < 3; i++) {
    lanes row = *rows[i];
    row[heading] += sum(row * z);
    row[tilt_x] += sum(row * x);
    row[tilt_y] += sum(row * y);
    m[heading + i] = row;
  }
  const double walk = (0.03 * degree * (0.03 * degree) + e->noise) * seconds;
  m[heading][heading] += walk + e->b.neglected / 4;
  m[tilt_x][tilt_x] += walk + e->b.neglected;
  m[tilt_y][tilt_y] += walk + e->b.neglected;
  const double drift = 0.1 * degree, growth = drift * drift * seconds / 100, limit = 0.5 * degree * (0.5 * degree);
  for (int place = 3; place < 12; place += 4)
    m[place][place] = fmax(m[place][place], fmin(m[place][place] + growth, limit));
}

static double clipped(double value, double limit) { return fmin(fmax(value, -limit), limit); }

static void measure_tilt(baseline_estimator *e, double seconds, lanes *change) {
  const double rx = e->measured[0] - e->estimated[0], ry = e->measured[1] - e->estimated[1];
  const double spread = (e->covariance[tilt_x][tilt_x] + e->covariance[tilt_y][tilt_y]) / 2;
  const double bounded = 0.7 * degree * (0.7 * degree), assumed = bounded + e->neglected;
  const double variance = bounded + e->neglected * fmax(2 * acceleration_time / seconds, 1), limit = 3 * sqrt(spread + assumed);
  correct(e, tilt_x, clipped(rx, limit), variance, change);
  correct(e, tilt_y, clipped(ry, limit), variance, change);
  const double least = 0.02 * degree, seen = fmax((rx * rx + ry * ry) / 2, least * least);
  if (!isfinite(seen)) return;
  const double memory = 10 * acceleration_time, excess = (seen - spread - assumed) / memory * fmin(seconds / memory, 1);
  e->noise = fmin(fmax(e->noise + excess, 0), fmax(e->noise, e->b.noise / seconds));
  e->tilt_variance += (fmin(seen + spread * bounded / assumed, 0.1) - e->tilt_variance) * fmin(seconds / 10, 1);
}

static void measure_rest(baseline_estimator *e, double seconds, lanes *change) {
  if (!e->b.at_rest) {
    e->has_calm_rate = 0;
    return;
  }
  if (e->has_calm_rate) {
    const vector error = subtract(e->calm_rate, e->bias);
    const double drift = 0.1 * degree, steady = 0.03 * degree * (0.03 * degree);
    const double variance = steady * steady / (drift * drift * seconds / 100) + steady;
    correct(e, 3, error.x, variance, change);
    correct(e, 7, error.y, variance, change);
    correct(e, 11, error.z, variance, change);
  }
  e->calm_rate = times(e->b.reading, 1 / seconds);
  e->has_calm_rate = 1;
}

static void lose_heading(baseline_estimator *e) {
  const double error = M_PI / sqrt(3) / 0.87;
  e->covariance[heading][heading] = fmax(e->covariance[heading][heading], error * error);
}

static void settle(baseline_estimator *e, double seconds) {
  const double corrected = sqrt(e->b.tilt[0] * e->b.tilt[0] + e->b.tilt[1] * e->b.tilt[1]);
  e->off_time = corrected > 2 * degree ? e->off_time + seconds : 0;
  if (e->off_time > hold) {
    lose_heading(e);
    for (int place = 3; place < 12; place += 4)
      e->covariance[place][place] = fmax(e->covariance[place][place], 2 * degree * (2 * degree));
  } else {
    e->lost = e->lost || (e->off_time > 0 && e->settled >= hold);
    if (e->lost) {
      const double before = sqrt(fmax(e->covariance[heading][heading], 0)), error = before + corrected * (4.303 / 1.960) / sqrt(2);
      if (isfinite(error * error)) e->covariance[heading][heading] = error * error;
    }
  }
  e->settled = e->b.blind || (e->off_time > 0 && e->off_time <= hold) ? 0 : e->settled + seconds;
  if (e->settled >= hold) {
    e->lost = 0;
  } else if (!e->b.blind || !isnan(e->tilt_variance)) {
    if (isnan(e->tilt_variance)) e->tilt_variance = 0.7 * degree * (0.7 * degree);
    const double left = corrected * acceleration_time / seconds;
    e->tilt_variance = fmax(e->tilt_variance, fmin(left * left / 2, 0.1));
  }
}

static double finish_block(baseline_estimator *e) {
  const double seconds = e->b.seconds, share = 1 / seconds;
  lanes known = {0};
  for (int i = 0; i < 3; i++) {
    known[4 * i] = e->sensitivity[i].x;
    known[4 * i + 1] = e->sensitivity[i].y;
    known[4 * i + 2] = e->sensitivity[i].z;
  }
  known[3] = e->bias.x, known[7] = e->bias.y, known[11] = e->bias.z;
  lanes block_x, block_y, block_z;
  memcpy(&block_x, e->b.rows[0], sizeof block_x);
  memcpy(&block_y, e->b.rows[1], sizeof block_y);
  memcpy(&block_z, e->b.rows[2], sizeof block_z);
  lanes x = {0}, y = {0};
  if (!e->b.blind) {
    lanes row_x = block_x * share, row_y = block_y * share;
    row_x[heading] = sum(row_x * known);
    row_y[heading] = sum(row_y * known);
    x = average(&e->smooth_x, row_x, seconds) * seconds, y = average(&e->smooth_y, row_y, seconds) * seconds;
    const double removed_x = x[heading], removed_y = y[heading];
    x[heading] = y[heading] = 0;
    e->measured[0] += e->b.tilt[0] + removed_x - sum(x * known);
    e->measured[1] += e->b.tilt[1] + removed_y - sum(y * known);
  }
  const double shown = e->b.noise / seconds;
  if (shown < e->noise) e->noise += (shown - e->noise) * fmin(seconds / 10, 1);
  else if (e->settled < hold) e->noise = shown;
  advance_errors(e, x, y, block_z, seconds);
  settle(e, seconds);
  lanes change = {0};
  if (e->settled >= hold && !e->b.at_rest) measure_tilt(e, seconds, &change);
  else forget_tilt(e);
  measure_rest(e, seconds, &change);
  e->neglected = (e->neglected + e->b.neglected) / (1 + seconds / acceleration_time);
  const double fading = e->b.blind ? 1 : 1 - fmin(seconds / (10 * acceleration_time), 1);
  const double kept = e->b.at_rest ? 0 : fading;
  e->unseen_x = (e->unseen_x + block_x - x) * kept;
  e->unseen_y = (e->unseen_y + block_y - y) * kept;
  e->b = empty();
  if (!isfinite(sum(change))) return 0;
  for (int i = 0; i < 3; i++) {
    e->sensitivity[i].x = clipped(e->sensitivity[i].x + change[4 * i], 0.1);
    e->sensitivity[i].y = clipped(e->sensitivity[i].y + change[4 * i + 1], 0.1);
    e->sensitivity[i].z = clipped(e->sensitivity[i].z + change[4 * i + 2], 0.1);
  }
  e->bias.x = clipped(e->bias.x + change[3], 20 * degree);
  e->bias.y = clipped(e->bias.y + change[7], 20 * degree);
  e->bias.z = clipped(e->bias.z + change[11], 20 * degree);
  if (largest(e->bias) > 2 * degree) lose_heading(e);
  e->estimated[0] += change[tilt_x];
  e->estimated[1] += change[tilt_y];
  return -change[heading];
}

// Adds a step to the block; returns the rotation about the vertical that corrects the heading.
static double observe(baseline_estimator *e, quaternion q, vector reading, vector rate, const vector *tilt, int at_rest, double h) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, yz = q.y * q.z, zx = q.z * q.x;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  const double axes[3][3] = {
    {1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (zx + wy)}, {2 * (xy + wz), 1 - 2 * (zz + xx), 2 * (yz - wx)},
    {2 * (zx - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
  const double causes[4] = {rate.x * h, rate.y * h, rate.z * h, h};
  block *b = &e->b;
  b->seconds += h;
  for (int row = 0; row < 3; row++)
    for (int axis = 0; axis < 3; axis++)
      for (int i = 0; i < 4; i++) b->rows[row][4 * axis + i] += causes[i] * axes[row][axis];
  if (tilt) b->tilt[0] -= tilt->y, b->tilt[1] += tilt->x, b->blind = 0;
  b->reading = add(b->reading, times(reading, h));
  b->neglected += e->neglected_step * e->neglected_step;
  b->noise += e->noise_step;
  b->at_rest = b->at_rest && at_rest;
  return b->seconds >= block_duration - 1e-9 ? finish_block(e) : 0;
}

static void interrupt(baseline_estimator *e) {
  e->begun = e->count = 0;
  e->neglected_step = e->noise_step = 0;
  memset(e->steps, 0, sizeof e->steps);
  memset(e->squares, 0, sizeof e->squares);
  low3_reset(&e->up);
  low3_reset(&e->mean_rate);
  low3_reset(&e->mean_force);
  e->calm = 0;
  e->b = empty();
  low16_reset(&e->smooth_x);
  low16_reset(&e->smooth_y);
  e->has_calm_rate = 0;
  forget_tilt(e);
  e->unseen_x = e->unseen_y = (lanes){0};
  e->neglected = e->settled = e->off_time = 0;
  e->lost = 0;
  const double error = M_PI / sqrt(3) / 0.87;
  for (int place = 0; place < places; place++) e->covariance[place][heading] = 0;
  e->covariance[heading] = (lanes){0};
  e->covariance[heading][heading] = error * error;
  e->tilt_variance = NAN;
}

int baseline_estimator_update(baseline_estimator *e, double time, const double *rate_in, const double *force_in, double *motion) {
  const vector reading = {rate_in[0], rate_in[1], rate_in[2]}, force = {force_in[0], force_in[1], force_in[2]};
  const double interval = time - e->time;
  const int plausible = within(reading, 4000 * degree) && within(force, 32) && fabs(time) < 1e12;
  const int starts = !e->has_time || fabs(interval) > 1;
  if (!plausible || (!starts && !(interval > 0))) {
    memcpy(motion, e->motion, sizeof e->motion);
    return e->has_motion;
  }
  if (starts) {
    if (e->has_time) interrupt(e);
    rests(e, reading, force, 0);
    integrate(e, corrected(e, reading), 0);
    vector tilt;
    level(e, act(e->attitude, force), 0, &tilt);
  } else {
    const int at_rest = rests(e, reading, force, interval);
    const vector rate = corrected(e, reading);
    integrate(e, rate, interval);
    vector tilt;
    const int seen = level(e, act(e->attitude, force), interval, &tilt);
    const double turn = observe(e, after(e->correction, e->attitude), reading, rate, seen ? &tilt : 0, at_rest, interval);
    if (turn != 0) e->correction = after(unit((quaternion){cos(turn / 2), 0, 0, sin(turn / 2)}), e->correction);
  }
  e->time = time;
  e->has_time = 1;
  vector up = {e->up.output[0], e->up.output[1], e->up.output[2]};
  if (e->has_motion || (e->up.begun && normalize(&up))) {
    const quaternion q = after(e->correction, e->attitude);
    const vector rate = corrected(e, reading), own = add(force, act(inverse(q), (vector){0, 0, -1}));
    const double result[13] = {q.w, q.x, q.y, q.z, rate.x, rate.y, rate.z, e->bias.x, e->bias.y, e->bias.z, own.x, own.y, own.z};
    memcpy(e->motion, result, sizeof result);
    e->has_motion = 1;
  }
  memcpy(motion, e->motion, sizeof e->motion);
  return e->has_motion;
}
