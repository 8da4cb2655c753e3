// An angle whose initialisers and properties name the unit, and the wrapping of angles.

/// An angle, held in radians.
///
/// Every property returns a value that is not finite unchanged, and no property turns a finite value into NaN.
/// The operators follow IEEE 754 and do not wrap.
public struct Angle: Hashable, Sendable, Comparable, AdditiveArithmetic, CustomStringConvertible {
  /// The size in radians; not limited to a turn.
  public var radians: Double

  public init(radians: Double) {
    self.radians = radians
  }

  /// Multiples of 45 degrees up to 450 degrees are rounded correctly.
  public init(degrees: Double) {
    self.radians = degrees / 180 * .pi
  }

  /// Creates an angle from radians.
  public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }

  /// Creates an angle from degrees.
  public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }

  public static let zero = Angle(radians: 0)

  /// The angle in degrees, clamped to the largest double.
  public var degrees: Double {
    let degrees = radians / .pi * 180
    guard degrees.isInfinite, radians.isFinite else { return degrees }
    return radians < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
  }

  /// Whether the angle is neither infinite nor NaN.
  public var isFinite: Bool { radians.isFinite }

  /// The same direction in the range (-pi, pi].
  public var wrapped: Angle {
    // Up to one and a half turns, adding a turn is as exact as the remainder, which costs as much as an arc tangent.
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
    isFinite ? Angle(radians: radians.wrapped(to: 2 * .pi)) : self
  }

  /// The angle with the same direction that is nearest to `previous`: to unwrap a stream, pass the previous result.
  ///
  /// An exact half turn counts as counter-clockwise. If either angle is not finite, the angle is returned unchanged.
  public func unwrapped(after previous: Angle) -> Angle {
    guard isFinite, previous.isFinite else { return self }
    let step = Angle(radians: wrapped.radians - previous.wrapped.radians).wrapped
    return previous + step
  }

  /// Whether the directions differ by at most `tolerance`, modulo whole turns.
  public func isApproximatelyEqual(to other: Angle, tolerance: Angle = Angle(radians: 1e-9)) -> Bool {
    abs((self - other).wrapped.radians) <= tolerance.radians
  }

  public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }

  public static func + (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians + b.radians) }

  public static func - (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians - b.radians) }

  /// Returns the angle with the other sign.
  public static prefix func - (a: Angle) -> Angle { Angle(radians: -a.radians) }

  /// Returns a multiple of an angle.
  public static func * (a: Angle, factor: Double) -> Angle { Angle(radians: a.radians * factor) }

  /// Returns a multiple of an angle.
  public static func * (factor: Double, a: Angle) -> Angle { a * factor }

  /// Returns a part of an angle.
  public static func / (a: Angle, divisor: Double) -> Angle { Angle(radians: a.radians / divisor) }

  /// Returns the ratio of two angles.
  public static func / (a: Angle, b: Angle) -> Double { a.radians / b.radians }

  /// Multiplies an angle.
  public static func *= (a: inout Angle, factor: Double) { a = a * factor }

  /// Divides an angle.
  public static func /= (a: inout Angle, divisor: Double) { a = a / divisor }

  public var description: String { degrees.numeral + "°" }
}

extension Double {
  /// The remainder in 0..<`turn` of a finite number.
  package func wrapped(to turn: Double) -> Double {
    let remainder = truncatingRemainder(dividingBy: turn)
    let positive = remainder < 0 ? remainder + turn : remainder
    // A tiny negative number rounds up to a whole turn; a negative zero becomes zero.
    return positive < turn && positive > 0 ? positive : 0
  }
}

#if !hasFeature(Embedded)
  extension Angle: Codable {}
#endif
