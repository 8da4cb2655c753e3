// The motion of a body and the accuracy of its attitude, similar to Core Motion.

/// The motion of a body at one moment: attitude, gravity, user acceleration and rotation rate.
///
/// ``Rotation/relative(to:)`` relates an ``attitude`` to an earlier one.
/// The z axis of the reference frame points up; the direction of x depends on the source of the attitude.
/// All vectors are in body coordinates.
/// A ``MotionEstimator`` computes device motion from raw readings,
/// ``init(attitude:sample:rotationRateBias:)`` from the attitude that a robot streams.
public struct DeviceMotion: Hashable, Sendable {
  /// Seconds since an arbitrary epoch.
  public var timestamp: Double
  public var attitude: Rotation
  /// The rotation rate in rad/s, right-handed, without ``rotationRateBias`` and other estimated errors of the gyroscope.
  public var rotationRate: Vector3
  /// The estimated reading of the gyroscope at rest in rad/s, already removed from ``rotationRate``;
  /// zero if the attitude comes from a robot, so that no bias was estimated.
  public var rotationRateBias: Vector3
  /// The acceleration of the body in g, positive along x when the velocity along x increases.
  ///
  /// It is the specific force plus ``gravity``.
  /// Core Motion's property of this name has the opposite sign, as its accelerometer has;
  /// ``Convention/motion(_:)`` converts to that sign.
  public var userAcceleration: Vector3

  /// Creates device motion from a known attitude, such as a robot streams, and a reading.
  public init(attitude: Rotation, sample: InertialSample, rotationRateBias: Vector3 = .zero) {
    timestamp = sample.timestamp
    self.attitude = attitude
    rotationRate = sample.rotationRate - rotationRateBias
    self.rotationRateBias = rotationRateBias
    userAcceleration = attitude.acceleration(specificForce: sample.acceleration)
  }

  /// The direction of gravity, of length 1 g: attitude^-1 (0, 0, -1), as in Core Motion.
  public var gravity: Vector3 { attitude.gravity }

  /// See ``Heading/init(attitude:)``.
  public var heading: Heading { Heading(attitude: attitude) }

  /// The reading of an ideal accelerometer in g: ``userAcceleration`` minus ``gravity``.
  public var specificForce: Vector3 { attitude.specificForce(acceleration: userAcceleration) }
}

/// The accuracy of an estimated attitude.
///
/// Each angle is half of the bound that the error does not exceed for 95 % of the time.
public struct AttitudeAccuracy: Hashable, Sendable {
  /// The accuracy of the rotation about the vertical.
  ///
  /// Without a magnetometer it is relative to the initial heading or the one set, and increases as the gyroscope drifts.
  /// It is at most 104 degrees, the standard deviation of an unknown heading, as after a gap
  /// and if the gyroscope has a larger bias than the settings state.
  public var heading: Angle
  /// The accuracy of the inclination: the angle between the true vertical and the estimated one.
  ///
  /// It does not include a constant error of the accelerometer itself.
  public var tilt: Angle

  public init(heading: Angle, tilt: Angle) {
    self.heading = heading
    self.tilt = tilt
  }
}

#if !hasFeature(Embedded)
  extension DeviceMotion: Codable {}
#endif
