// A line with a recording at its other end.

import SpheroSystem
public import SpheroTransport

/// A line to a robot that says again what was recorded.
///
/// A second after everything has been played, reads end with nil, as on a line that was closed,
/// and writes throw ``LinkError/closed``: a program must not try to reconnect.
/// In loose mode a host that does not stream may ask on for as long as it likes.
/// A host that departs from a strict recording gets a ``ReplayError`` from the write and from every read after it.
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

  /// The longest sleep: times in a file may be far beyond what a clock takes.
  private static let longestSleep = Duration.seconds(3_600)

  /// Opens a line to a recorded robot; the replay begins with the first read or write.
  public init(_ replay: Replay, time: any TimeSource = SystemTime()) {
    self.time = time
    state = Locked(State(replay: replay))
  }

  /// Waits for what the robot says.
  ///
  /// - Returns: Whole packets, or nil at the end of the recording and once the line has been closed.
  /// - Throws: ``ReplayError`` where the host departed from the recording; `CancellationError`.
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

  /// Waits for a time, for a write or for the end of the line.
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

  /// Tells the robot something.
  ///
  /// - Throws: ``ReplayError/unexpected(seen:expected:)``; ``LinkError/closed`` at the end of the recording.
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

  /// Ends the reads.
  public func close() {
    state.withLock { $0.isClosed = true }
    wake.finish()
  }
}

extension ReplayTransport {
  /// Opens a recording as a robot.
  ///
  /// - Parameters:
  ///   - path: A file in any form that ``CaptureReader`` knows; what is not a capture is the robot's bytes.
  ///   - mode: How closely the host must follow it.
  ///   - speed: How many times faster than recorded.
  ///   - time: The clock of the replay.
  ///   - longest: The longest file, in bytes.
  /// - Returns: The open line.
  /// - Throws: `LinkError` where the file cannot be read; ``CaptureError``; ``ReplayError``; `CancellationError`.
  public static func open(
    path: String, mode: Replay.Mode = .loose, speed: Double = 1, time: any TimeSource = SystemTime(),
    longest: Int = Replay.longestFile
  ) async throws -> ReplayTransport {
    ReplayTransport(
      try await Replay.reading(path: path, mode: mode, speed: speed, longest: longest), time: time)
  }
}
