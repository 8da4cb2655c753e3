// A reading of the inertial sensors, and the motion and the accuracy of the attitude estimated from readings.

import SpheroText

/// One reading of gyroscope and accelerometer, and of a magnetometer if there is one.
public struct InertialSample: Hashable, Sendable, CustomStringConvertible {
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
    (self.timestamp, self.rotationRate) = (timestamp, rotationRate)
    (self.acceleration, self.magneticField) = (acceleration, magneticField)
  }

  /// Creates a reading with the rate in degrees per second, Sphero's unit, and the specific force in g, on body axes.
  ///
  /// `Sample.rotationRate()` is in rad/s: pass it to the other initializer.
  public init(timestamp: Double, degreesPerSecond rate: Vector3, acceleration: Vector3) {
    self.init(timestamp: timestamp, rotationRate: rate * (.pi / 180), acceleration: acceleration)
  }

  /// The largest component of a plausible rate, in rad/s: 4000 degrees per second,
  /// the widest range of gyroscopes in consumer devices (ST LSM6DSV and TDK ICM-20649, data sheets).
  public static let maximumRate = 4000 * Double.pi / 180
  /// The largest component of a plausible specific force, in g:
  /// the widest range of accelerometers in those devices (ST LSM6DSV32X, data sheet).
  public static let maximumAcceleration = 32.0

  /// Whether each component is within ``maximumRate`` and ``maximumAcceleration``, and the time within 1e12 seconds;
  /// an estimator treats any other reading as lost.
  public var isPlausible: Bool {
    rotationRate.isBounded(by: Self.maximumRate) && acceleration.isBounded(by: Self.maximumAcceleration)
      && abs(timestamp) < Double(TimeLimit.seconds)
  }

  /// The minimum specific force in g that shows a direction; less means free fall or a silent sensor.
  static let minimumGravity = 0.1

  /// The longest interval between two readings, in seconds, that is bridged; a longer one is a gap.
  public static let maximumStep = 1.0

  enum Succession {
    /// The reading is the first, or the first after a gap or a backward jump of the clock.
    case start
    /// The reading is this many seconds later.
    case step(Double)
    /// The reading is a repetition, out of order or not plausible.
    case stale
  }

  /// Classifies the reading after one at the time `last`; nil if there was none.
  func succession(after last: Double?) -> Succession {
    guard isPlausible else { return .stale }
    guard let last else { return .start }
    let interval = timestamp - last
    if abs(interval) > Self.maximumStep { return .start }
    return interval > 0 ? .step(interval) : .stale
  }

  public var description: String {
    "\(timestamp.numeral) s: turns at \(rotationRate) rad/s, feels \(acceleration) g"
  }
}

extension Vector3 {
  fileprivate func isBounded(by limit: Double) -> Bool {
    abs(x) <= limit && abs(y) <= limit && abs(z) <= limit
  }
}

/// The meaning of heading 0 of an attitude.
///
/// Bose Wearable and Android call an attitude relative to north a rotation vector, any other a game rotation vector.
public enum AttitudeReference: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// A direction without relation to north: the orientation at the start, or the last one that was set, as by aiming a robot.
  ///
  /// No Sphero has a magnetometer, so this is the reference of every attitude of a Sphero.
  case arbitrary
  case magneticNorth
  case trueNorth

  public var description: String {
    switch self {
    case .arbitrary: "arbitrary"
    case .magneticNorth: "magnetic north"
    case .trueNorth: "true north"
    }
  }
}

/// The motion of a body at one moment: attitude, gravity, user acceleration and rotation rate.
///
/// ``Rotation/relative(to:)`` relates an ``attitude`` to an earlier one.
/// The z axis of the reference frame points up, and y along heading 0, whose meaning is ``attitudeReference``.
/// All vectors are in body coordinates.
/// A ``MotionEstimator`` computes device motion from raw readings;
/// the initialiser of this type computes it from the attitude that a robot streams.
public struct DeviceMotion: Hashable, Sendable, CustomStringConvertible {
  /// Seconds since an arbitrary epoch.
  public var timestamp: Double
  /// The rotation from body to reference coordinates.
  public var attitude: Rotation
  /// The meaning of heading 0 of ``attitude``.
  public var attitudeReference: AttitudeReference
  /// The accuracy of ``attitude``; unknown if another source computed it, such as a robot, which does not report one.
  public var attitudeAccuracy: Accuracy
  /// The rotation rate in rad/s, right-handed, corrected for ``rotationRateBias`` and other estimated gyroscope errors.
  public var rotationRate: Vector3
  /// The estimated reading of the gyroscope at rest in rad/s, already removed from ``rotationRate``.
  public var rotationRateBias: Vector3
  /// The standard deviation of each component of ``rotationRateBias`` in rad/s; nil if the bias was not estimated.
  public var rotationRateBiasError: Vector3?
  /// The acceleration of the body in g, positive along x when the velocity along x increases.
  ///
  /// It is the specific force plus ``gravity``.
  /// Core Motion's property of this name has the opposite sign, as its accelerometer has;
  /// ``Convention/motion(_:)`` converts to that sign.
  public var userAcceleration: Vector3

