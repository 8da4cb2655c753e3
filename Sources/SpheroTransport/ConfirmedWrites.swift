// Writes that wait for a confirmation by the robot.

import SpheroSystem

/// Performs writes, each of which ends when its confirmation arrives.
///
/// The confirmation of a cancelled write arrives later; the next write waits for it before it sends.
package final class ConfirmedWrites: Sendable {
  private let confirmed = AutoResetEvent()
  private let isUnconfirmed = Locked(false)

  package init() {}

  /// Sends, and returns after the confirmation. Calls must not overlap.
  ///
  /// - Throws: The error of the end, or `LinkError.closed` if it has none; `CancellationError`.
  package func write(_ send: () -> Void) async throws {
    if isUnconfirmed.withLock({ $0 }) { try await waitForConfirmation() }
    send()
    try await waitForConfirmation()
  }

  private func waitForConfirmation() async throws {
    isUnconfirmed.withLock { $0 = true }
    guard try await confirmed.wait() else { throw LinkError.closed }
    isUnconfirmed.withLock { $0 = false }
  }

  /// Ends the current write.
  package func confirm() { confirmed.signal() }

  /// Ends the current and all later writes with an error; only the first end counts.
  package func finish(throwing error: (any Error)? = nil) { confirmed.finish(throwing: error) }
}
