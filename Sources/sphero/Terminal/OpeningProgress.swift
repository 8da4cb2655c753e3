// The wait for a port that is busy or missing: a countdown on a terminal, one remark elsewhere.

import SpheroPort
import SpheroProcess
import SpheroProtocol
import SpheroSerial
import SpheroSystem
import SpheroTransport

/// Reports why a port is not open yet, and how long the program still waits.
final class OpeningProgress: Sendable {
  private struct State {
    /// The error of the latest attempt; nil before the first error.
    var failure: LinkError?
    /// Whether a report has seen an error.
    var isReported = false
  }

  private let connection: Connection
  private let start: Duration
  /// When the last attempt begins; nil if there is only one.
  private let deadline: Duration?
  private let state = Locked(State())

  private init(_ connection: Connection, limit: Duration?) {
    let start = Program.time.now
    (self.connection, self.start, deadline) = (connection, start, limit.map { start + $0 })
  }

  /// Opens a port within `--wait`, or with the usual attempts of its kind without it, and reports the wait.
  static func open(
    _ opener: PortOpener, _ connection: Connection, takeover: Takeover?
  ) async throws -> any Transport {
    var policy = RetryPolicy()
    if let wait = connection.wait { policy.limit = wait }
    // Without `--wait`, a server or a robot with Bluetooth LE is tried once: see `PortOpener.open`.
    let isTriedOnce = connection.wait == nil && !connection.hasDevice
    let limit = policy.limit ?? policy.pause * (policy.attempts - 1)
    let progress = OpeningProgress(connection, limit: isTriedOnce ? nil : limit)
    policy.onRetry = { failure in progress.state.withLock { $0.failure = failure } }
    let reports = Task(executorPreference: Program.time) {
      while true {
        await progress.report()
        do { try await Program.time.sleep(for: .milliseconds(250)) } catch { return }
      }
    }
    let outcome: Result<any Transport, any Error>
    do {
      outcome = .success(try await opener.open(retryPolicy: isTriedOnce ? nil : policy, takeover: takeover))
    } catch { outcome = .failure(error) }
    reports.cancel()
    await reports.value
    try? StandardStream.error.writeBlocking(Progress.takeBack())
    return try outcome.get()
  }

  /// The countdown, such as `/dev/rfcomm0 is held by cat (pid 7); waiting for it, 27 s left`.
  static func line(_ failure: LinkError?, left: Duration?) -> String {
    let state = failure.map { "\($0.message); waiting for it" } ?? "connecting"
    guard let left else { return state }
    let isLastSecond = left > .zero && left < .seconds(1)
    let seconds = isLastSecond ? "less than 1" : "\(max(0, Int((left / .seconds(1)).rounded(.up))))"
    return "\(state), \(seconds) s left"
  }

  private func report() async {
    let (failure, isFirst) = state.withLock { state in
      defer { state.isReported = state.failure != nil }
      return (state.failure, !state.isReported)
    }
    let now = Program.time.now
    // The first attempt may take long, for example if a host does not answer.
    guard !connection.isQuiet, failure != nil || now - start >= .seconds(1) else { return }
    // Without `--wait`, the deadline counts only the pauses between attempts; the first one may exceed it.
    let isCounted = failure != nil || connection.wait != nil
    let line = Self.line(failure, left: isCounted ? deadline.map { $0 - now } : nil)
    // Several robots would overwrite each other's line.
    if connection.label.isEmpty, Progress.isPossible {
      await Progress.show(line)
    } else if failure != nil, isFirst, connection.wait != nil {
      await Terminal().note(line, connection)
    }
  }
}
