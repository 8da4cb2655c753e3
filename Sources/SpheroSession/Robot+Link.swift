// Whether there is a link, for programs that outlive one.

import SpheroHost
import SpheroProtocol
import SpheroTransport

extension Robot {
  /// Waits while the link is lost and may come back; returns at once where there is one.
  ///
  /// - Throws: `LinkError` or `SessionError` where the session is over; `CancellationError`.
  public func untilOnline() async throws {
    guard !isClosed else { throw lineError ?? SessionError.leaving }
    guard conversation.lostAt != nil else { return }
    for try await notice in notices() {
      if case .reconnected = notice { return }
    }
    throw lineError ?? SessionError.leaving
  }
}
