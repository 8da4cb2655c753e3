// What gyroscope, accelerometer and perhaps a magnetometer said at one moment.

/// One reading of gyroscope and accelerometer, and of a magnetometer where there is one.
public struct InertialSample: Hashable, Sendable {
  /// The time of the reading in seconds since any fixed moment.
  public var timestamp: Double
  /// The rotation rate in rad/s, right-handed about the body axes, as the gyroscope gave it.
  public var rotationRate: Vector3
  /// The specific force in g in body coordinates, as the accelerometer gave it.
  ///
  /// At rest +1 on the axis that points up, as on Sphero, Bose Wearable and Android.
  /// Core Motion gives the opposite sign.
  public var acceleration: Vector3
  /// The magnetic field in body coordinates, in any unit, calibrated for hard and soft iron;
  /// nil, as on a Sphero, where nobody measured it with this reading.
  public var magneticField: Vector3?

  /// Makes a reading with the rate in rad/s, the specific force in g, and the magnetic field in any unit.
  public init(
    timestamp: Double, rotationRate: Vector3, acceleration: Vector3, magneticField: Vector3? = nil
  ) {
    self.timestamp = timestamp
    self.rotationRate = rotationRate
    self.acceleration = acceleration
    self.magneticField = magneticField
  }

  /// Makes a reading with the rate in degrees per second, as Sphero streams it, and the specific force in g.
  public init(timestamp: Double, degreesPerSecond rate: Vector3, acceleration: Vector3) {
    self.init(timestamp: timestamp, rotationRate: rate * (.pi / 180), acceleration: acceleration)
  }

  /// The largest component of a rate that a gyroscope can read, in rad/s: 4000 degrees per second,
  /// the widest range of the gyroscopes in consumer devices (ST LSM6DSV and TDK ICM-20649, data sheets).
  public static let largestRate = 4000 * Double.pi / 180
  /// The largest component of a specific force that an accelerometer can read, in g:
  /// the widest range of the accelerometers in those devices (ST LSM6DSV32X, data sheet).
  public static let largestAcceleration = 32.0

  /// Whether both sensors gave something that they can read, at a time within 1e12 seconds:
  /// each component within ``largestRate`` and ``largestAcceleration``.
  ///
  /// An estimator treats any other reading as lost.
  public var isPlausible: Bool {
    rotationRate.isWithin(Self.largestRate) && acceleration.isWithin(Self.largestAcceleration)
      && abs(timestamp) < 1e12
  }

  /// The least specific force in g that shows a direction: a body that reads less falls, or its sensor is silent.
  static let leastGravity = 0.1

  /// The longest time between two readings, in seconds, that is bridged; a longer one is a gap.
  public static let longestStep = 1.0

  /// How a reading follows the one before.
  enum Succession {
    /// It is the first, or the first after a gap or after a jump back of the clock.
    case start
    /// It comes this many seconds later.
    case step(Double)
    /// It repeats the one before, or was overtaken by it.
    case stale
  }

  /// How the reading follows one at a time; nil means that there was none.
  func succession(after last: Double?) -> Succession {
    guard let last else { return .start }
    let interval = timestamp - last
    if abs(interval) > Self.longestStep { return .start }
    return interval > 0 ? .step(interval) : .stale
  }
}

extension Vector3 {
  /// Whether each component is a number of at most this size.
  fileprivate func isWithin(_ limit: Double) -> Bool { abs(x) <= limit && abs(y) <= limit && abs(z) <= limit }
}

#if !hasFeature(Embedded)
  extension InertialSample: Codable {}
#endif
