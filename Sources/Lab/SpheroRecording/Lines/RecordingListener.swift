// A place where clients come to, whose lines are recorded.

import SpheroProtocol
public import SpheroTransport

/// A place where clients come to; what crosses their lines is handed to captures.
///
/// A mark stands where one client has gone and the next has come.
public actor RecordingListener<Place: Listener>: Listener {
  private let place: Place
  private let captures: [CaptureWriter]
  private var hasServed = false

  /// Wraps a place; the captures are finished by whoever made them.
  public init(_ place: Place, to captures: [CaptureWriter]) {
    (self.place, self.captures) = (place, captures)
  }

  /// Waits for the next client.
  public func accept() async throws -> RecordingTransport? {
    guard let line = try await place.accept() else { return nil }
    if hasServed { for capture in captures { capture.note(CaptureMark(.reconnection)) } }
    hasServed = true
    return RecordingTransport(line, of: .robot, to: captures)
  }

  /// Lets no further client come.
  public func close() async { await place.close() }
}
