// How fast commands may follow each other.

/// A limit on the rate of commands that allows bursts.
///
/// The generic cell rate algorithm: one instant in time holds all of the state.
struct Pace: Hashable, Sendable {
  private let interval: Duration
  private let tolerance: Duration
  /// When the next command would be due at an even rate.
  private var due: Duration = .zero

  /// Allows `perSecond` commands in a second, and `burst` of them at once; both at least 1.
  init(perSecond: Int, burst: Int) {
    interval = .seconds(1) / max(1, perSecond)
    tolerance = interval * (max(1, burst) - 1)
  }

  /// When the next command may go.
  var next: Duration { due - tolerance }

  /// Notes that a command goes.
  mutating func spend(at now: Duration) { due = max(due, now) + interval }
}
