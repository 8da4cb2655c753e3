// The functions of libm that this module uses, and conversions and limits of numbers.

import SpheroLibc

func sine(_ radians: Double) -> Double { sin(radians) }

func cosine(_ radians: Double) -> Double { cos(radians) }

func arcTangent(_ opposite: Double, over adjacent: Double) -> Double { atan2(opposite, adjacent) }

/// The fraction, 0...1, that remains of a value that decays exponentially; both times are in seconds.
func decay(after time: Double, constant: Double) -> Double { exp(-time / constant) }

/// The fraction, 0...1, that is complete of an exponential approach to a value; both times are in seconds.
func approach(after time: Double, constant: Double) -> Double { -expm1(-time / constant) }

extension Duration {
  /// Creates a duration from seconds, clamped to ±292 years; NaN counts as zero.
  init(seconds: Double) {
    self = .nanoseconds(Int64((seconds * 1e9).rounded().bounded(by: -9.2e18...9.2e18)))
  }
}

extension Double {
  /// The number within a range; NaN is 0, or the bound of the range that is nearest to 0.
  func bounded(by range: ClosedRange<Double>) -> Double {
    min(max(isNaN ? 0 : self, range.lowerBound), range.upperBound)
  }
}
