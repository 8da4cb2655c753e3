// A hand that shakes the ball.

import SpheroOrientation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// How a hand shakes the ball: an acceleration that stays, or one that swings for a while.
struct Shaking: Hashable, Sendable {
  /// How often it swings, in Hz.
  private static let frequency = 5.0
  /// More than any hand can do, in m/s².
  private static let hardest = 1_000.0

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
    func cut(_ value: Double) -> Double { min(max(value, -Self.hardest), Self.hardest) }
    self.acceleration =
      acceleration.isFinite ? Vector3(cut(acceleration.x), cut(acceleration.y), cut(acceleration.z)) : .zero
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
