// Rotations over time: powers, slerp and nlerp between two of them, and angular velocity.

/// Which way round an interpolation goes.
public enum SlerpPath: Hashable, Sendable, CaseIterable {
  /// The way of at most half a turn.
  case shortest
  /// The way of at least half a turn, against the shortest one.
  case longest
}

extension Rotation {
  /// The rotation taken `exponent` times, shortest way round: exp(exponent log q).
  ///
  /// 0.5 is half the turn, -1 the inverse, 2 the turn twice.
  /// An exponent that is not finite, or too large for the angle to be a double, counts as 0.
  public func power(_ exponent: Double) -> Rotation {
    Rotation(rotationVector: rotationVector * exponent) ?? .identity
  }

  /// The rotation a part of the way between two, at constant angular velocity.
  ///
  /// r(t) = a (a^-1 b)^t, by logarithm and exponential, so nothing is divided by the sine of a small angle.
  /// On the longest way between equal rotations, a full turn, the axis is x.
  /// Source: K. Shoemake, SIGGRAPH 1985.
  ///
  /// - Parameters:
  ///   - start: The rotation at t = 0, returned exactly there.
  ///   - end: The rotation at t = 1, returned exactly there.
  ///   - t: The part of the way; beyond 0...1 the turn goes on.
  ///     What is not finite counts as 0.
  ///   - path: Which way round.
  /// - Returns: The rotation in between.
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

  /// The rotation a part of the way between two, by the normalised weighted sum of the quaternions.
  ///
  /// Same path as ``slerp(from:to:t:along:)`` the shortest way, cheaper, not at constant angular velocity;
  /// equal to it at t = 0, 0.5 and 1, and off by at most 8.2 degrees, for rotations half a turn apart.
  ///
  /// - Parameters:
  ///   - start: The rotation at t = 0.
  ///   - end: The rotation at t = 1.
  ///   - t: The weight of `end`, clamped to 0...1; NaN counts as 0.
  /// - Returns: The rotation in between.
  public static func nlerp(from start: Rotation, to end: Rotation, t: Double) -> Rotation {
    let t = t.isNaN ? 0 : min(max(t, 0), 1)
    let a = start.quaternion
    let b = a.dot(end.quaternion) < 0 ? -end.quaternion : end.quaternion
    // The sum cannot vanish: the angle between the two is at most a right one.
    return Rotation(a * (1 - t) + b * t) ?? start
  }
}

extension Rotation {
  /// The attitude after turning at a constant rate, as a gyroscope in the body measures it.
  ///
  /// q' = q exp(rate seconds / 2): exact for a constant rate, whatever the angle.
  ///
  /// - Parameters:
  ///   - rate: The angular velocity in body coordinates, in rad/s.
  ///   - seconds: How long, in s; negative goes back in time.
  /// - Returns: The new attitude; nil if the angle turned is not finite.
  public func integrating(rate: Vector3, seconds: Double) -> Rotation? {
    guard let turn = Rotation(rotationVector: rate * seconds) else { return nil }
    return self * turn
  }

  /// The constant rate that turns one attitude into another, shortest way round.
  ///
  /// rate = 2 log(q_start* q_end) / seconds.
  ///
  /// - Parameters:
  ///   - start: The earlier attitude.
  ///   - end: The later attitude.
  ///   - seconds: The time between them, in s, above zero.
  /// - Returns: The angular velocity in body coordinates, in rad/s, at most pi / seconds;
  ///   nil if the time is not above zero or the rate is not finite.
  public static func angularVelocity(
    from start: Rotation, to end: Rotation, seconds: Double
  ) -> Vector3? {
    guard seconds > 0 else { return nil }
    let rate = (start.inverse * end).rotationVector / seconds
    return rate.isFinite ? rate : nil
  }
}
