// Tells the earth's magnetic field from a disturbed one.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Compares readings of a magnetometer with the field that was there before, and takes the heading from those like it.
///
/// A field counts as undisturbed while its strength is within 10 % and its dip within 10 degrees of the reference,
/// as in VQF (Laidig and Seel, Information Fusion 91, 2023). The first reading is the reference;
/// another field becomes it after 20 seconds in which it was steady.
struct MagneticReference: Sendable {
  private static let strengthTolerance = 0.1
  private static let dipTolerance = 10 * Double.pi / 180
  private static let steadyTime = 20.0
  /// The time in seconds over which the strength is averaged.
  private static let ironMemory = 100.0

  /// Strength and dip of a field, in any unit and in rad.
  private struct Field: Sendable {
    var strength: Double
    var dip: Double

    func isLike(_ other: Field) -> Bool {
      abs(strength - other.strength) <= MagneticReference.strengthTolerance * other.strength
        && abs(dip - other.dip) <= MagneticReference.dipTolerance
    }

    /// Follows another field within about the steady time.
    mutating func approach(_ other: Field, after interval: Double) {
      let share = min(interval / MagneticReference.steadyTime, 1)
      strength += (other.strength - strength) * share
      dip += (other.dip - dip) * share
    }
  }

  private var reference: Field?
  private var candidate: Field?
  private var candidateTime = 0.0
  /// The mean strength of all readings and its variance, and for how long they were averaged, in seconds.
  private var strength = (mean: 0.0, variance: 0.0, seconds: 0.0)
  /// The square of what iron in the body does to a heading, in rad.
  ///
  /// The field of iron that turns with the body is as strong along the earth's field, where it changes the strength,
  /// as across it, where it turns the horizontal part, on average over all directions.
  private(set) var ironVariance = 0.0

  /// The angle in rad by which an attitude is turned too far about the vertical, if the field is the earth's;
  /// nil if it is disturbed, vertical or no field at all.
  ///
  /// The reference frame has y towards magnetic north.
  mutating func headingError(of attitude: Rotation, field: Vector3, after interval: Double) -> Double? {
    guard let direction = attitude.act(on: field).normalized else { return nil }
    let horizontal = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    let seen = Field(strength: field.length, dip: atan2(-direction.z, horizontal))
    guard horizontal > 0.05, seen.strength.isFinite else { return nil }
    note(seen.strength, horizontal: horizontal, after: interval)
    var current = reference ?? seen
    if seen.isLike(current) {
      current.approach(seen, after: interval)
      (reference, candidate, candidateTime) = (current, nil, 0)
      return atan2(-direction.x, direction.y)
    }
    guard var other = candidate, seen.isLike(other) else {
      (candidate, candidateTime) = (seen, 0)
      return nil
    }
    other.approach(seen, after: interval)
    (candidate, candidateTime) = (other, candidateTime + interval)
    if candidateTime >= Self.steadyTime { (reference, candidate) = (other, nil) }
    return nil
  }

  /// Follows the mean strength and its variance.
  private mutating func note(_ value: Double, horizontal: Double, after interval: Double) {
    strength.seconds = min(strength.seconds + interval, Self.ironMemory)
    let share = strength.seconds > 0 ? min(interval / strength.seconds, 1) : 1
    let change = value - strength.mean
    strength.mean += change * share
    strength.variance = (strength.variance + change * change * share) * (1 - share)
    let across = strength.mean * horizontal
    let variance = strength.variance / (across * across)
    ironVariance = variance.isFinite ? variance : 0
  }
}
