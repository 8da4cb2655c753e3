// Records a line in captures; a separate task writes them, so that a slow file does not delay the line.

import Dispatch
public import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// A line that records all bytes with their direction and time in captures.
///
/// Bytes of this end are recorded before they are written, because a response must follow its command in a capture.
/// Recording never waits, so it does not slow down the line.
/// A session on the clock of the captures uses the recorded times, so that a recording reproduces its samples exactly.
public struct RecordingTransport: Transport {
  private let line: any Transport
  private let end: Sender
  private let captures: [CaptureWriter]
  public var clock: (any TimeSource)? { line.clock }

  /// Wraps a line; `end` is the sender of the written bytes. The owner finishes the captures after the close.
  public init(_ line: some Transport, of end: Sender = .host, to captures: [CaptureWriter]) {
    (self.line, self.end, self.captures) = (line, end, captures)
  }

  /// Reads bytes and records them; a mark records a lost line.
  nonisolated(nonsending) public func read() async throws -> [UInt8]? {
    try await readChunks()?.first?.bytes
  }

  /// Records bytes and writes them; after an error, a mark states that they may not have been transmitted.
  public func write(_ bytes: [UInt8]) async throws {
    for capture in captures { capture.record(bytes, from: end) }
    do { try await line.write(bytes) } catch {
      record(.unsent, error)
      throw error
    }
  }

  public func close() async { await line.close() }

  private func record(_ kind: CaptureMark.Kind, _ error: any Error) {
    let reason = error is CancellationError ? "the program was interrupted" : CaptureLoss.reason(error)
    for capture in captures { capture.record(CaptureMark(kind, reason: reason)) }
  }
}

extension RecordingTransport: TimestampedTransport {
  nonisolated(nonsending) package func readChunks() async throws -> [TimestampedChunk]? {
    do {
      guard let bytes = try await line.read() else { return nil }
      let times = captures.map { $0.record(bytes, from: end.opposite) }
      return [TimestampedChunk(bytes, at: times.first ?? .zero)]
    } catch let error as LinkError {
      record(.gap, error)
      throw error
    }
  }

  package func sharesClock(of time: any TimeSource) -> Bool {
    captures.first.map { $0.sharesClock(of: time) } ?? false
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
    if hasServed { for capture in captures { capture.record(CaptureMark(.reconnection)) } }
    hasServed = true
    return RecordingTransport(line, of: .robot, to: captures)
  }

  public func close() async { await place.close() }
}

/// The destination of the records of a capture.
public protocol CaptureSink: Sendable {
  /// Writes a record; waits while there is no space, without blocking a thread for long.
  ///
  /// - Throws: An error that ends the capture, whose description is shown to the user; `CancellationError`.
  func write(_ record: CaptureRecord) async throws
}

/// An error that states why a capture is incomplete.
public struct CaptureLoss: Error, Hashable, Sendable, CustomStringConvertible {
  public var count: Int
  public var reason: String

  public init(count: Int, reason: String) { (self.count, self.reason) = (count, reason) }

  /// The loss as one sentence without a full stop.
  public var description: String {
    "the capture is incomplete: \(count) line\(count == 1 ? " is" : "s are") missing because \(reason)"
  }

  /// The message of an error of a line or a file, without advice.
  static func reason(_ error: any Error) -> String { (error as? LinkError)?.message ?? "\(error)" }
}

/// Writes records to a sink in a separate task.
///
/// Records get the time of the line's clock and wait in a bounded queue. If the sink is too slow, lines are dropped, and a
/// mark states their number. If it fails, the line continues. The owner of a writer calls ``finish(within:)``.
public final class CaptureWriter: Sendable {
  private struct State {
    var queue: CaptureQueue
    /// Whether a record has been passed to the sink and is not written yet.
    var isWriting = false
    /// The number of records after the failure of the sink.
    var lost = 0
    /// The reason why the sink has failed; nil while it works.
    var failure: String?
    var hasEnded = false

    mutating func next() -> CaptureRecord? {
      let record = queue.next()
      isWriting = record != nil
      return record
    }

    var loss: CaptureLoss? {
      let count = (isWriting ? 1 : 0) + lost + queue.droppedCount + queue.count
      guard count > 0 else { return nil }
      let fallback = hasEnded ? CaptureQueue.reason : CaptureWriter.timeoutReason
      return CaptureLoss(count: count, reason: failure ?? fallback)
    }
  }

  private static let timeoutReason = "they were not read in time"

  private let time: any TimeSource
  private let start: Duration
  private let state: Locked<State>
  /// Wakes the task; ends with ``finish(within:)``, which ends the task, and later records are ignored.
  private let wake = AutoResetEvent()
  /// Ends with the task, or at the deadline of ``finish(within:)``.
  private let ended = AutoResetEvent()
  private let task: Task<Void, Never>

