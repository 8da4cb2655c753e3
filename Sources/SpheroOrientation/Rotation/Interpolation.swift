// Rotations over time: powers, slerp and nlerp between two of them, and angular velocity.

/// The direction of an interpolation between two rotations.
public enum SlerpPath: Hashable, Sendable, CaseIterable {
  /// By at most half a turn.
  case shortest
  /// By at least half a turn, in the opposite direction.
  case longest
}

extension Rotation {
  /// Returns the power of the rotation, by the shortest way: exp(exponent log q).
  ///
  /// An exponent that is not finite, or overflows the angle, counts as 0.
  public func power(_ exponent: Double) -> Rotation {
    Rotation(rotationVector: rotationVector * exponent) ?? .identity
  }

  /// Interpolates between two rotations at constant angular velocity.
  ///
  /// r(t) = a (a^-1 b)^t, by logarithm and exponential, which avoids a division by the sine of a small angle.
  /// The longest path between equal rotations is a full turn about x.
  /// Source: K. Shoemake, SIGGRAPH 1985.
  ///
  /// The result is exact at t = 0 (`start`) and t = 1 (`end`). Other values of t extrapolate,
  /// and a value that is not finite counts as 0.
  public static func slerp(
    from start: Rotation, to end: Rotation, t: Double, along path: SlerpPath = .shortest
  ) -> Rotation {
    if t == 0 { return start }
    if t == 1 { return end }
    let shortest = (start.inverse * end).rotationVector
    var turn = shortest
    if path == .longest {
      let axis = shortest.normalized ?? Axis.x.vector
      turn = shortest - axis * (2 * .pi)
    }
    return start * (Rotation(rotationVector: turn * t) ?? .identity)
  }

  /// Interpolates between two rotations by the normalised weighted sum of the quaternions.
  ///
  /// It follows the shortest path of ``slerp(from:to:t:along:)`` at lower cost, but not at constant angular velocity.
  /// Both agree at t = 0, 0.5 and 1, and differ by at most 8.2 degrees, for rotations half a turn apart.
  ///
  /// The weight t of `end` is clamped to 0...1; NaN counts as 0.
  public static func nlerp(from start: Rotation, to end: Rotation, t: Double) -> Rotation {
    let t = t.isNaN ? 0 : min(max(t, 0), 1)
    let a = start.quaternion
    let b = a.dot(end.quaternion) < 0 ? -end.quaternion : end.quaternion
    // The sum cannot vanish, because the angle between the quaternions is at most a right angle.
    return Rotation(a * (1 - t) + b * t) ?? start
  }

  /// Returns the attitude after a rotation at a constant rate, as a gyroscope in the body measures it.
  ///
  /// q' = q exp(rate seconds / 2), with the rate in body coordinates and rad/s: exact for a constant rate and any angle.
  /// A negative time reverses the rotation. Returns nil if the angle is not finite.
  public func integrating(rate: Vector3, seconds: Double) -> Rotation? {
    guard let turn = Rotation(rotationVector: rate * seconds) else { return nil }
    return self * turn
  }

  /// Returns the constant rate that rotates one attitude into another by the shortest way.
  ///
  /// rate = 2 log(q_start* q_end) / seconds, in body coordinates and rad/s, at most pi / seconds.
  /// Returns nil if the time is not above zero or the rate is not finite.
  public static func angularVelocity(
    from start: Rotation, to end: Rotation, seconds: Double
  ) -> Vector3? {
    guard seconds > 0 else { return nil }
    let rate = (start.inverse * end).rotationVector / seconds
    return rate.isFinite ? rate : nil
  }
}
