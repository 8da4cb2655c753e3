// A bounded queue between producers on any thread and waiting tasks.

import SpheroSystem

/// A bounded queue that producers on any thread fill, and tasks empty in batches.
///
/// A consumer takes all queued elements with one lock and without a change of executors,
/// and suspends only while the queue is empty. Several consumers are served in the order of their waits.
package final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var dropped = 0
  }

  private let state = Locked(State())
  /// Signaled after a push; ends with the queue.
  private let event = AutoResetEvent()
  private let capacity: Int

  /// - Parameter capacity: The maximum number of queued elements; beyond it, the oldest are dropped and counted.
  package init(capacity: Int) { self.capacity = capacity }

  /// The number of elements that were dropped because the consumer was too slow.
  package var dropped: Int { state.withLock { $0.dropped } }

  /// Whether the queue has ended; queued elements can still be received.
  package var hasEnded: Bool { event.hasEnded }

  /// The number of elements that fit before one is dropped.
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
      // Fast path: the elements of a push into an empty queue are not copied.
      if state.elements.isEmpty { state.elements = elements } else { state.elements += elements }
      let surplus = state.elements.count - capacity
      if surplus > 0 {
        state.elements.removeFirst(surplus)
        state.dropped += surplus
      }
    }
    event.signal()
  }

  /// Ends the queue; queued elements are still delivered. Only the first end counts.
  ///
  /// - Parameter error: The error of further waits; with nil, they return nil.
  package func finish(throwing error: (any Error)? = nil) { event.finish(throwing: error) }

  /// Waits for elements and takes all of them; runs on the caller's actor.
  ///
  /// - Returns: At least one element, or nil at the end.
  /// - Throws: The error of the end; `CancellationError` where the task is cancelled while the queue is empty.
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
