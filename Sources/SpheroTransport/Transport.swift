// The protocols of lines and of endpoints, a pair of lines in memory, and the mailboxes behind them.

public import SpheroSystem

/// A two-way line of bytes.
public protocol Transport: Sendable {
  /// Waits for bytes; runs on the caller's actor, so that bytes need no change of threads.
  ///
  /// - Returns: At least one byte, in chunks of any size, or nil once the line has been closed.
  /// - Throws: ``LinkError/lost(_:)`` if the line is lost, ``LinkError/refused(_:)`` if the other end has another line;
  ///   `CancellationError`.
  nonisolated(nonsending) func read() async throws -> [UInt8]?

  /// Sends bytes, and returns when the line has taken all of them.
  ///
  /// - Throws: ``LinkError``; `CancellationError`.
  func write(_ bytes: [UInt8]) async throws

  /// Waits until written bytes are sent, then closes the line and ends reads. It can be called again.
  func close() async

  /// The clock of the other end, such as a simulated robot; nil for that of the computer, the default.
  var clock: (any TimeSource)? { get }
}

extension Transport {
  /// Nil: the clock of the computer.
  public var clock: (any TimeSource)? { nil }
}

/// One end of a line in memory.
public final class MemoryTransport: Transport {
  private let incoming: Mailbox<UInt8>
  private let outgoing: Mailbox<UInt8>

  private init(incoming: Mailbox<UInt8>, outgoing: Mailbox<UInt8>) {
    (self.incoming, self.outgoing) = (incoming, outgoing)
  }

  /// Creates both ends of a line; closing one ends the reads of both.
  ///
  /// Each direction queues `capacity` bytes; beyond it the oldest are lost, as on a radio.
  public static func pair(capacity: Int = 1 << 20) -> (MemoryTransport, MemoryTransport) {
    let (there, back) = (Mailbox<UInt8>(capacity: capacity), Mailbox<UInt8>(capacity: capacity))
    return (
      MemoryTransport(incoming: back, outgoing: there), MemoryTransport(incoming: there, outgoing: back)
    )
  }

  nonisolated(nonsending) public func read() async throws -> [UInt8]? { try await incoming.receive() }

  public func write(_ bytes: [UInt8]) { outgoing.push(bytes) }

  /// Ends the reads of both ends.
  public func close() {
    incoming.finish()
    outgoing.finish()
  }
}

package struct TimestampedChunk: Hashable, Sendable {
  package let bytes: [UInt8]
  /// The time by the clock of the line.
  package let time: Duration

  package init(_ bytes: [UInt8], at time: Duration) { (self.bytes, self.time) = (bytes, time) }
}

/// A line that reports the arrival times of its bytes.
package protocol TimestampedTransport: Transport {
  /// Waits for bytes as ``Transport/read()``, and returns them in the order of arrival.
  nonisolated(nonsending) func readChunks() async throws -> [TimestampedChunk]?

  func sharesClock(of time: any TimeSource) -> Bool
}

/// An endpoint that accepts one client after another.
///
/// A server accepts a client, serves its line until the line ends, and accepts the next client.
public protocol Listener: Sendable {
  /// The line to a client.
  associatedtype Line: Transport
  /// Waits for the next client.
  ///
  /// - Returns: The line to it, or nil once the listener is closed.
  /// - Throws: `CancellationError`; an error of the system if no further client can be accepted.
  func accept() async throws -> Line?
  /// Stops accepting clients, and ends the lines that ``accept()`` has returned.
  ///
  /// A pending read of such a line returns nil or throws.
  func close() async
}

