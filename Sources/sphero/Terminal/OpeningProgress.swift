// The wait for a port that is busy or missing: a countdown on a terminal, one remark elsewhere.

import SpheroPort
import SpheroProcess
import SpheroProtocol
import SpheroSerial
import SpheroSystem
import SpheroTransport

/// Reports why a port is not open yet, and how long the program still waits.
enum OpeningProgress {
  /// Opens a port within `--wait`, or with the usual attempts of its kind without it, and reports the wait.
  static func open(
    _ opener: PortOpener, _ connection: Connection, takeover: Takeover?
  ) async throws -> any Transport {
    var policy = RetryPolicy()
    if let wait = connection.wait { policy.limit = wait }
    // Without `--wait`, a server or a robot with Bluetooth LE is tried once: see `PortOpener.open`.
    let isTriedOnce = connection.wait == nil && !connection.hasDevice
    let limit = policy.limit ?? policy.pause * (policy.attempts - 1)
    let failure = Locked<LinkError?>(nil)
    policy.onRetry = { error in failure.withLock { $0 = error } }
    let start = Program.time.now
    let reports = Task(executorPreference: Program.time) {
      var isReported = false
      while true {
        let failure = failure.withLock { $0 }
        let elapsed = Program.time.now - start
        await report(failure, elapsed, isTriedOnce ? nil : limit, isFirst: !isReported, connection)
        isReported = failure != nil
        do { try await Program.time.sleep(for: .milliseconds(250)) } catch { return }
      }
    }
    let line = await result { [policy] in
      try await opener.open(retryPolicy: isTriedOnce ? nil : policy, takeover: takeover)
    }
    reports.cancel()
    await reports.value
    try? StandardStream.error.writeBlocking(Progress.takeBack())
    return try line.get()
  }

  /// The countdown, such as `/dev/rfcomm0 is held by cat (pid 7); waiting for it, 27 s left`.
  static func line(_ failure: LinkError?, left: Duration?) -> String {
    let state = failure.map { "\($0.message); waiting for it" } ?? "connecting"
    guard let left else { return state }
    let isLastSecond = left > .zero && left < .seconds(1)
    let seconds = isLastSecond ? "less than 1" : "\(max(0, Int((left / .seconds(1)).rounded(.up))))"
    return "\(state), \(seconds) s left"
  }

  /// Reports the error of the latest attempt, if there is one.
  ///
  /// The last attempt begins after `limit`, which is nil if there is only one. `isFirst` is false after a report of an
  /// error.
  private static func report(
    _ failure: LinkError?, _ elapsed: Duration, _ limit: Duration?, isFirst: Bool,
    _ connection: Connection
  ) async {
    // The first attempt may take long, for example if a host does not answer.
    guard !connection.isQuiet, failure != nil || elapsed >= .seconds(1) else { return }
    // Without `--wait`, the limit counts only the pauses between attempts; the first one may exceed it.
    let isCounted = failure != nil || connection.wait != nil
    let line = line(failure, left: isCounted ? limit.map { $0 - elapsed } : nil)
    // Several robots would overwrite each other's line.
    if connection.label.isEmpty, Progress.isPossible {
      await Progress.show(line)
    } else if failure != nil, isFirst, connection.wait != nil {
      await Terminal().note(line, connection)
    }
  }
}
