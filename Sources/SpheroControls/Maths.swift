// The few functions of libc this module uses, in degrees, and the clamping every control shares.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

private let degreesPerRadian = 180 / Double.pi

/// Returns the length of the vector (x, y).
func length(_ x: Double, _ y: Double) -> Double { hypot(x, y) }

/// Returns the cube root of a number.
func cubeRoot(_ value: Double) -> Double { cbrt(value) }

/// Returns the sine of an angle in degrees.
func sine(degrees: Double) -> Double { sin(degrees / degreesPerRadian) }

/// Returns the cosine of an angle in degrees.
func cosine(degrees: Double) -> Double { cos(degrees / degreesPerRadian) }

/// Returns the angle in degrees, -90...90, whose sine is given; a sine beyond ±1 counts as ±1.
func degrees(sine: Double) -> Double { asin(max(-1, min(1, sine))) * degreesPerRadian }

/// Returns the angle in degrees, -180...180, from the adjacent side towards the opposite side.
func degrees(opposite: Double, adjacent: Double) -> Double {
  atan2(opposite, adjacent) * degreesPerRadian
}

/// Returns an angle folded into 0..<360 degrees.
///
/// The remainder is exact. A negative angle too small to be told from a full turn
/// (360 - 1e-15 is 360 in binary64) folds to 0.
func fold(degrees: Double) -> Double {
  let remainder = degrees.truncatingRemainder(dividingBy: 360)
  let positive = remainder < 0 ? remainder + 360 : remainder
  return positive >= 360 ? 0 : positive
}

extension Double {
  /// This number held to 0...1; not a number counts as 0.
  var clampedToUnit: Double { self > 0 ? Swift.min(self, 1) : 0 }

  /// This number held to -1...1; not a number counts as 0.
  var clampedToSignedUnit: Double { self < 0 ? -(-self).clampedToUnit : clampedToUnit }

  /// This part of one as a byte: 0...1 becomes 0...255, rounded half up.
  var byte: UInt8 { UInt8((255 * clampedToUnit).rounded(.toNearestOrAwayFromZero)) }
}
