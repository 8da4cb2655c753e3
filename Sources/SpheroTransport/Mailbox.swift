// A bounded queue between producers anywhere and tasks that wait.

import SpheroSystem

/// A bounded queue that many may fill and tasks empty, a batch at a time.
///
/// A consumer takes everything that waits with one lock and without a hop to an executor,
/// and suspends only where nothing waits. Several consumers are served in the order in which they wait.
package final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var dropped = 0
  }

  private let state = Locked(State())
  /// Signaled when elements came; ends with the queue.
  private let event = AutoResetEvent()
  private let capacity: Int

  /// Makes an empty queue.
  ///
  /// - Parameter capacity: The most that waits; beyond it, the oldest elements are dropped and counted.
  package init(capacity: Int) { self.capacity = capacity }

  /// The elements that were dropped because the consumer was too slow.
  package var dropped: Int { state.withLock { $0.dropped } }

  /// Whether the queue has ended; what waits may still be taken.
  package var hasEnded: Bool { event.hasEnded }

  /// How many elements fit before one is dropped.
  package var room: Int {
    @_specialize(where Element == UInt8)
    @_specialize(where Element == TimestampedChunk)
    get { state.withLock { capacity - $0.elements.count } }
  }

  /// Appends an element, unless the queue has ended.
  package func push(_ element: Element) { push([element]) }

  /// Appends elements, unless the queue has ended.
  @_specialize(where Element == UInt8)
  @_specialize(where Element == TimestampedChunk)
  package func push(_ elements: [Element]) {
    guard !elements.isEmpty, !event.hasEnded else { return }
    state.withLock { state in
      // What comes alone, as it does from a line, is handed on as it is.
      if state.elements.isEmpty { state.elements = elements } else { state.elements += elements }
      let surplus = state.elements.count - capacity
      if surplus > 0 {
        state.elements.removeFirst(surplus)
        state.dropped += surplus
      }
    }
    event.signal()
  }

  /// Ends the queue; what waits is still delivered. Only the first end counts.
  ///
  /// - Parameter error: What the next wait throws, or nil for a plain end.
  package func finish(throwing error: (any Error)? = nil) { event.finish(throwing: error) }

  /// Waits for elements and takes all of them.
  ///
  /// Runs where the caller does, so that nothing hops.
  ///
  /// - Returns: At least one element, or nil at the end.
  /// - Throws: The error of the end, or `CancellationError` where the task is cancelled while nothing waits.
  @_specialize(where Element == UInt8)
  @_specialize(where Element == TimestampedChunk)
  nonisolated(nonsending) package func receive() async throws -> [Element]? {
    while true {
      if let elements = take() { return elements }
      if try await !event.wait(isolation: #isolation) { return take() }
    }
  }

  @_specialize(where Element == UInt8)
  @_specialize(where Element == TimestampedChunk)
  private func take() -> [Element]? {
    state.withLock { state in
      guard !state.elements.isEmpty else { return nil }
      defer { state.elements = [] }
      return state.elements
    }
  }
}
