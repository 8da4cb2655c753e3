// Attitude, gravity, own acceleration and rotation rate of a body, in the manner of Core Motion.

/// The motion of a body at one moment, sorted into its causes.
///
/// ``Rotation/relative(to:)`` counts an ``attitude`` from an earlier one.
/// The reference frame has z up; where x points is up to the source of the attitude.
/// All vectors are in body coordinates.
/// A ``MotionEstimator`` makes them from raw readings,
/// ``init(attitude:sample:rotationRateBias:)`` from the attitude a robot streams.
public struct DeviceMotion: Hashable, Sendable {
  /// The time of the reading in seconds since any fixed moment.
  public var timestamp: Double
  /// The attitude: takes body to reference coordinates.
  public var attitude: Rotation
  /// The rotation rate in rad/s, right-handed, less ``rotationRateBias`` and what else is known of the gyroscope's errors.
  public var rotationRate: Vector3
  /// The rate in rad/s that the gyroscope is taken to read at rest; already removed from ``rotationRate``.
  /// It is zero where the attitude is the robot's own, so that nothing estimated the bias.
  public var rotationRateBias: Vector3
  /// The acceleration of the body itself in g: positive along x when it speeds up along x.
  ///
  /// It is the specific force plus ``gravity``.
  /// Core Motion's property of this name has the opposite sign, as its accelerometer has;
  /// ``Convention/motion(_:)`` gives it that sign.
  public var userAcceleration: Vector3

  /// Makes device motion of an attitude that is known, such as a robot streams, and a reading.
  public init(attitude: Rotation, sample: InertialSample, rotationRateBias: Vector3 = .zero) {
    self.init(
      attitude: attitude, sample: sample, rotationRate: sample.rotationRate - rotationRateBias,
      rotationRateBias: rotationRateBias)
  }

  /// Takes the rate as it was corrected.
  init(attitude: Rotation, sample: InertialSample, rotationRate: Vector3, rotationRateBias: Vector3) {
    self.init(
      timestamp: sample.timestamp, attitude: attitude, rotationRate: rotationRate,
      rotationRateBias: rotationRateBias,
      userAcceleration: attitude.acceleration(specificForce: sample.acceleration))
  }

  /// Takes the parts.
  init(
    timestamp: Double, attitude: Rotation, rotationRate: Vector3, rotationRateBias: Vector3,
    userAcceleration: Vector3
  ) {
    self.timestamp = timestamp
    self.attitude = attitude
    self.rotationRate = rotationRate
    self.rotationRateBias = rotationRateBias
    self.userAcceleration = userAcceleration
  }

  /// The direction in which gravity pulls, of length 1 g: (0, 0, -1) when the body is level.
  ///
  /// attitude^-1 (0, 0, -1), the same in Core Motion.
  public var gravity: Vector3 { attitude.gravity }

  /// Where the body is headed; see ``Heading/init(attitude:)``.
  public var heading: Heading { Heading(attitude: attitude) }

  /// What the accelerometer reads for this motion in g: ``userAcceleration`` less ``gravity``.
  public var specificForce: Vector3 { attitude.specificForce(acceleration: userAcceleration) }
}

#if !hasFeature(Embedded)
  extension DeviceMotion: Codable {}
#endif
