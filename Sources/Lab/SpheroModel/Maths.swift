// Conversions and limits of numbers, and random numbers.

import SpheroOrientation

extension Duration {
  /// Creates a duration from seconds, clamped to ±292 years; NaN counts as zero.
  init(seconds: Double) {
    self = .nanoseconds(Int64((seconds * 1e9).rounded().bounded(by: -9.2e18...9.2e18)))
  }
}

extension Rotation {
  /// The rotation by a vector; none if the vector is not finite.
  init(by vector: Vector3) { self = Rotation(rotationVector: vector) ?? .identity }
}

extension Double {
  /// Parses a decimal number whose magnitude is at most `limit`.
  init?(decimal text: String, within limit: Double) {
    guard let number = Double(decimal: text), abs(number) <= limit else { return nil }
    self = number
  }

  /// The number within a range; NaN is 0, or the bound of the range that is nearest to 0.
  func bounded(by range: ClosedRange<Double>) -> Double {
    min(max(isNaN ? 0 : self, range.lowerBound), range.upperBound)
  }
}

extension Vector3 {
  /// The vector with each component within a range; see ``Double/bounded(by:)``.
  func bounded(by range: ClosedRange<Double>) -> Vector3 {
    Vector3(x.bounded(by: range), y.bounded(by: range), z.bounded(by: range))
  }
}

/// Random numbers that depend only on the seed; not for secrets.
/// Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
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
