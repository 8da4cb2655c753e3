// A hand that turns the ball from pose to pose.

import SpheroOrientation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A hand that holds the ball and turns it to a pose.
///
/// The turn begins and ends without a jerk: its rate is a raised cosine,
/// so even a slow stream adds up to the whole angle.
struct Grip: Hashable, Sendable {
  /// How long a turn takes, in seconds; half a turn is 360 degrees a second on average, twice that at most.
  static let turnTime = 0.5
  private static let steps = Int((turnTime / Body.stepLength).rounded())

  private let start: Rotation
  private let pose: Rotation
  /// The turn from the start, about the axes of the body there.
  private let way: Vector3
  /// Whether it lets the ball go at the end.
  let letsGo: Bool
  private var step = 0

  /// Begins a turn.
  init(from start: Rotation, to pose: Rotation, letsGo: Bool) {
    (self.start, self.pose, self.letsGo) = (start, pose, letsGo)
    way = (start.inverse * pose).rotationVector
  }

  /// Whether the turn is over.
  var isThere: Bool { step >= Self.steps }

  /// The attitude after the next step.
  mutating func next() -> Rotation {
    step = min(step + 1, Self.steps)
    guard !isThere else { return pose }
    let time = Double(step) / Double(Self.steps)
    let part = time - sin(2 * .pi * time) / (2 * .pi)
    return start * (Rotation(rotationVector: way * part) ?? .identity)
  }
}
