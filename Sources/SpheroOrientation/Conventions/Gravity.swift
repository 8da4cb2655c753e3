// Gravity, acceleration, and what an accelerometer makes of the two.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What an accelerometer counts as positive.
public enum AccelerometerSign: Hashable, Sendable, CaseIterable {
  /// Acceleration minus gravity: at rest +1 g on the axis that points up (Sphero, Bose Wearable, Android).
  case specificForce
  /// Gravity minus acceleration: at rest -1 g on the axis that points up (Core Motion).
  case minusSpecificForce
}

extension Rotation {
  /// Gravity in body coordinates, in g: R^T (0, 0, -1), for an attitude whose reference has z up.
  public var gravity: Vector3 { inverse.act(on: Vector3(0, 0, -1)) }

  /// What an ideal accelerometer in the body feels, in g: acceleration minus gravity.
  ///
  /// - Parameter acceleration: The acceleration of the body in body coordinates, in g.
  /// - Returns: The specific force in body coordinates, in g; at rest it points up.
  public func specificForce(acceleration: Vector3 = .zero) -> Vector3 { acceleration - gravity }

  /// The acceleration of the body, in g: specific force plus gravity.
  ///
  /// - Parameter specificForce: The specific force in body coordinates, in g.
  /// - Returns: The acceleration in body coordinates, in g.
  public func acceleration(specificForce: Vector3) -> Vector3 { specificForce + gravity }

  /// How far the body's z axis leans away from up, from 0 (upright) to pi (overturned).
  ///
  /// atan2(sqrt(x^2 + y^2), w^2 + z^2 - x^2 - y^2) by half angles, so small tilts keep their digits.
  public var tilt: Angle {
    let q = quaternion
    return Angle(radians: 2 * atan2(hypot(q.x, q.y), hypot(q.w, q.z)))
  }

  /// The attitude without its heading: a body at rest that feels this specific force, turned the shortest way.
  ///
  /// Returns nil if the force is zero or not finite.
  ///
  /// - Parameter specificForce: The specific force in body coordinates, in any unit.
  public init?(uprightAgainst specificForce: Vector3) {
    self.init(from: specificForce, to: Axis.z.vector)
  }
}

extension Convention {
  /// The specific force, on right-forward-up axes, of an accelerometer reading of this convention.
  public func specificForce(ofAccelerometer reading: Vector3) -> Vector3 {
    let canonical = accelerometerAxes.undo(on: reading)
    return accelerometer == .specificForce ? canonical : -canonical
  }

  /// What this convention's accelerometer reads under a specific force on right-forward-up axes.
  public func accelerometer(ofSpecificForce force: Vector3) -> Vector3 {
    let reading = accelerometerAxes.act(on: force)
    return accelerometer == .specificForce ? reading : -reading
  }

  /// The turning rate, on right-forward-up axes, of a gyroscope reading of this convention, in the unit of the reading.
  public func rate(ofGyroscope reading: Vector3) -> Vector3 { gyroscopeAxes.undo(on: reading) }

  /// What this convention's gyroscope reads at a turning rate on right-forward-up axes, in the unit of the rate.
  public func gyroscope(ofRate rate: Vector3) -> Vector3 { gyroscopeAxes.act(on: rate) }

  /// Gravity, on the axes of this convention's accelerometer, in g; the same direction, down, in every convention.
  public func gravity(of attitude: Rotation) -> Vector3 { accelerometerAxes.act(on: attitude.gravity) }

  /// An accelerometer reading without gravity, with this convention's axes and sign.
  ///
  /// Under ``AccelerometerSign/specificForce`` it is the acceleration, reading + gravity;
  /// under the other sign it is minus the acceleration, reading - gravity,
  /// which is what Core Motion calls `userAcceleration`.
  ///
  /// - Parameters:
  ///   - reading: What the accelerometer reads, in g.
  ///   - attitude: The attitude at that moment.
  /// - Returns: The reading without gravity, in g.
  public func userAcceleration(accelerometer reading: Vector3, attitude: Rotation) -> Vector3 {
    let gravity = gravity(of: attitude)
    return accelerometer == .specificForce ? reading + gravity : reading - gravity
  }

  /// Pitch and roll of a body at rest, from the accelerometer alone; the yaw returned is that of heading 0.
  ///
  /// Only meaningful where yaw is the outermost turn, as it is in every convention named here.
  ///
  /// - Parameter reading: What the accelerometer reads, in any unit.
  /// - Returns: The angles; nil if the reading is zero or not finite.
  public func pitchRollYaw(atRestReading reading: Vector3) -> PitchRollYaw? {
    guard let attitude = Rotation(uprightAgainst: specificForce(ofAccelerometer: reading)) else { return nil }
    var angles = pitchRollYaw(of: attitude)
    angles.yaw = pitchRollYaw(of: .identity).yaw
    return angles
  }
}
