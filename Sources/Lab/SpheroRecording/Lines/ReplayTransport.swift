// Lines to a recorded robot: opened from a file, or served to clients.

import SpheroSystem
public import SpheroTransport

/// A line to a recorded robot.
///
/// A second after everything has been played, the line is closed, so that a program does not reconnect.
/// In loose mode, the line stays open while the host does not stream, since it may still request the stream.
/// In strict mode, the write that differs from the recording and all later reads and writes throw its ``ReplayError``.
public final class ReplayTransport: Transport {
  private struct State {
    var replay: Replay
    var failure: ReplayError?
  }

  private let time: any TimeSource
  public var clock: (any TimeSource)? { time }
  private let state: Locked<State>
  /// Wakes the reader; ends when the line is closed.
  private let wake = AutoResetEvent()

  /// The longest sleep; times in a recording may exceed the range of a clock.
  private static let longestSleep = Duration.seconds(3_600)

  /// Opens a line; the replay begins at the first read or write.
  public init(_ replay: Replay, time: any TimeSource = SystemTime()) {
    self.time = time
    state = Locked(State(replay: replay))
  }

  /// Waits for whole packets of the robot; nil at the end of the recording and after ``close()``.
  ///
  /// - Throws: ``ReplayError``; `CancellationError`.
  public func read() async throws -> [UInt8]? {
    while true {
      let now = time.now
      let (bytes, deadline) = try state.withLock { state throws -> ([UInt8]?, Duration?) in
        if let failure = state.failure { throw failure }
        if wake.hasEnded { return (nil, nil) }
        let bytes = state.replay.output(at: now)
        if bytes.isEmpty, state.replay.isAtEnd { return (nil, nil) }
        return (bytes, state.replay.nextDeadline)
      }
      guard let bytes, bytes.isEmpty else { return bytes }
      try await sleep(until: deadline.map { min($0, now + Self.longestSleep) })
    }
  }

  private func sleep(until deadline: Duration?) async throws {
    let (time, wake) = (time, wake)
    let timer = deadline.map { deadline in
      time.start {
        do { try await time.sleep(until: deadline) } catch { return }
        wake.signal()
      }
    }
    defer { timer?.cancel() }
    _ = try await wake.wait()
  }

  /// Sends bytes to the recorded robot.
  ///
  /// - Throws: ``ReplayError/unexpected(seen:expected:)``; `LinkError.closed` after the end of the recording.
  public func write(_ bytes: [UInt8]) throws {
    let now = time.now
    defer { wake.signal() }
    try state.withLock { state throws in
      if let failure = state.failure { throw failure }
      guard !wake.hasEnded, !state.replay.isAtEnd else { throw LinkError.closed }
      do throws(ReplayError) { try state.replay.receive(bytes, at: now) } catch {
        state.failure = error
        throw error
      }
    }
  }

  public func close() { wake.finish() }
}

extension ReplayTransport {
  /// Opens a file as a robot; parameters and errors are those of ``Replay/reading(path:mode:speed:longest:)``.
  public static func open(
    path: String, mode: Replay.Mode = .loose, speed: Double = 1, time: any TimeSource = SystemTime(),
    longest: Int = Replay.maximumFileSize
  ) async throws -> ReplayTransport {
    ReplayTransport(
      try await Replay.reading(path: path, mode: mode, speed: speed, longest: longest), time: time)
  }
}

extension Replay {
  /// The default limit of the size of a file, 256 MiB.
  public static let maximumFileSize = 1 << 28

  /// Reads a recording in any `CaptureFormat` and prepares its replay.
  ///
  /// Bytes without a sender are those of the robot. `longest` is the largest size of the file in bytes.
  ///
  /// - Throws: `LinkError` if the file cannot be read; `CaptureError`; ``ReplayError``; `CancellationError`.
  public static func reading(
    path: String, mode: Mode = .loose, speed: Double = 1, longest: Int = maximumFileSize
  ) async throws -> Replay {
    var reader = CaptureReader()
    var records: [CaptureRecord] = []
    var operation = "open"
    var count = 0
    do {
      let descriptor = try System.openFile(path)
      defer { System.close(descriptor) }
      operation = "read"
      try await System.readAll(descriptor) { piece in
        count += piece?.count ?? 0
        guard count <= longest else { throw ReplayError.tooLong(limit: longest) }
        if let piece { reader.append(piece) } else { reader.finish() }
        while let record = try reader.next() { records.append(record) }
      }
    } catch let error as SystemError {
      if error.isNotFound { throw LinkError.notFound(path) }
      if error.isPermissionDenied { throw LinkError.noPermission(path) }
      throw LinkError.failed(path, operation: operation, code: error.code)
    }
    return try Replay(records, mode: mode, speed: speed)
  }
}

/// Replays a recording to one client after another, each time from the beginning.
public struct ReplayServer: Sendable {
  /// How the connection of a client ended.
  @nonexhaustive public enum Ending: Hashable, Sendable {
    /// Everything was played, and the line was closed.
    case played
    case left
    /// The client did not follow a strict recording; the error is the first difference.
    case departed(ReplayError)
  }

  private let replay: Replay
  private let time: any TimeSource

  /// Makes a server of a replay that has not begun; each client gets a copy of it.
  public init(_ replay: Replay, time: any TimeSource = SystemTime()) {
    (self.replay, self.time) = (replay, time)
  }

  /// Serves clients until the listener is closed or the task is cancelled, and calls `onEnd` after each.
  public func serve(
    _ listener: some Listener, onEnd: @Sendable (Ending) async -> Void = { _ in }
  ) async throws {
    while let line = try await listener.accept() {
      let ending = await serve(line)
      try Task.checkCancellation()
      await onEnd(ending)
    }
  }

  /// Serves one client and closes the line.
  public func serve(_ line: some Transport) async -> Ending {
    let robot = ReplayTransport(replay, time: time)
    return await withTaskGroup(of: Ending.self) { group in
      group.addTask {
        do {
          while let bytes = try await robot.read() {
            do { try await line.write(bytes) } catch { return .left }
          }
          return .played
        } catch { return (error as? ReplayError).map { .departed($0) } ?? .left }
      }
      group.addTask {
        while let bytes = try? await line.read() {
          do { try robot.write(bytes) } catch {
            return (error as? ReplayError).map { .departed($0) } ?? .played
          }
        }
        return .left
      }
      let first = await group.next() ?? .left
      group.cancelAll()
      robot.close()
      // Closing the line waits for output in transit.
      await line.close()
      return first
    }
  }
}
