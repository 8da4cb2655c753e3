// A bounded queue between a producer anywhere and one waiting task.

import SpheroSystem

/// A bounded queue that many may fill and one task empties, a batch at a time.
///
/// The consumer takes everything that waits with one lock and without a hop to an executor,
/// and suspends only where nothing waits.
package final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiter: CheckedContinuation<Void, Never>?
    var end: Result<Void, any Error>?
    var dropped = 0
  }

  private let state = Locked(State())
  private let capacity: Int

  /// Makes an empty queue.
  ///
  /// - Parameter capacity: The most that waits; beyond it, the oldest elements are dropped and counted.
  package init(capacity: Int) { self.capacity = capacity }

  /// The elements that were dropped because the consumer was too slow.
  package var dropped: Int { state.withLock { $0.dropped } }

  /// How many elements fit before one is dropped.
  package var room: Int { state.withLock { capacity - $0.elements.count } }

  /// Appends elements, unless the queue has ended.
  package func push(_ elements: some Sequence<Element> & Sendable) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.end == nil else { return nil }
      state.elements.append(contentsOf: elements)
      let surplus = state.elements.count - capacity
      if surplus > 0 {
        state.elements.removeFirst(surplus)
        state.dropped += surplus
      }
      guard !state.elements.isEmpty else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Ends the queue; what waits is still delivered. Only the first end counts.
  ///
  /// - Parameter error: What the consumer's next wait throws, or nil for a plain end.
  package func finish(throwing error: (any Error)? = nil) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Waits for elements and takes all of them.
  ///
  /// - Returns: At least one element, or nil at the end.
  /// - Throws: The error of the end, or `CancellationError` where the task is cancelled while nothing waits.
  package func receive() async throws -> [Element]? {
    while true {
      let taken = try state.withLock { state throws -> [Element]? in
        if !state.elements.isEmpty {
          defer { state.elements = [] }
          return state.elements
        }
        try state.end?.get()
        return state.end == nil ? [] : nil
      }
      guard let taken, taken.isEmpty else { return taken }
      try Task.checkCancellation()
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.elements.isEmpty || state.end != nil || Task.isCancelled { return continuation }
            // A second consumer is against the rules; the first one looks again, rather than wait for ever.
            defer { state.waiter = continuation }
            return state.waiter
          }
          ready?.resume()
        }
      } onCancel: {
        let waiter = state.withLock { state in
          defer { state.waiter = nil }
          return state.waiter
        }
        waiter?.resume()
      }
    }
  }
}
