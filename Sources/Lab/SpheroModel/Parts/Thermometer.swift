// The temperature of the robot: the motors warm it, and the air cools it.

/// The temperature of the robot, for `Sensing.GetTemperature`.
///
/// The documents do not define it. In this model, motors at full power warm the robot by 15 degrees above
/// the air of 24.5 degrees, with a time constant of ten minutes.
struct Thermometer: Hashable, Sendable {
  /// The warming at full power in degrees, and the time constant in seconds.
  private static let (warming, timeConstant) = (15.0, 600.0)
  /// The temperature of the air, and of the robot at the start, in degrees Celsius.
  static let air = 24.5
  /// Degrees Celsius.
  private(set) var degrees = air
  private var updated: Duration

  init(at now: Duration) { updated = now }

  /// Updates the temperature for the time since the last call.
  ///
  /// `work` is the work of the motors in that time, in seconds of both motors at full power.
  mutating func advance(to now: Duration, work: Double) {
    guard now > updated else { return }
    let seconds = (now - updated).seconds
    updated = now
    let end = Self.air + Self.warming * min(work / seconds, 1)
    degrees += (end - degrees) * approach(after: seconds, constant: Self.timeConstant)
  }
}
