// Gravity, acceleration and accelerometer readings.

/// The sign of an accelerometer.
public enum AccelerometerSign: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Acceleration minus gravity: at rest +1 g on the axis that points up (Sphero, Bose Wearable, Android).
  case specificForce
  /// Gravity minus acceleration: at rest -1 g on the axis that points up (Core Motion).
  case minusSpecificForce

  public var description: String { self == .specificForce ? "specific force" : "minus specific force" }
}

extension Rotation {
  /// Gravity in body coordinates, in g: R^T (0, 0, -1), for an attitude whose reference has z up.
  public var gravity: Vector3 { inverse.act(on: Vector3(0, 0, -1)) }

  /// Returns the reading of an ideal accelerometer in g on body axes, up at rest: acceleration minus gravity.
  public func specificForce(acceleration: Vector3 = .zero) -> Vector3 { acceleration - gravity }

  /// Returns the acceleration of the body: specific force plus gravity, all in body coordinates and in g.
  public func acceleration(specificForce: Vector3) -> Vector3 { specificForce + gravity }

  /// Creates the attitude of a body at rest from its specific force, without a heading: the shortest rotation.
  ///
  /// The force is in body coordinates and in any unit. Returns nil if it is zero or not finite.
  public init?(uprightAgainst specificForce: Vector3) {
    self.init(from: specificForce, to: Axis.z.vector)
  }
}

extension Convention {
  /// Returns the specific force, on right-forward-up axes, of an accelerometer reading of this convention.
  public func specificForce(ofAccelerometer reading: Vector3) -> Vector3 {
    let canonical = accelerometerAxes.undo(on: reading)
    return accelerometer == .specificForce ? canonical : -canonical
  }

  /// Returns the accelerometer reading of this convention for a specific force on right-forward-up axes.
  public func accelerometer(ofSpecificForce force: Vector3) -> Vector3 {
    let reading = accelerometerAxes.act(on: force)
    return accelerometer == .specificForce ? reading : -reading
  }

  /// Returns the rotation rate, on right-forward-up axes, of a gyroscope reading of this convention, in its unit.
  public func rate(ofGyroscope reading: Vector3) -> Vector3 { gyroscopeAxes.undo(on: reading) }

  /// Returns the gyroscope reading of this convention for a rotation rate on right-forward-up axes, in its unit.
  public func gyroscope(ofRate rate: Vector3) -> Vector3 { gyroscopeAxes.act(on: rate) }

  /// Returns gravity on the axes of this convention's accelerometer, in g; it points down in every convention.
  public func gravity(of attitude: Rotation) -> Vector3 { accelerometerAxes.act(on: attitude.gravity) }

  /// Returns an accelerometer reading without gravity, in g, with this convention's axes and sign.
  ///
  /// Under ``AccelerometerSign/specificForce`` it is the acceleration, reading + gravity;
  /// otherwise minus the acceleration, reading - gravity, which Core Motion calls `userAcceleration`.
  public func userAcceleration(accelerometer reading: Vector3, attitude: Rotation) -> Vector3 {
    let gravity = gravity(of: attitude)
    return accelerometer == .specificForce ? reading + gravity : reading - gravity
  }

  /// Returns pitch and roll of a body at rest from the accelerometer alone, with the yaw of heading 0.
  ///
  /// The yaw must be the outermost rotation, as in every named convention. The reading may have any unit.
  /// Returns nil if the reading is zero or not finite.
  public func pitchRollYaw(atRestReading reading: Vector3) -> PitchRollYaw? {
    guard let attitude = Rotation(uprightAgainst: specificForce(ofAccelerometer: reading)) else { return nil }
    var angles = pitchRollYaw(of: attitude)
    angles.yaw = pitchRollYaw(of: .identity).yaw
    return angles
  }
}
