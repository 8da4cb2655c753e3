// The functions of the C library that this module uses, with angles in degrees; clamping.

import SpheroLibc

private let degreesPerRadian = 180 / Double.pi

func length(_ x: Double, _ y: Double) -> Double { hypot(x, y) }

func cubeRoot(_ value: Double) -> Double { cbrt(value) }

func sine(degrees: Double) -> Double { sin(degrees / degreesPerRadian) }

func cosine(degrees: Double) -> Double { cos(degrees / degreesPerRadian) }

/// Returns the arc sine in degrees, -90...90, of a sine that is clamped to -1...1.
func degrees(sine: Double) -> Double { asin(max(-1, min(1, sine))) * degreesPerRadian }

/// Returns the angle in degrees, -180...180, from the adjacent side towards the opposite side.
func degrees(opposite: Double, adjacent: Double) -> Double {
  atan2(opposite, adjacent) * degreesPerRadian
}

/// Returns a number clamped to a range; NaN counts as its lower bound.
func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
  value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
}

extension Double {
  /// This number clamped to 0...1; NaN counts as 0.
  var clampedToUnit: Double { clamped(self, 0...1) }

  /// This number clamped to -1...1; NaN counts as 0.
  var clampedToSignedUnit: Double { self < 0 ? -(-self).clampedToUnit : clampedToUnit }

  /// This fraction as a byte: 0...1 becomes 0...255, rounded half up.
  package var byte: UInt8 { UInt8((255 * clampedToUnit).rounded(.toNearestOrAwayFromZero)) }
}
