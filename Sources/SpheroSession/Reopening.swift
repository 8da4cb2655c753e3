// How a lost line comes back.

public import SpheroTransport

/// How a line that was lost is opened again: with growing pauses, and up to a limit.
///
/// Streams and settings come back with it; what moved is stopped.
public struct Reopening: Sendable {
  /// Opens the line once.
  public var open: @Sendable () async throws -> any Transport
  /// The wait before the first try.
  public var firstPause: Duration = .milliseconds(250)
  /// The longest wait between two tries; each is twice the one before.
  public var longestPause: Duration = .seconds(4)
  /// The time after which the line is given up, and a stream whose lines come back without bringing a sample.
  public var limit: Duration = .seconds(60)

  /// Makes a way to open a line again.
  ///
  /// - Parameter open: Opens the line once.
  public init(open: @escaping @Sendable () async throws -> any Transport) { self.open = open }
}
