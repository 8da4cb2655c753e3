// The functions of libm that this module uses, and conversions of durations.

import SpheroLibc

func sine(_ radians: Double) -> Double { sin(radians) }

func cosine(_ radians: Double) -> Double { cos(radians) }

func arcTangent(_ opposite: Double, over adjacent: Double) -> Double { atan2(opposite, adjacent) }

/// The fraction, 0...1, that remains of a value that decays exponentially; both times are in seconds.
func decay(after time: Double, constant: Double) -> Double { exp(-time / constant) }

/// The fraction, 0...1, that is complete of an exponential approach to a value; both times are in seconds.
func approach(after time: Double, constant: Double) -> Double { -expm1(-time / constant) }

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// Creates a duration from seconds, clamped to ±292 years; NaN counts as zero.
  init(seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    self = .nanoseconds(nanoseconds.isNaN ? 0 : Int64(min(max(nanoseconds, -9.2e18), 9.2e18)))
  }
}

extension Double {
  /// The number within a range; NaN is 0, or the bound of the range that is nearest to 0.
  func bounded(by range: ClosedRange<Double>) -> Double {
    min(max(isNaN ? 0 : self, range.lowerBound), range.upperBound)
  }
}
