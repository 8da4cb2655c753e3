// A smooth curve through rotations at given times.

/// A curve through rotations at given times, with continuous angular velocity.
///
/// Each piece is the cubic curve of M.-J. Kim, M.-S. Kim and S. Y. Shin (SIGGRAPH 1995).
/// The angular velocity at a rotation is the mean of those to its neighbours, weighted as in a parabola,
/// and at an end that to the only neighbour.
/// SciPy's `RotationSpline` also has a continuous angular acceleration, so it differs between the rotations.
public struct RotationSpline: Hashable, Sendable {
  /// The times in seconds, ascending.
  public let times: [Double]
  public let rotations: [Rotation]
  private let rates: [Vector3]

  /// Creates a curve that takes the shortest way between neighbours.
  ///
  /// Returns nil if there is no time, the counts differ, or the times are not finite and ascending.
  public init?(_ times: [Double], _ rotations: [Rotation]) {
    guard !times.isEmpty, times.count == rotations.count, times.allSatisfy({ $0.isFinite }),
      zip(times, times.dropFirst()).allSatisfy({ $0 < $1 && ($1 - $0).isFinite })
    else { return nil }
    self.times = times
    self.rotations = rotations
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

extension Rotation {
  /// The rotation vector from this rotation to another, in its own coordinates.
  fileprivate func relativeVector(to other: Rotation) -> Vector3 {
    other.relative(to: self).rotationVector
  }

  /// The rotation of a rotation vector; the identity if that is not finite.
  fileprivate static func turn(_ vector: Vector3) -> Rotation {
    Rotation(rotationVector: vector) ?? .identity
  }
}