  /// Begins a capture with a header, whose start is set to the present if it is nil.
  ///
  /// `time` is the line's `Transport.clock`, or nil for that of the computer; the times of records begin at 0 now.
  /// `capacity` is in bytes.
  /// `onFailure` is called once if the sink fails before ``finish(within:)`` gives up.
  public init(
    to sink: some CaptureSink, header: CaptureHeader = CaptureHeader(),
    time: (any TimeSource)? = nil, capacity: Int = 1 << 22,
    onFailure: @escaping @Sendable (String) async -> Void = { _ in }
  ) {
    let time = time ?? SystemTime()
    (self.time, start) = (time, time.now)
    var header = header
    header.start = header.start ?? WallTime(sinceEpoch: time.wallClockStart + start)
    var queue = CaptureQueue(capacity: capacity)
    queue.append(.header(header))
    let state = Locked(State(queue: queue))
    self.state = state
    let (wake, ended) = (wake, ended)
    wake.signal()
    // A file may block its thread for a moment, so the task does not use a thread of the line.
    task = Task(executorPreference: CaptureExecutor()) {
      do {
        while try await wake.wait() {
          while let record = state.withLock({ $0.next() }) { try await sink.write(record) }
        }
      } catch {
        let isCancelled = error is CancellationError
        let reason = isCancelled ? Self.timeoutReason : CaptureLoss.reason(error)
        state.withLock { $0.failure = reason }
        if !isCancelled { await onFailure(reason) }
      }
      state.withLock { $0.hasEnded = true }
      ended.finish()
    }
  }

  deinit { task.cancel() }

  /// Records bytes that were written or read at once, and returns the recorded time of the line's clock.
  @discardableResult public func record(_ bytes: [UInt8], from sender: Sender) -> Duration {
    append { .line(CaptureLine(time: $0, from: sender, bytes: bytes)) }
  }

  func sharesClock(of time: any TimeSource) -> Bool { self.time.sharesClock(of: time) }

  /// Records a mark, whose time is set to the present.
  public func record(_ mark: CaptureMark) {
    _ = append { time in
      var mark = mark
      mark.time = time
      return .mark(mark)
    }
  }

  private func append(_ record: (Duration) -> CaptureRecord) -> Duration {
    defer { wake.signal() }
    return state.withLock { state in
      // The clock is read inside the lock, so that times never decrease.
      let now = time.now
      guard !wake.hasEnded else { return now }
      let record = record(now - start)
      if state.failure == nil { state.queue.append(record) } else { state.lost += 1 }
      return now
    }
  }

  /// Waits until everything is written, at most `timeout` by the clock of the system; returns the missing records, or nil if the
  /// capture is complete.
  @discardableResult
  public func finish(within timeout: Duration = .seconds(1)) async -> CaptureLoss? {
    wake.finish()
    let (task, ended) = (task, ended)
    let timer = Task {
      try await Task.sleep(for: timeout)
      task.cancel()
      // A write to a disk that hangs cannot be cancelled.
      try await Task.sleep(for: .milliseconds(50))
      ended.finish()
    }
    // A separate task, because this one may be cancelled.
    await Task { _ = try? await ended.wait() }.value
    timer.cancel()
    return state.withLock(\.loss)
  }
}

/// Runs the jobs of a capture's task one after the other, on a thread that may block.
private final class CaptureExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "capture")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Each job is enqueued once and runs once.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// A file that stores the records of one capture as lines; the first record for a named pipe waits for a reader.
public actor CaptureFile: CaptureSink {
  private let path: String
  private let isReplacing: Bool
  private var descriptor: Int32?

  /// Creates a file; an existing one with content is emptied if `isReplacing`, else it is an error.
  ///
  /// Open the robot's line first, so that a failure to connect does not cost an earlier capture.
  ///
  /// - Throws: `LinkError.failed(_:operation:code:)`.
  public init(_ path: String, isReplacing: Bool = true) throws(LinkError) {
    (self.path, self.isReplacing) = (path, isReplacing)
    descriptor = try Self.open(path, isReplacing: isReplacing)
  }

  deinit { if let descriptor { System.close(descriptor) } }

  /// The descriptor, or nil for a named pipe without a reader.
  private static func open(_ path: String, isReplacing: Bool) throws(LinkError) -> Int32? {
    do throws(SystemError) { return try System.createFile(path, isReplacing: isReplacing) } catch {
      if error.hasNoReader, System.isPipe(path) { return nil }
      throw .failed(path, operation: "create", code: error.code)
    }
  }

  /// Appends a record; waits while a pipe is full or has no reader.
  ///
  /// - Throws: `LinkError`, for example if the disk is full or the reader has closed the pipe; `CancellationError`.
  public func write(_ record: CaptureRecord) async throws {
    let descriptor = try await opened()
    var rest = Array("\(record)\n".utf8)[...]
    while !rest.isEmpty {
      let count: Int
      do throws(SystemError) { count = try System.writeWithoutSignal(descriptor, rest) } catch {
        throw LinkError.failed(path, operation: "write", code: error.code)
      }
      rest = rest.dropFirst(count)
      if count == 0 { try await Task.sleep(for: Self.retryInterval) }
    }
  }

  /// The interval at which a pipe that is full or has no reader is tried again.
  private static let retryInterval = Duration.milliseconds(5)

  private func opened() async throws -> Int32 {
    while true {
      if let descriptor { return descriptor }
      descriptor = try Self.open(path, isReplacing: isReplacing)
      if descriptor == nil { try await Task.sleep(for: Self.retryInterval) }
    }
  }
}
