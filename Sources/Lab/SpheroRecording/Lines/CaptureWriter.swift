// Writes captures in a separate task, so that a slow file does not delay the line.

import Dispatch
public import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// The destination of the records of a capture.
public protocol CaptureSink: Sendable {
  /// Writes a record; waits while there is no space, without blocking a thread for long.
  ///
  /// - Throws: An error that ends the capture, whose description is shown to the user; `CancellationError`.
  func write(_ record: CaptureRecord) async throws
}

/// An error that states why a capture is incomplete.
public struct CaptureLoss: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of missing records.
  public var count: Int
  /// The reason as text for people.
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
/// Records get the time of the line's clock and wait in a bounded queue.
/// If the sink is too slow, lines are dropped, and a mark states their number.
/// If it fails, nothing more is written, and the line continues.
/// The owner of a writer calls ``finish(within:)``.
public final class CaptureWriter: Sendable {
  private struct State {
    var queue: CaptureQueue
    /// Whether a record has been passed to the sink and is not written yet.
    var isWriting = false
    /// The number of records after the failure of the sink.
    var lost = 0
    /// Why the sink failed.
    var failure: String?
    /// Whether the task has ended.
    var hasEnded = false
    var isFinished = false

    /// Removes and returns the next record after the previous one has been written.
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
  /// Wakes the task; its end ends the task.
  private let wake = Mailbox<Bool>(capacity: 1)
  /// Ends with the task, or at the deadline of ``finish(within:)``.
  private let ended = Mailbox<Bool>(capacity: 1)
  private let task: Task<Void, Never>

  /// Begins a capture with a header.
  ///
  /// - Parameters:
  ///   - sink: The destination of the records.
  ///   - header: Metadata of the recording; a missing start is set to the present.
  ///   - time: The clock of the line; the times of records begin at 0 now.
  ///   - capacity: The size of the queue in bytes.
  ///   - onFailure: Called once if the sink fails before ``finish(within:)`` gives up.
  public init(
    to sink: some CaptureSink, header: CaptureHeader = CaptureHeader(),
    time: any TimeSource = SystemTime(), capacity: Int = 1 << 22,
    onFailure: @escaping @Sendable (String) async -> Void = { _ in }
  ) {
    (self.time, start) = (time, time.now)
    var header = header
    header.start = header.start ?? WallTime(sinceEpoch: time.wallClockStart + start)
    var queue = CaptureQueue(capacity: capacity)
    queue.append(.header(header))
    let state = Locked(State(queue: queue))
    self.state = state
    let (wake, ended) = (wake, ended)
    wake.push([true])
    // A file may block its thread for a moment, so the task does not use a thread of the line.
    task = Task(executorPreference: CaptureExecutor()) {
      do {
        while try await wake.receive() != nil {
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
  @discardableResult public func passed(_ bytes: [UInt8], from sender: Sender) -> Duration {
    append { .line(CaptureLine(time: $0, from: sender, bytes: bytes)) }
  }

  /// Whether the times of ``passed(_:from:)`` are those of a clock.
  func usesClock(of time: any TimeSource) -> Bool { self.time.hasClock(of: time) }

  /// Records a mark, whose time is set to the present.
  public func note(_ mark: CaptureMark) {
    _ = append { time in
      var mark = mark
      mark.time = time
      return .mark(mark)
    }
  }

  private func append(_ record: (Duration) -> CaptureRecord) -> Duration {
    defer { wake.push([true]) }
    return state.withLock { state in
      // The clock is read inside the lock, so that times never decrease.
      let now = time.now
      guard !state.isFinished else { return now }
      let record = record(now - start)
      if state.failure == nil { state.queue.append(record) } else { state.lost += 1 }
      return now
    }
  }

  /// Ends the capture: waits until everything is written, at most for a time of the system's clock.
  ///
  /// - Returns: The missing records, or nil if the capture is complete.
  @discardableResult
  public func finish(within patience: Duration = .seconds(1)) async -> CaptureLoss? {
    state.withLock { $0.isFinished = true }
    wake.finish()
    let (task, ended) = (task, ended)
    let timer = Task {
      try await Task.sleep(for: patience)
      task.cancel()
      // A write to a disk that hangs cannot be cancelled.
      try await Task.sleep(for: .milliseconds(50))
      ended.finish()
    }
    // A separate task, because this one may be cancelled.
    await Task { _ = try? await ended.receive() }.value
    timer.cancel()
    return state.withLock(\.loss)
  }
}

/// Runs the tasks of captures one after the other, on a thread that may block.
private final class CaptureExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "capture")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Each job is enqueued once and runs once.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
