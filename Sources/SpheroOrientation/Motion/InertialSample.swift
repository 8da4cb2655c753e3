// A reading of gyroscope, accelerometer and optionally magnetometer.

/// One reading of gyroscope and accelerometer, and of a magnetometer if there is one.
public struct InertialSample: Hashable, Sendable {
  /// Seconds since an arbitrary epoch.
  public var timestamp: Double
  /// The rotation rate in rad/s, right-handed about the body axes, as read from the gyroscope.
  public var rotationRate: Vector3
  /// The specific force in g in body coordinates, as read from the accelerometer.
  ///
  /// At rest +1 on the axis that points up, as on Sphero, Bose Wearable and Android; Core Motion has the opposite sign.
  public var acceleration: Vector3
  /// The magnetic field in body coordinates, in any unit, calibrated for soft iron;
  /// nil if there is no magnetometer, as on a Sphero, or no new reading of it.
  public var magneticField: Vector3?

  public init(
    timestamp: Double, rotationRate: Vector3, acceleration: Vector3, magneticField: Vector3? = nil
  ) {
    self.timestamp = timestamp
    self.rotationRate = rotationRate
    self.acceleration = acceleration
    self.magneticField = magneticField
  }

  /// Creates a reading with the rate in degrees per second, as Sphero streams it, and the specific force in g.
  public init(timestamp: Double, degreesPerSecond rate: Vector3, acceleration: Vector3) {
    self.init(timestamp: timestamp, rotationRate: rate * (.pi / 180), acceleration: acceleration)
  }

  /// The largest component of a plausible rate, in rad/s: 4000 degrees per second,
  /// the widest range of gyroscopes in consumer devices (ST LSM6DSV and TDK ICM-20649, data sheets).
  public static let largestRate = 4000 * Double.pi / 180
  /// The largest component of a plausible specific force, in g:
  /// the widest range of accelerometers in those devices (ST LSM6DSV32X, data sheet).
  public static let largestAcceleration = 32.0

  /// Whether each component is within ``largestRate`` and ``largestAcceleration``, and the time within 1e12 seconds.
  ///
  /// An estimator treats any other reading as lost.
  public var isPlausible: Bool {
    rotationRate.isBounded(by: Self.largestRate) && acceleration.isBounded(by: Self.largestAcceleration)
      && abs(timestamp) < 1e12
  }

  /// The minimum specific force in g that shows a direction; less means free fall or a silent sensor.
  static let minimumGravity = 0.1

  /// The longest interval between two readings, in seconds, that is bridged; a longer one is a gap.
  public static let longestStep = 1.0

  enum Succession {
    /// It is the first, or the first after a gap or a backward jump of the clock.
    case start
    /// It is this many seconds later.
    case step(Double)
    /// It is a repetition or out of order.
    case stale
  }

  /// Classifies the reading after one at the time `last`; nil if there was none.
  func succession(after last: Double?) -> Succession {
    guard let last else { return .start }
    let interval = timestamp - last
    if abs(interval) > Self.longestStep { return .start }
    return interval > 0 ? .step(interval) : .stale
  }
}

extension Vector3 {
  fileprivate func isBounded(by limit: Double) -> Bool {
    abs(x) <= limit && abs(y) <= limit && abs(z) <= limit
  }
}

#if !hasFeature(Embedded)
  extension InertialSample: Codable {}
#endif
