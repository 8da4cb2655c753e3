// How long a command may take to leave: one limit for all that has to be put in order.

import SpheroSystem
import SpheroTransport

/// When a command began to leave, by its own end or by Ctrl-C, and what is left of the second for that.
final class Departure: Sendable {
  /// What the robot gets of it: where it lives, it confirms the stop much sooner.
  static let robotLimit = Duration.milliseconds(600)
  private static let limit = Duration.milliseconds(900)
  /// What comes last gets so much all the same.
  private static let least = Duration.milliseconds(50)

  private let begun = Locked<Duration?>(nil)

  /// Notes that leaving begins; the first time counts.
  func begin() { begun.withLock { $0 = $0 ?? SystemTime().now } }

  /// How long the next step may take; leaving begins now where it has not begun before.
  var rest: Duration {
    begin()
    let start = begun.withLock { $0 } ?? SystemTime().now
    return max(Self.least, start + Self.limit - SystemTime().now)
  }
}
