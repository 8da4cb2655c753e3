// A smooth curve through rotations at given times.

/// A curve through rotations at given times, whose angular velocity makes no jumps.
///
/// Between two of them it is the cubic curve of M.-J. Kim, M.-S. Kim and S. Y. Shin (SIGGRAPH 1995);
/// the angular velocity at each is the mean of those to its neighbours, weighted by the times between them
/// as in a parabola, at the ends that of the only neighbour.
/// SciPy's `RotationSpline` has a continuous angular acceleration as well, so that it differs between the rotations;
/// its `Slerp` is ``Rotation/slerp(from:to:t:along:)`` from each rotation to the next.
public struct RotationSpline: Hashable, Sendable {
  /// The times in seconds, ascending.
  public let times: [Double]
  /// The rotations, one for each time.
  public let rotations: [Rotation]
  private let rates: [Vector3]

  /// Makes a curve; nil without a time, or where times and rotations do not fit.
  ///
  /// - Parameters:
  ///   - times: The times in seconds, finite, each later than the one before.
  ///   - rotations: One rotation for each; neighbours are joined the shortest way round.
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

  /// The rotation at a time in seconds: beyond the ends that of the end, and for what is not a number the first one.
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
  /// The turn from this rotation to another, in its own coordinates, shortest way round.
  fileprivate func relativeVector(to other: Rotation) -> Vector3 {
    other.relative(to: self).rotationVector
  }

  /// The turn about a vector by its length; none where that is not finite.
  fileprivate static func turn(_ vector: Vector3) -> Rotation {
    Rotation(rotationVector: vector) ?? .identity
  }
}
