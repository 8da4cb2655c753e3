// The functions of libm that this module uses, conversions and limits of numbers, and random numbers.

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

/// A small generator of random numbers, the same for the same seed on every computer.
///
/// It is not suitable for secrets.
/// The algorithm is SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators").
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from -amplitude up to, but not including, amplitude.
  package mutating func next(within amplitude: Double) -> Double {
    // A `Double` represents the upper 53 bits exactly.
    amplitude * (Double(next() >> 11) * 0x1p-52 - 1)
  }
}
