// A line to a recorded robot.

import SpheroSystem
public import SpheroTransport

/// A line to a recorded robot.
///
/// A second after everything has been played, reads return nil like those of a closed line,
/// and writes throw ``LinkError/closed``, so that a program does not reconnect.
/// In loose mode, a host that does not stream may send commands without a time limit.
/// In strict mode, the write that differs from the recording and all later reads and writes throw its ``ReplayError``.
public final class ReplayTransport: Transport {
  private struct State {
    var replay: Replay
    var failure: ReplayError?
    var isClosed = false
  }

  private let time: any TimeSource
  private let state: Locked<State>
  /// Wakes the reader.
  private let wake = Mailbox<Bool>(capacity: 1)

  /// The longest sleep; times in a recording may exceed the range of a clock.
  private static let longestSleep = Duration.seconds(3_600)

  /// Opens a line; the replay begins at the first read or write.
  public init(_ replay: Replay, time: any TimeSource = SystemTime()) {
    self.time = time
    state = Locked(State(replay: replay))
  }

  /// Waits for output of the robot.
  ///
  /// - Returns: Whole packets, or nil at the end of the recording and after ``close()``.
  /// - Throws: ``ReplayError``; `CancellationError`.
  public func read() async throws -> [UInt8]? {
    while true {
      let now = time.now
      let (bytes, deadline) = try state.withLock { state throws -> ([UInt8]?, Duration?) in
        if let failure = state.failure { throw failure }
        if state.isClosed { return (nil, nil) }
        let bytes = state.replay.output(at: now)
        if bytes.isEmpty, state.replay.isAtEnd { return (nil, nil) }
        return (bytes, state.replay.nextDeadline)
      }
      guard let bytes, bytes.isEmpty else { return bytes }
      try await sleep(until: deadline.map { min($0, now + Self.longestSleep) })
    }
  }

  /// Waits for a deadline, a write or the end of the line.
  private func sleep(until deadline: Duration?) async throws {
    let (time, wake) = (time, wake)
    let timer = deadline.map { deadline in
      time.start {
        do { try await time.sleep(until: deadline) } catch { return }
        wake.push([true])
      }
    }
    defer { timer?.cancel() }
    _ = try await wake.receive()
  }

  /// Sends bytes to the robot.
  ///
  /// - Throws: ``ReplayError/unexpected(seen:expected:)``; ``LinkError/closed`` after the end of the recording.
  public func write(_ bytes: [UInt8]) throws {
    let now = time.now
    defer { wake.push([true]) }
    try state.withLock { state throws in
      if let failure = state.failure { throw failure }
      guard !state.isClosed, !state.replay.isAtEnd else { throw LinkError.closed }
      do throws(ReplayError) { try state.replay.receive(bytes, at: now) } catch {
        state.failure = error
        throw error
      }
    }
  }

  public func close() {
    state.withLock { $0.isClosed = true }
    wake.finish()
  }
}

extension ReplayTransport {
  /// Opens a file as a robot; the parameters are those of ``Replay/reading(path:mode:speed:longest:)``.
  ///
  /// - Throws: `LinkError` if the file cannot be read; ``CaptureError``; ``ReplayError``; `CancellationError`.
  public static func open(
    path: String, mode: Replay.Mode = .loose, speed: Double = 1, time: any TimeSource = SystemTime(),
    longest: Int = Replay.longestFile
  ) async throws -> ReplayTransport {
    ReplayTransport(
      try await Replay.reading(path: path, mode: mode, speed: speed, longest: longest), time: time)
  }
}
