// Writes down what crosses the line of a survey, beside the line.

import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// Where a survey writes down what crosses the line.
///
/// A survey and whoever draws its conclusions share one: also what was interrupted can be judged.
public final class SurveyNotebook: Sendable {
  private let state = Locked(SurveyLog())

  /// Makes an empty notebook.
  public init() {}

  /// What has been written so far.
  public var log: SurveyLog { state.withLock { $0 } }

  func passed(_ bytes: [UInt8], from sender: Sender, at time: Duration) {
    state.withLock { $0.append(bytes, from: sender, at: time) }
  }
  func begin(_ step: String) { state.withLock { $0.begin(step) } }
  func end(_ outcome: SurveyLog.Outcome) { state.withLock { $0.end(outcome) } }

  /// The entries of a step from a place on.
  func entries(of step: String, from place: Int) -> [SurveyLog.Entry] {
    state.withLock { Array(($0.parts[step]?.entries ?? []).dropFirst(place)) }
  }
}

/// A line whose bytes are written into a notebook as they pass.
public struct SurveyTransport: Transport {
  private let line: any Transport
  private let notebook: SurveyNotebook
  private let time: any TimeSource

  /// Wraps the host's end of a line.
  public init(_ line: some Transport, to notebook: SurveyNotebook, time: any TimeSource = SystemTime()) {
    (self.line, self.notebook, self.time) = (line, notebook, time)
  }

  /// Waits for bytes of the line and writes them down.
  public func read() async throws -> [UInt8]? {
    let bytes = try await line.read()
    if let bytes { notebook.passed(bytes, from: .robot, at: time.now) }
    return bytes
  }

  /// Writes bytes down, then sends them: an answer never stands before its command.
  public func write(_ bytes: [UInt8]) async throws {
    notebook.passed(bytes, from: .host, at: time.now)
    try await line.write(bytes)
  }

  /// Closes the line.
  public func close() async { await line.close() }
}
