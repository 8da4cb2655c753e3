// The loss and return of the line.

import SpheroHost
public import SpheroTransport

/// How a lost line is reopened: with exponential backoff, up to a limit.
///
/// The session closes the lost line first. Streams and settings are restored; motion is stopped.
public struct Reconnection: Sendable {
  /// Opens the line once.
  public var open: @Sendable () async throws -> any Transport
  /// The delay before the first attempt, above zero; each further delay is twice the previous one.
  public var initialDelay: Duration = .milliseconds(250)
  /// The maximum delay between two attempts.
  public var maximumDelay: Duration = .seconds(4)
  /// The maximum time from the loss of the line to the last attempt.
  ///
  /// A stream also ends if its lines are lost and reopened for this time without a sample.
  public var limit: Duration = .seconds(60)

  public init(open: @escaping @Sendable () async throws -> any Transport) { self.open = open }
}

extension Robot {
  /// Waits until a lost line is reopened; returns at once if none is lost.
  ///
  /// - Throws: `LinkError` or `SessionError` if the session has ended; `CancellationError`.
  public func untilOnline() async throws {
    guard !isClosed else { throw lineError ?? SessionError.leaving }
    guard conversation.lostAt != nil else { return }
    for try await notice in notices() {
      if case .reconnected = notice { return }
    }
    throw lineError ?? SessionError.leaving
  }
}
