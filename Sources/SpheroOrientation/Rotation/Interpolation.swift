// Rotations over time: powers, slerp and nlerp between two of them, angular velocity, and a smooth curve through several.

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
    .turn(rotationVector * exponent)
  }

  /// Interpolates between two rotations at constant angular velocity.
  ///
  /// r(t) = start (start^-1 end)^t, by logarithm and exponential, which avoids a division by the sine of a small angle.
  /// The longest path between equal rotations is a full turn about x.
  /// Source: K. Shoemake, SIGGRAPH 1985.
  ///
  /// The result is exact at t = 0 (`start`) and t = 1 (`end`). Values outside 0...1 extrapolate,
  /// and a value that is not finite counts as 0.
  public static func slerp(
    from start: Rotation, to end: Rotation, t: Double, along path: SlerpPath = .shortest
  ) -> Rotation {
    if t == 0 { return start }
    if t == 1 { return end }
    var turn = start.relativeVector(to: end)
    if path == .longest { turn -= (turn.normalized ?? Axis.x.vector) * (2 * .pi) }
    return start * .turn(turn * t)
  }

  /// Interpolates by the weighted sum of the quaternions; the weight t of `end` is clamped to 0...1, NaN to 0.
  ///
  /// It follows the shortest path of ``slerp(from:to:t:along:)`` at lower cost, but not at constant angular velocity.
  /// Both agree at t = 0, 0.5 and 1, and differ by at most 8.2 degrees, for rotations half a turn apart.
  public static func nlerp(from start: Rotation, to end: Rotation, t: Double) -> Rotation {
    let t = t.isNaN ? 0 : min(max(t, 0), 1)
    let a = start.quaternion
    let b = a.dot(end.quaternion) < 0 ? -end.quaternion : end.quaternion
    // The sum cannot vanish, because the angle between the quaternions is at most a right angle.
    return Rotation(a * (1 - t) + b * t) ?? start
  }

  /// Returns the attitude after a rotation at a constant rate, as a gyroscope in the body measures it.
  ///
  /// The attitude q becomes q exp(rate seconds / 2), with the rate in body coordinates and rad/s: exact for any angle.
  /// A negative time reverses the rotation. Returns nil if the angle is not finite.
  public func integrating(rate: Vector3, seconds: Double) -> Rotation? {
    guard let turn = Rotation(rotationVector: rate * seconds) else { return nil }
    return self * turn
  }

  /// Returns the constant rate that rotates one attitude into another by the shortest way.
  ///
  /// rate = 2 log(start^-1 end) / seconds, in body coordinates and rad/s, at most pi / seconds.
  /// Returns nil if the time is not above zero or the rate is not finite.
  public static func angularVelocity(
    from start: Rotation, to end: Rotation, seconds: Double
  ) -> Vector3? {
    guard seconds > 0 else { return nil }
    let rate = start.relativeVector(to: end) / seconds
    return rate.isFinite ? rate : nil
  }

  /// The rotation vector from this rotation to another, in its own coordinates.
  fileprivate func relativeVector(to other: Rotation) -> Vector3 {
    other.relative(to: self).rotationVector
  }

  /// The rotation of a rotation vector; the identity if that is not finite.
  fileprivate static func turn(_ vector: Vector3) -> Rotation {
    Rotation(rotationVector: vector) ?? .identity
  }
}

/// A curve through rotations at given times, with continuous angular velocity.
///
/// Each piece is the cubic curve of M.-J. Kim, M.-S. Kim and S. Y. Shin (SIGGRAPH 1995).
/// The angular velocity at a rotation is that of a parabola through it and its neighbours;
/// at an end, it is the mean of the only piece.
/// SciPy's `RotationSpline` also has a continuous angular acceleration, so it differs between the rotations.
public struct RotationSpline: Hashable, Sendable {
  /// The times in seconds, ascending.
  public let times: [Double]
  /// The rotations that the spline passes through.
  public let rotations: [Rotation]
  private let rates: [Vector3]

  /// Creates a curve by the shortest way between neighbours.
  ///
  /// Returns nil if there is no time, the counts differ, or the times are not finite and ascending.
  public init?(_ times: [Double], _ rotations: [Rotation]) {
    guard !times.isEmpty, times.count == rotations.count, times.allSatisfy({ $0.isFinite }),
      zip(times, times.dropFirst()).allSatisfy({ $0 < $1 && ($1 - $0).isFinite })
    else { return nil }
    (self.times, self.rotations) = (times, rotations)
    let steps = zip(rotations, rotations.dropFirst()).map { $0.relativeVector(to: $1) }
    rates = times.indices.map { index in
      let before = index > 0 ? times[index] - times[index - 1] : 0
      let after = index + 1 < times.count ? times[index + 1] - times[index] : 0
      guard before > 0 else { return after > 0 ? steps[index] / after : .zero }
      guard after > 0 else { return steps[index - 1] / before }
      let share = before / (before + after)
      return steps[index - 1] / before * (1 - share) + steps[index] / after * share
    }
  }

  /// Returns the rotation at a time in seconds, clamped to the range of the times; NaN gives the first rotation.
  public func callAsFunction(at time: Double) -> Rotation {
    guard let next = times.firstIndex(where: { $0 > time }), next > 0 else {
      return time >= times[0] ? rotations[times.count - 1] : rotations[0]
    }
    let (start, end, duration) = (rotations[next - 1], rotations[next], times[next] - times[next - 1])
    let part = (time - times[next - 1]) / duration
    let leaving = rates[next - 1] * (duration / 3)
    let arriving = rates[next] * (duration / 3)
    let between = (start * .turn(leaving)).relativeVector(to: end * .turn(arriving).inverse)
    let rest = 1 - part
    return start * .turn(leaving * (1 - rest * rest * rest)) * .turn(between * (part * part * (3 - 2 * part)))
      * .turn(arriving * (part * part * part))
  }
}