  /// Creates device motion from a known attitude and a reading; see ``RateBiasEstimator`` for the bias.
  public init(
    attitude: Rotation, sample: InertialSample, rotationRateBias: Vector3 = .zero,
    rotationRateBiasError: Vector3? = nil, attitudeReference: AttitudeReference = .arbitrary,
    attitudeAccuracy: Accuracy = .unknown
  ) {
    timestamp = sample.timestamp
    (self.attitude, self.attitudeReference) = (attitude, attitudeReference)
    self.attitudeAccuracy = attitudeAccuracy
    rotationRate = sample.rotationRate - rotationRateBias
    (self.rotationRateBias, self.rotationRateBiasError) = (rotationRateBias, rotationRateBiasError)
    userAcceleration = attitude.acceleration(specificForce: sample.acceleration)
  }

  /// The accuracy of an attitude, if its source knows it.
  public enum Accuracy: Hashable, Sendable, CustomStringConvertible {
    case unknown
    case estimated(AttitudeAccuracy)

    /// The estimated accuracy; nil if it is unknown.
    public var estimate: AttitudeAccuracy? {
      if case .estimated(let accuracy) = self { accuracy } else { nil }
    }

    public var description: String { estimate.map { "\($0)" } ?? "unknown" }
  }

  /// Returns the motion relative to true north; nil unless the attitude is relative to magnetic north.
  ///
  /// The declination is the angle from true to magnetic north, positive to the east; see ``MagneticField/declination``.
  public func relativeToTrueNorth(declination: Angle) -> DeviceMotion? {
    guard attitudeReference == .magneticNorth,
      let turn = Rotation(angle: -declination, axis: Vector3(0, 0, 1))
    else { return nil }
    var motion = self
    (motion.attitude, motion.attitudeReference) = (turn * attitude, .trueNorth)
    return motion
  }

  /// The direction of gravity, of length 1 g: attitude^-1 (0, 0, -1), as in Core Motion.
  public var gravity: Vector3 { attitude.gravity }

  /// The direction of the body's forward axis, clockwise from heading 0; see ``Heading/init(attitude:)``.
  public var heading: Heading { Heading(attitude: attitude) }

  /// The reading of an ideal accelerometer in g: ``userAcceleration`` minus ``gravity``.
  public var specificForce: Vector3 { attitude.specificForce(acceleration: userAcceleration) }

  public var description: String {
    "\(timestamp.numeral) s: \(attitude), turns at \(rotationRate) rad/s, speeds up by \(userAcceleration) g"
  }
}

/// The accuracy of an estimated attitude.
///
/// Each angle is half of the bound that the error does not exceed for 95 % of the time.
public struct AttitudeAccuracy: Hashable, Sendable, CustomStringConvertible {
  /// The accuracy of the rotation about the vertical.
  ///
  /// Without a magnetometer, it is relative to the heading at the start or the last one that was set, and grows as the
  /// gyroscope drifts, up to 104 degrees, the standard deviation of an unknown heading, as after a gap.
  public var heading: Angle
  /// The accuracy of the inclination: the angle between the true vertical and the estimated one.
  ///
  /// For the first half second after a start or a gap it is 22.5 degrees, because the start may be an acceleration;
  /// after that it follows from the measured deviations. It does not include a constant error of the accelerometer.
  public var tilt: Angle

  public init(heading: Angle, tilt: Angle) { (self.heading, self.tilt) = (heading, tilt) }

  public var description: String { "heading ±\(heading), tilt ±\(tilt)" }
}

#if !hasFeature(Embedded)
  extension InertialSample: Codable {}

  extension AttitudeReference: StoredAsText {}

  extension AttitudeAccuracy: Codable {}

  extension DeviceMotion.Accuracy: Codable {
    /// - Throws: `DecodingError` for a text other than `unknown`.
    public init(from decoder: any Decoder) throws {
      guard let text = try? decoder.singleValueContainer().decode(String.self) else {
        self = .estimated(try AttitudeAccuracy(from: decoder))
        return
      }
      guard text == "unknown" else {
        throw decoder.refusal("an accuracy is an object with heading and tilt, or 'unknown', not '\(text)'")
      }
      self = .unknown
    }

    public func encode(to encoder: any Encoder) throws {
      if let estimate { try estimate.encode(to: encoder) } else { try "unknown".encode(to: encoder) }
    }
  }

  extension DeviceMotion: Codable {
    /// Decodes motion; without reference and accuracy, they are arbitrary and unknown.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      timestamp = try values.decode(Double.self, forKey: .timestamp)
      attitude = try values.decode(Rotation.self, forKey: .attitude)
      attitudeReference =
        try values.decodeIfPresent(AttitudeReference.self, forKey: .attitudeReference) ?? .arbitrary
      attitudeAccuracy = try values.decodeIfPresent(Accuracy.self, forKey: .attitudeAccuracy) ?? .unknown
      rotationRate = try values.decode(Vector3.self, forKey: .rotationRate)
      rotationRateBias = try values.decode(Vector3.self, forKey: .rotationRateBias)
      rotationRateBiasError = try values.decodeIfPresent(Vector3.self, forKey: .rotationRateBiasError)
      userAcceleration = try values.decode(Vector3.self, forKey: .userAcceleration)
    }
  }
#endif
