// An angle with its unit named at every door, and the wrapping of angles.

/// An angle, held in radians.
///
/// Any double can be held.
/// What is not finite passes through every property unchanged, and no property makes a NaN of something else.
/// The operators follow IEEE 754.
public struct Angle: Hashable, Sendable, Comparable, AdditiveArithmetic {
  /// The angle in radians.
  public var radians: Double

  /// Makes an angle from radians.
  public init(radians: Double) {
    self.radians = radians
  }

  /// Makes an angle from degrees.
  ///
  /// Multiples of 45 degrees give the nearest double of the exact angle.
  public init(degrees: Double) {
    self.radians = degrees / 180 * .pi
  }

  /// Makes an angle from radians.
  public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }

  /// Makes an angle from degrees.
  public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }

  /// The angle zero.
  public static let zero = Angle(radians: 0)

  /// The angle in degrees; beyond the largest double, the largest double.
  public var degrees: Double {
    let degrees = radians / .pi * 180
    guard degrees.isInfinite, radians.isFinite else { return degrees }
    return radians < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
  }

  /// Whether the angle is neither NaN nor infinite.
  public var isFinite: Bool { radians.isFinite }

  /// The same direction in the range (-pi, pi].
  public var wrapped: Angle {
    // Within a turn and a half the sum with a turn is exact, as the remainder is, which takes as long as an arc tangent.
    if abs(radians) < 3 * .pi {
      return Angle(
        radians: radians > .pi ? radians - 2 * .pi : radians <= -.pi ? radians + 2 * .pi : radians)
    }
    guard isFinite else { return self }
    let remainder = radians.remainder(dividingBy: 2 * .pi)
    return Angle(radians: remainder <= -.pi ? .pi : remainder)
  }

  /// The same direction in the range [0, 2 pi).
  public var wrappedPositive: Angle {
    guard isFinite else { return self }
    let remainder = radians.truncatingRemainder(dividingBy: 2 * .pi)
    let positive = remainder < 0 ? remainder + 2 * .pi : remainder
    // A tiny negative angle rounds up to a whole turn; the sign of a zero is dropped as well.
    return Angle(radians: positive < 2 * .pi && positive > 0 ? positive : 0)
  }

  /// The same direction, a whole number of turns away, that is nearest to `previous`.
  ///
  /// This is how a wrapped stream becomes a continuous one: pass the angle given out last.
  /// An exact half turn goes counter-clockwise.
  /// If either angle is not finite the angle comes back unchanged.
  public func unwrapped(after previous: Angle) -> Angle {
    guard isFinite, previous.isFinite else { return self }
    let step = Angle(radians: wrapped.radians - previous.wrapped.radians).wrapped
    return previous + step
  }

  /// Whether the directions differ by no more than `tolerance`, whole turns ignored.
  public func isApproximatelyEqual(to other: Angle, tolerance: Angle = Angle(radians: 1e-9)) -> Bool {
    abs((self - other).wrapped.radians) <= tolerance.radians
  }

  /// Whether the first angle is smaller, whole turns counted.
  public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }

  /// The sum, not wrapped.
  public static func + (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians + b.radians) }

  /// The difference, not wrapped.
  public static func - (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians - b.radians) }

  /// The opposite angle.
  public static prefix func - (a: Angle) -> Angle { Angle(radians: -a.radians) }

  /// The angle made larger by a factor.
  public static func * (a: Angle, factor: Double) -> Angle { Angle(radians: a.radians * factor) }

  /// The angle made larger by a factor.
  public static func * (factor: Double, a: Angle) -> Angle { a * factor }

  /// The angle made smaller by a divisor.
  public static func / (a: Angle, divisor: Double) -> Angle { Angle(radians: a.radians / divisor) }

  /// How many times the second angle goes into the first.
  public static func / (a: Angle, b: Angle) -> Double { a.radians / b.radians }

  /// Makes the angle larger by a factor.
  public static func *= (a: inout Angle, factor: Double) { a = a * factor }

  /// Makes the angle smaller by a divisor.
  public static func /= (a: inout Angle, divisor: Double) { a = a / divisor }
}

#if !hasFeature(Embedded)
  extension Angle: Codable {}
#endif
