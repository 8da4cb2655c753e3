// A line whose bytes are noted as they pass.

public import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// A line that hands every byte to captures, with its direction and time.
///
/// What this end sends is noted before the line takes it: an answer must never stand before its command,
/// since replies are matched to what was sent before them.
/// Where the line then refuses the bytes, a mark says so.
/// What the other end sends is noted when it has been read.
/// Noting never waits, so the line is as fast as without captures.
/// A session on the clock of the captures takes what comes at the very time that was noted,
/// so that a recording has the same times.
public struct RecordingTransport: Transport {
  private let line: any Transport
  private let end: Sender
  private let captures: [CaptureWriter]

  /// Wraps a line; the captures are finished by whoever made them, once the line is closed.
  ///
  /// - Parameters:
  ///   - line: The line; it is closed together with this one.
  ///   - end: Whose end it is: the host's, or the robot's.
  ///   - captures: Where the bytes are noted.
  public init(_ line: some Transport, of end: Sender = .host, to captures: [CaptureWriter]) {
    (self.line, self.end, self.captures) = (line, end, captures)
  }

  /// Waits for bytes of the line and notes them.
  ///
  /// - Returns: As the line.
  /// - Throws: As the line; where it was lost, a mark says so.
  nonisolated(nonsending) public func read() async throws -> [UInt8]? {
    try await readChunk()?.bytes
  }

  nonisolated(nonsending) private func readChunk() async throws -> TimestampedChunk? {
    do {
      guard let bytes = try await line.read() else { return nil }
      let times = captures.map { $0.passed(bytes, from: end.opposite) }
      return TimestampedChunk(bytes, at: times.first ?? .zero)
    } catch let error as LinkError {
      note(.gap, error)
      throw error
    }
  }

  /// Notes bytes, then sends them.
  ///
  /// - Throws: As the line; a mark says that it may not have taken them.
  public func write(_ bytes: [UInt8]) async throws {
    for capture in captures { capture.passed(bytes, from: end) }
    do { try await line.write(bytes) } catch {
      note(.unsent, error)
      throw error
    }
  }

  /// Closes the line.
  public func close() async { await line.close() }

  private func note(_ kind: CaptureMark.Kind, _ error: any Error) {
    let reason = error is CancellationError ? "the program was interrupted" : CaptureLoss.reason(error)
    for capture in captures { capture.note(CaptureMark(kind, reason: reason)) }
  }
}

extension RecordingTransport: TimestampedTransport {
  /// Waits for bytes of the line and notes them.
  nonisolated(nonsending) package func readChunks() async throws -> [TimestampedChunk]? {
    try await readChunk().map { [$0] }
  }

  package func usesClock(of time: any TimeSource) -> Bool {
    captures.first.map { $0.usesClock(of: time) } ?? false
  }
}
