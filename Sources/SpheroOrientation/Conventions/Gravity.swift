// Gravity, acceleration and accelerometer readings.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The sign of an accelerometer.
public enum AccelerometerSign: Hashable, Sendable, CaseIterable {
  /// Acceleration minus gravity: at rest +1 g on the axis that points up (Sphero, Bose Wearable, Android).
  case specificForce
  /// Gravity minus acceleration: at rest -1 g on the axis that points up (Core Motion).
  case minusSpecificForce
}

extension Rotation {
  /// Gravity in body coordinates, in g: R^T (0, 0, -1), for an attitude whose reference has z up.
  public var gravity: Vector3 { inverse.act(on: Vector3(0, 0, -1)) }

  /// Returns the reading of an ideal accelerometer in the body, in g: acceleration minus gravity.
  ///
  /// - Parameter acceleration: The acceleration of the body in body coordinates, in g.
  /// - Returns: The specific force in body coordinates, in g; it points up at rest.
  public func specificForce(acceleration: Vector3 = .zero) -> Vector3 { acceleration - gravity }

  /// Returns the acceleration of the body, in g: specific force plus gravity.
  ///
  /// - Parameter specificForce: The specific force in body coordinates, in g.
  /// - Returns: The acceleration in body coordinates, in g.
  public func acceleration(specificForce: Vector3) -> Vector3 { specificForce + gravity }

  /// The angle between the body's z axis and up, from 0 (upright) to pi (overturned).
  ///
  /// Computed from half angles, so that small tilts keep their precision.
  public var tilt: Angle {
    let q = quaternion
    return Angle(radians: 2 * atan2(hypot(q.x, q.y), hypot(q.w, q.z)))
  }

  /// Creates the attitude of a body at rest from its specific force, without a heading: the shortest rotation.
  ///
  /// Returns nil if the force is zero or not finite.
  ///
  /// - Parameter specificForce: The specific force in body coordinates, in any unit.
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

  /// Returns an accelerometer reading without gravity, with this convention's axes and sign.
  ///
  /// Under ``AccelerometerSign/specificForce`` it is the acceleration, reading + gravity;
  /// under the other sign it is minus the acceleration, reading - gravity,
  /// which is what Core Motion calls `userAcceleration`.
  ///
  /// - Parameters:
  ///   - reading: The accelerometer reading, in g.
  ///   - attitude: The attitude at the time of the reading.
  /// - Returns: The reading without gravity, in g.
  public func userAcceleration(accelerometer reading: Vector3, attitude: Rotation) -> Vector3 {
    let gravity = gravity(of: attitude)
    return accelerometer == .specificForce ? reading + gravity : reading - gravity
  }

  /// Returns pitch and roll of a body at rest from the accelerometer alone, with the yaw of heading 0.
  ///
  /// The yaw must be the outermost rotation, as in every named convention.
  ///
  /// - Parameter reading: The accelerometer reading, in any unit.
  /// - Returns: The angles; nil if the reading is zero or not finite.
  public func pitchRollYaw(atRestReading reading: Vector3) -> PitchRollYaw? {
    guard let attitude = Rotation(uprightAgainst: specificForce(ofAccelerometer: reading)) else { return nil }
    var angles = pitchRollYaw(of: attitude)
    angles.yaw = pitchRollYaw(of: .identity).yaw
    return angles
  }
}
