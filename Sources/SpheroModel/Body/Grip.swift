// A hand that turns the ball from pose to pose, and shakes it.

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
  /// Whether it lets the ball go in the end.
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

/// How a hand shakes the ball: an acceleration that stays, or one that swings for a while.
struct Shaking: Hashable, Sendable {
  /// How often it swings, in Hz.
  private static let frequency = 5.0

  private let acceleration: Vector3
  /// Steps until it is over; nil for one that stays until it is ended.
  private let steps: Int?
  private var step = 0

  /// Begins to shake, or not at all.
  ///
  /// - Parameters:
  ///   - acceleration: In m/s², along x, y, z of the room; the most of it where it swings.
  ///   - seconds: How long it swings; nil for an acceleration that stays until it is ended.
  init(_ acceleration: Vector3 = .zero, seconds: Double? = nil) {
    self.acceleration = acceleration.isFinite ? acceleration : .zero
    steps = seconds.map { Int((min(max($0, 0), 86_400) / Body.stepLength).rounded()) }
  }

  /// Whether nothing is shaken any more.
  var isOver: Bool { acceleration == .zero || steps.map { step >= $0 } ?? false }

  /// What the hand does in the next step, in m/s².
  mutating func next() -> Vector3 {
    guard !isOver else { return .zero }
    guard steps != nil else { return acceleration }
    step += 1
    return acceleration * sin(2 * .pi * Self.frequency * Double(step) * Body.stepLength)
  }
}
