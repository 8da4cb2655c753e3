// The bytes that have come on a line and wait for its reader, with the times they came.

package import SpheroSystem

/// Bytes that have come, in the pieces in which they did.
package struct Arrivals: Sendable {
  private var bytes: [UInt8] = []
  private var pieces: [(end: Int, time: Duration)] = []

  /// Starts without bytes.
  package init() {}

  /// Whether nothing has come.
  package var isEmpty: Bool { pieces.isEmpty }
  /// How many bytes have come.
  package var count: Int { bytes.count }
  /// All bytes.
  package var joined: [UInt8] { bytes }
  /// When the first piece came.
  var start: Duration? { pieces.first?.time }

  /// Appends a piece.
  package mutating func append(_ piece: [UInt8], at time: Duration) {
    guard !piece.isEmpty else { return }
    bytes += piece
    pieces.append((bytes.count, time))
  }

  /// Appends what a read adds to the bytes.
  mutating func append(at time: Duration, _ read: (inout [UInt8]) throws(SystemError) -> Void)
    throws(SystemError)
  {
    let count = bytes.count
    try read(&bytes)
    if bytes.count > count { pieces.append((bytes.count, time)) }
  }

  /// Makes room for what gathers, so that it is not moved.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Calls a closure with each piece and the time it came.
  package func forEachPiece(_ body: ([UInt8], Duration) -> Void) {
    // What comes alone, as most does, is handed on as it is.
    if pieces.count == 1 { return body(bytes, pieces[0].time) }
    var start = 0
    for piece in pieces {
      body(Array(bytes[start..<piece.end]), piece.time)
      start = piece.end
    }
  }
}

/// A line that can let bytes gather, so that its reader is woken once for many of them.
package protocol GatheringTransport: Transport {
  /// Waits until bytes are to be read; runs where the caller does.
  ///
  /// - Returns: False once the line has been closed and all was taken.
  /// - Throws: ``LinkError/lost(_:)`` where the other end went away; `CancellationError`.
  nonisolated(nonsending) func untilReadable() async throws -> Bool

  /// Takes what has come, without waiting.
  func takeArrivals() -> Arrivals

  /// Whether arrival times come from a clock.
  func usesClock(of time: any TimeSource) -> Bool

  /// Sets how long the first bytes that come may wait for others before the reader is woken; zero for not at all.
  func gather(for latency: Duration)
}

/// The bytes of a line between the thread that waits for them and the task that reads them.
package final class ArrivalQueue: Sendable {
  private struct State {
    var arrivals = Arrivals()
    var latency = Duration.zero
  }

  /// What has become of a read.
  package enum Outcome: Equatable, Sendable {
    /// Too much waits; nothing was read.
    case full
    /// The reader was woken.
    case reported
    /// The bytes wait for others; ``ArrivalQueue/report()`` is due after a time.
    case waits(Duration)
    /// There was nothing: the end of the line.
    case ended
  }

  /// The most bytes that wait for others.
  private static let mostGathered = 1 << 14

  private let state = Locked(State())
  /// Rings when bytes are to be read; ends with the line.
  private let bell = Bell()
  private let capacity: Int

  /// Makes an empty queue.
  ///
  /// - Parameter capacity: The bytes beyond which nothing more is read.
  package init(capacity: Int) { self.capacity = capacity }

  /// Reads, and wakes the reader unless the bytes may wait for others.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - read: Appends what has come; it must not block.
  /// - Returns: What has become of it.
  /// - Throws: What `read` throws.
  package func fill(at time: Duration, _ read: (inout [UInt8]) throws(SystemError) -> Void)
    throws(SystemError) -> Outcome
  {
    let outcome = try state.withLock { state throws(SystemError) -> Outcome in
      let count = state.arrivals.count
      guard count < capacity else { return .full }
      if count == 0, state.latency > .zero { state.arrivals.reserve(Self.mostGathered / 4) }
      try state.arrivals.append(at: time, read)
      if state.arrivals.count == count { return .ended }
      guard state.latency > .zero, state.arrivals.count < Self.mostGathered,
        let start = state.arrivals.start, start + state.latency > time
      else { return .reported }
      return .waits(start + state.latency - time)
    }
    if outcome == .reported { bell.ring() }
    return outcome
  }

  /// Wakes the reader where bytes wait.
  package func report() {
    if state.withLock({ !$0.arrivals.isEmpty }) { bell.ring() }
  }

  /// Sets how long bytes may wait for others; where that is less than before, what waits is reported.
  package func gather(for latency: Duration) {
    let wasLonger = state.withLock { state in
      defer { state.latency = latency }
      return latency < state.latency
    }
    if wasLonger { report() }
  }

  /// Ends the queue; what waits can still be taken. Only the first end counts.
  ///
  /// - Parameter error: What the reader hears after the last bytes, or nil for a plain end.
  package func finish(throwing error: (any Error)? = nil) {
    report()
    bell.finish(throwing: error)
  }

  /// Waits until bytes are to be read; runs where the caller does.
  ///
  /// - Returns: False at the end.
  /// - Throws: The error of the end; `CancellationError` where the task is cancelled while nothing is to be read.
  nonisolated(nonsending) package func untilReadable() async throws -> Bool {
    try await bell.wait(isolation: #isolation)
  }

  /// Takes what waits.
  package func take() -> Arrivals {
    state.withLock { state in
      defer { state.arrivals = Arrivals() }
      return state.arrivals
    }
  }
}