/// Resumes a waiting task after a signal, which is kept for the next wait if no task waits.
///
/// Signals that no task has taken yet count as one, also if several tasks wait: a task that takes one of several elements
/// signals again for the next task. Several tasks are resumed in the order of their waits.
/// It carries no value and is not generic, so that waits in other modules need no metadata.
@usableFromInline package final class AutoResetEvent: Sendable {
  private struct State {
    var isSignaled = false
    var end: Result<Void, any Error>?
    var waiters: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
    /// The number of waits so far, which numbers the waiters.
    var count = 0

    /// Takes the signal and returns true; returns nil if there is none yet, and false at the end.
    mutating func take() throws -> Bool? {
      if isSignaled {
        isSignaled = false
        return true
      }
      try end?.get()
      return end == nil ? nil : false
    }
  }

  private let state = Locked(State())

  @usableFromInline package init() {}

  /// Whether the event has ended; a kept signal can still be taken.
  @usableFromInline package var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// Resumes a waiting task, or keeps the signal for the next wait; has no effect after the end.
  @usableFromInline package func signal() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.end == nil else { return nil }
      state.isSignaled = true
      return state.waiters.isEmpty ? nil : state.waiters.removeFirst().continuation
    }
    waiter?.resume()
  }

  /// Ends the event, and resumes all waiting tasks; further waits throw `error` or return false. Only the first end counts.
  @usableFromInline package func finish(throwing error: (any Error)? = nil) {
    let waiters = state.withLock { state in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume() }
  }

  /// Waits for a signal.
  ///
  /// Runs on the caller's actor without a change of executors; `isolation` extends that to the closures.
  ///
  /// - Returns: True after a signal; false at the end.
  /// - Throws: The error of the end; `CancellationError` if the task is cancelled before a signal.
  @usableFromInline package func wait(isolation: isolated (any Actor)? = #isolation) async throws -> Bool {
    while true {
      let (isSignaled, number) = try state.withLock { state throws in
        state.count += 1
        return (try state.take(), state.count)
      }
      if let isSignaled { return isSignaled }
      try Task.checkCancellation()
      await withTaskCancellationHandler {
        _ = isolation
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            if state.isSignaled || state.end != nil || Task.isCancelled { return true }
            state.waiters.append((number, continuation))
            return false
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        let waiter = state.withLock { state in
          state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0).continuation }
        }
        waiter?.resume()
      }
    }
  }
}

/// A bounded queue: producers on any thread append elements, and tasks take them in batches.
///
/// A consumer takes all queued elements with one lock, and suspends only while the queue is empty.
/// Its members are inlinable, so that other modules specialize them for their elements.
@usableFromInline package final class Mailbox<Element: Sendable>: Sendable {
  @usableFromInline struct State {
    @usableFromInline var elements: [Element] = []
    @usableFromInline var dropped = 0
    @inlinable init() {}
  }

  @usableFromInline let state = Locked(State())
  /// Signaled after a push; ends with the queue.
  @usableFromInline let event = AutoResetEvent()
  @usableFromInline let capacity: Int

  /// Creates a queue; beyond its capacity, the oldest elements are dropped and counted.
  @inlinable package init(capacity: Int) { self.capacity = max(0, capacity) }

  /// The number of elements that were dropped because the consumer was too slow.
  @inlinable package var dropped: Int { state.withLock { $0.dropped } }

  /// Whether the queue has ended; queued elements can still be received.
  @inlinable package var hasEnded: Bool { event.hasEnded }

  @inlinable package var room: Int { state.withLock { capacity - $0.elements.count } }

  @inlinable package func push(_ element: Element) { push([element]) }

  /// Appends elements, unless the queue has ended.
  @inlinable package func push(_ elements: [Element]) {
    guard !elements.isEmpty, !event.hasEnded else { return }
    state.withLock { state in
      state.elements += elements
      let surplus = state.elements.count - capacity
      if surplus > 0 {
        state.elements.removeFirst(surplus)
        state.dropped += surplus
      }
    }
    event.signal()
  }

  /// Ends the queue; after the queued elements, waits throw `error` or return nil. Only the first end counts.
  @inlinable package func finish(throwing error: (any Error)? = nil) { event.finish(throwing: error) }

  /// Waits for elements and takes all of them; runs on the caller's actor.
  ///
  /// - Returns: At least one element, or nil at the end.
  /// - Throws: The error of the end; `CancellationError` if the task is cancelled while the queue is empty.
  @inlinable nonisolated(nonsending) package func receive() async throws -> [Element]? {
    while true {
      if let elements = take() { return elements }
      if try await !event.wait(isolation: #isolation) { return take() }
    }
  }

  /// Waits for the first element and takes it; returns nil at the end. It throws as ``receive()``.
  @inlinable package func next() async throws -> Element? {
    while true {
      if let element = takeFirst() { return element }
      if try await !event.wait() { return takeFirst() }
    }
  }

  @inlinable func takeFirst() -> Element? {
    let (element, isEmpty) = state.withLock { state in
      (state.elements.isEmpty ? nil : state.elements.removeFirst(), state.elements.isEmpty)
    }
    // Another consumer may wait.
    if !isEmpty { event.signal() }
    return element
  }

  @inlinable func take() -> [Element]? {
    state.withLock { state in
      guard !state.elements.isEmpty else { return nil }
      defer { state.elements = [] }
      return state.elements
    }
  }
}
