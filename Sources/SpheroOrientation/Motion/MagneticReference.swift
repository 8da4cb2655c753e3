// The heading by a magnetometer: hard iron is estimated and removed, disturbed fields are rejected.

import SpheroLibc

/// Computes the error of a heading from the readings of a magnetometer.
///
/// A field counts as undisturbed while its strength is within 10 % and its dip within 10 degrees of the reference,
/// as in VQF (Laidig and Seel, Information Fusion 91, 2023), widened by twice the uncertainty of the hard iron.
/// The first reading is the reference; another field replaces it after 20 seconds in which it was steady.
struct MagneticReference: Sendable {
  private static let strengthTolerance = 0.1
  private static let dipTolerance = 10 * Double.pi / 180
  private static let steadyTime = 20.0

  /// A field that was rejected, and for how many seconds it has been steady.
  private struct Candidate: Sendable {
    var strength: Double
    var dip: Double
    var seconds = 0.0
  }

  private let settings: MotionEstimator.Settings
  private var hardIron: HardIron?
  /// The dip of the undisturbed field in rad; its strength is in ``hardIron``.
  private var dip = 0.0
  private var candidate: Candidate?
  /// The variance of the heading in rad^2 that the uncertainty of the hard iron causes.
  private(set) var hardIronVariance = 0.0

  init(settings: MotionEstimator.Settings) {
    self.settings = settings
  }

  /// Returns the angle in rad by which an attitude is rotated too far about the vertical;
  /// nil if the field is disturbed, vertical, or zero.
  ///
  /// The y axis of the reference frame points to magnetic north.
  mutating func headingError(of attitude: Rotation, field: Vector3, after interval: Double) -> Double? {
    var iron = hardIron ?? HardIron(unit: field.length, error: settings.hardIronError)
    let reading = field * (1 / iron.unit)
    let corrected = reading - iron.field
    // A silent sensor reads zero, from which the hard iron would be subtracted.
    guard reading.isFinite, reading.dot(reading) > 0,
      let direction = attitude.act(on: corrected).normalized
    else { return nil }
    let horizontal = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    guard horizontal > 0.05 else { return nil }
    let strength = corrected.length
    let dip = atan2(-direction.z, horizontal)
    if hardIron == nil { self.dip = dip }
    let excess = iron.excess(of: reading)
    guard abs(excess.value) <= Self.strengthTolerance * strength + 2 * excess.error,
      abs(dip - self.dip) <= Self.dipTolerance + 2 * iron.error
    else {
      recordDisturbance(strength: strength, dip: dip, after: interval)
      return nil
    }
    candidate = nil
    self.dip += (dip - self.dip) * min(interval / Self.steadyTime, 1)
    // An error of the heading in radians is a field error of that fraction of the horizontal field across it; the errors
    // along the field are assumed to be equal, and correlated for the same time.
    let error = settings.magneticError * horizontal * strength
    iron.correct(reading, variance: error * error * max(settings.magneticCorrelationTime / interval, 1))
    hardIron = iron
    // On body axes, the horizontal unit vector across the field: hard iron along it changes the heading.
    let across = attitude.inverse.act(on: Vector3(direction.y, -direction.x, 0) * (1 / horizontal))
    let variance = iron.variance(along: across) / (horizontal * horizontal * strength * strength)
    if variance.isFinite { hardIronVariance = variance }
    return atan2(-direction.x, direction.y)
  }

  /// Discards the reference once a rejected field has been steady for long enough.
  private mutating func recordDisturbance(strength: Double, dip: Double, after interval: Double) {
    guard var steady = candidate, abs(strength - steady.strength) <= Self.strengthTolerance * steady.strength,
      abs(dip - steady.dip) <= Self.dipTolerance
    else {
      candidate = Candidate(strength: strength, dip: dip)
      return
    }
    let share = min(interval / Self.steadyTime, 1)
    steady.strength += (strength - steady.strength) * share
    steady.dip += (dip - steady.dip) * share
    steady.seconds += interval
    candidate = steady
    if steady.seconds >= Self.steadyTime { (hardIron, candidate) = (nil, nil) }
  }
}

/// A Kalman filter for the field of iron that turns with the body (hard iron) and the strength of the earth's field.
///
/// The readings m of a turning body lie on a sphere about the hard iron h: m² = 2 m h + c, where c = F² - h².
/// Fields are in units of the first reading.
private struct HardIron: Sendable {
  let unit: Double
  /// h and c.
  private var state = SIMD4(0.0, 0, 0, 1)
  private var covariance: [SIMD4<Double>]

  /// Creates a filter from the standard deviation of each component of h; c is unknown.
  init(unit: Double, error: Double) {
    self.unit = unit
    let variance = error * error
    covariance = [
      SIMD4(variance, 0, 0, 0), SIMD4(0, variance, 0, 0), SIMD4(0, 0, variance, 0), SIMD4(0, 0, 0, 1),
    ]
  }

  var field: Vector3 { Vector3(state.x, state.y, state.z) }

  /// The standard deviation of a component of the hard iron, averaged over all directions.
  var error: Double { (max(covariance[0].x + covariance[1].y + covariance[2].z, 0) / 3).squareRoot() }

  func variance(along axis: Vector3) -> Double {
    let row = SIMD4(axis.x, axis.y, axis.z, 0)
    return max((spread(of: row) * row).sum(), 0)
  }

  private func spread(of row: SIMD4<Double>) -> SIMD4<Double> {
    covariance[0] * row.x + covariance[1] * row.y + covariance[2] * row.z + covariance[3] * row.w
  }

  private func row(_ reading: Vector3) -> SIMD4<Double> {
    SIMD4(2 * reading.x, 2 * reading.y, 2 * reading.z, 1)
  }

  private func residual(_ reading: Vector3) -> Double {
    reading.dot(reading) - (row(reading) * state).sum()
  }

  /// The excess of a reading's strength over the predicted one, and the standard deviation of the prediction.
  func excess(of reading: Vector3) -> (value: Double, error: Double) {
    let row = row(reading)
    let scale = 1 / (2 * reading.length)
    return (residual(reading) * scale, max((spread(of: row) * row).sum(), 0).squareRoot() * scale)
  }

  mutating func correct(_ reading: Vector3, variance: Double) {
    let row = row(reading)
    let spread = spread(of: row)
    let gain = spread / ((spread * row).sum() + 4 * reading.dot(reading) * variance)
    let change = gain * residual(reading)
    guard change.sum().isFinite else { return }
    state += change
    for index in 0..<4 { covariance[index] -= spread * gain[index] }
  }
}
