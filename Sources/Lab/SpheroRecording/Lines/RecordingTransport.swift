// Transports and listeners that record their bytes in captures.

public import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// A line that records all bytes with their direction and time in captures.
///
/// Bytes of this end are recorded before they are written, because a response must follow its command in a capture;
/// a mark records a failed write. Bytes of the other end are recorded when they have been read.
/// Recording never waits, so it does not slow down the line.
/// A session on the clock of the captures uses the recorded times, so that a recording reproduces its samples exactly.
public struct RecordingTransport: Transport {
  private let line: any Transport
  private let end: Sender
  private let captures: [CaptureWriter]

  /// Wraps a line; the owner of the captures finishes them after the line has been closed.
  ///
  /// - Parameters:
  ///   - line: The line, which is closed together with this one.
  ///   - end: The end of the line that writes to it.
  ///   - captures: The captures.
  public init(_ line: some Transport, of end: Sender = .host, to captures: [CaptureWriter]) {
    (self.line, self.end, self.captures) = (line, end, captures)
  }

  /// Reads bytes and records them.
  ///
  /// - Throws: The errors of the line; a mark records a lost line.
  nonisolated(nonsending) public func read() async throws -> [UInt8]? {
    try await readChunk()?.bytes
  }

  nonisolated(nonsending) private func readChunk() async throws -> TimestampedChunk? {
    do {
      guard let bytes = try await line.read() else { return nil }
      let times = captures.map { $0.passed(bytes, from: end.opposite) }
      return TimestampedChunk(bytes, at: times.first ?? .zero)
    } catch let error as LinkError {
      record(.gap, error)
      throw error
    }
  }

  /// Records bytes and writes them.
  ///
  /// - Throws: The errors of the line; a mark states that the bytes may not have been transmitted.
  public func write(_ bytes: [UInt8]) async throws {
    for capture in captures { capture.passed(bytes, from: end) }
    do { try await line.write(bytes) } catch {
      record(.unsent, error)
      throw error
    }
  }

  public func close() async { await line.close() }

  private func record(_ kind: CaptureMark.Kind, _ error: any Error) {
    let reason = error is CancellationError ? "the program was interrupted" : CaptureLoss.reason(error)
    for capture in captures { capture.note(CaptureMark(kind, reason: reason)) }
  }
}

extension RecordingTransport: TimestampedTransport {
  nonisolated(nonsending) package func readChunks() async throws -> [TimestampedChunk]? {
    try await readChunk().map { [$0] }
  }

  package func usesClock(of time: any TimeSource) -> Bool {
    captures.first.map { $0.usesClock(of: time) } ?? false
  }
}

/// A listener whose lines are recorded in captures; a mark separates successive clients.
public actor RecordingListener<Place: Listener>: Listener {
  private let place: Place
  private let captures: [CaptureWriter]
  private var hasServed = false

  /// Wraps a listener; the owner of the captures finishes them.
  public init(_ place: Place, to captures: [CaptureWriter]) {
    (self.place, self.captures) = (place, captures)
  }

  public func accept() async throws -> RecordingTransport? {
    guard let line = try await place.accept() else { return nil }
    if hasServed { for capture in captures { capture.note(CaptureMark(.reconnection)) } }
    hasServed = true
    return RecordingTransport(line, of: .robot, to: captures)
  }

  public func close() async { await place.close() }
}
