// Writes down what crosses a line, beside the line and never in its way.

import Dispatch
public import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// Where the records of a capture go.
public protocol CaptureSink: Sendable {
  /// Takes a record; waits where there is no room, without blocking a thread for long.
  ///
  /// - Throws: Why there will be no more, in words for people; `CancellationError` where the task is cancelled.
  func write(_ record: CaptureRecord) async throws
}

/// Why a capture does not hold all that crossed the line.
public struct CaptureLoss: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many records are missing.
  public var count: Int
  /// Why, in words for people.
  public var reason: String

  /// Makes a loss from its parts.
  public init(count: Int, reason: String) { (self.count, self.reason) = (count, reason) }

  /// One sentence for people.
  public var description: String {
    "the capture is incomplete: \(count) line\(count == 1 ? " is" : "s are") missing because \(reason)"
  }

  /// What an error says about the line or the file, without the next step.
  static func reason(_ error: any Error) -> String { (error as? LinkError)?.message ?? "\(error)" }
}

/// Writes records to a sink: as many as it takes, in a task of its own.
///
/// What crosses the line is noted with the time of its clock and waits in a bounded queue.
/// Where the sink is too slow, lines are dropped, and the capture says how many in their place.
/// Where it fails, nothing more is written, and the line goes on.
/// Whoever makes a writer calls ``finish(within:)``.
public final class CaptureWriter: Sendable {
  private struct State {
    var queue: CaptureQueue
    /// Whether the sink has been handed a record that it has not taken.
    var isWriting = false
    /// Records that came after the sink had failed.
    var lost = 0
    /// Why nothing more is written, once that is so.
    var failure: String?
    /// Whether the sink has all that it will ever get.
    var hasEnded = false
    var isFinished = false

    /// Takes the next record; that before it has been written.
    mutating func next() -> CaptureRecord? {
      let record = queue.next()
      isWriting = record != nil
      return record
    }

    /// What is missing.
    var loss: CaptureLoss? {
      let count = (isWriting ? 1 : 0) + lost + queue.droppedCount + queue.count
      guard count > 0 else { return nil }
      let fallback = hasEnded ? CaptureQueue.reason : CaptureWriter.tooLate
      return CaptureLoss(count: count, reason: failure ?? fallback)
    }
  }

  private static let tooLate = "they were not read in time"

  private let time: any TimeSource
  private let start: Duration
  private let state: Locked<State>
  /// Wakes the task, and ends it.
  private let wake = Mailbox<Bool>(capacity: 1)
  /// Ends where the task has ended, or the patience with it.
  private let ended = Mailbox<Bool>(capacity: 1)
  private let task: Task<Void, Never>

  /// Starts a capture with its header.
  ///
  /// - Parameters:
  ///   - sink: Where the records go.
  ///   - header: What is known of the recording; it starts now where it does not say when.
  ///   - time: The clock of the line; times count from now.
  ///   - capacity: The memory that waiting records may take, in bytes.
  ///   - onFailure: Called once where the sink fails, while the line goes on.
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
    // A file may block its thread for a moment, which must not be one that the line needs.
    task = Task(executorPreference: CaptureExecutor()) {
      do {
        while try await wake.receive() != nil {
          while let record = state.withLock({ $0.next() }) { try await sink.write(record) }
        }
      } catch {
        let isCancelled = error is CancellationError
        let reason = isCancelled ? Self.tooLate : CaptureLoss.reason(error)
        state.withLock { $0.failure = reason }
        if !isCancelled { await onFailure(reason) }
      }
      state.withLock { $0.hasEnded = true }
      ended.finish()
    }
  }

  deinit { task.cancel() }

  /// Notes bytes that cross the line now.
  ///
  /// - Parameters:
  ///   - bytes: What was written or read at once.
  ///   - sender: Who sent them.
  /// - Returns: The time that was noted, by the clock of the line.
  @discardableResult public func passed(_ bytes: [UInt8], from sender: Sender) -> Duration {
    append { .line(CaptureLine(time: $0, from: sender, bytes: bytes)) }
  }

  /// Whether ``passed(_:from:)`` gives times of a clock.
  func usesClock(of time: any TimeSource) -> Bool { self.time.hasClock(of: time) }

  /// Notes that something happened to the line now.
  ///
  /// - Parameter mark: What happened; its time is set.
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
      // Inside the lock, so that times never run backwards.
      let now = time.now
      guard !state.isFinished else { return now }
      let record = record(now - start)
      if state.failure == nil { state.queue.append(record) } else { state.lost += 1 }
      return now
    }
  }

  /// Ends the capture: waits until everything is written, or nobody takes it.
  ///
  /// - Parameter patience: How long to wait at most, by the system's clock.
  /// - Returns: What is missing, or nil for a complete capture.
  @discardableResult
  public func finish(within patience: Duration = .seconds(1)) async -> CaptureLoss? {
    state.withLock { $0.isFinished = true }
    wake.finish()
    let (task, ended) = (task, ended)
    let timer = Task {
      try await Task.sleep(for: patience)
      task.cancel()
      // A disk that hangs cannot be cancelled.
      try await Task.sleep(for: .milliseconds(50))
      ended.finish()
    }
    // In a task of its own, so that a cancelled program waits as patiently as any other.
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
    // The job was handed over once and runs once.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
