// Converts quaternions to Euler angles by half angles in plain C.

#include <float.h>
#include <math.h>

#include "CBaseline.h"

static inline double wrapped(double angle) {
  if (!isfinite(angle)) return angle;
  double rest = remainder(angle, 2 * M_PI);
  return rest <= -M_PI ? M_PI : rest;
}

void baseline_euler(const double *quaternions, size_t count, int first, int second, int third, int intrinsic, double *angles) {
  const int i = intrinsic ? third : first, j = second, k = 3 - i - j;
  const double sign = j == (i + 1) % 3 ? 1 : -1;
  const int tait_bryan = first != third;
  const double locked = 4 * DBL_EPSILON;
  for (size_t n = 0; n < count; n++, quaternions += 4, angles += 3) {
    double a = quaternions[0], b = quaternions[1 + i], c = quaternions[1 + j], d = sign * quaternions[1 + k];
    if (tait_bryan) {
      double a1 = a - c, b1 = b + d, c1 = c + a, d1 = d - b;
      a = a1, b = b1, c = c1, d = d1;
    }
    double half_sum = atan2(b, a), half_difference = atan2(d, c);
    const double sum = hypot(a, b), difference = hypot(c, d);
    if (difference <= locked * sum) half_difference = intrinsic ? half_sum : -half_sum;
    else if (sum <= locked * difference) half_sum = intrinsic ? half_difference : -half_difference;
    const double inner = wrapped(half_sum - half_difference);
    const double middle = 2 * atan2(difference, sum) - (tait_bryan ? M_PI / 2 : 0);
    const double outer = wrapped((half_sum + half_difference) * (tait_bryan ? sign : 1));
    angles[0] = intrinsic ? outer : inner;
    angles[1] = middle;
    angles[2] = intrinsic ? inner : outer;
  }
}
