// A bounded queue between producers anywhere and tasks that wait.

import SpheroSystem

/// A bounded queue that many may fill and tasks empty, a batch at a time.
///
/// A consumer takes everything that waits with one lock and without a hop to an executor,
/// and suspends only where nothing waits. Several consumers are served in the order in which they wait.
package final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiters: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var count = 0
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

  /// Whether the queue has ended; what waits may still be taken.
  package var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// How many elements fit before one is dropped.
  package var room: Int { state.withLock { capacity - $0.elements.count } }

  /// Appends an element, unless the queue has ended.
  package func push(_ element: Element) { push { $0.append(element) } }

  /// Appends elements, unless the queue has ended.
  package func push(_ elements: some Sequence<Element> & Sendable) {
    push { $0.append(contentsOf: elements) }
  }

  private func push(_ append: (inout [Element]) -> Void) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.end == nil else { return nil }
      append(&state.elements)
      let surplus = state.elements.count - capacity
      if surplus > 0 {
        state.elements.removeFirst(surplus)
        state.dropped += surplus
      }
      guard !state.elements.isEmpty, !state.waiters.isEmpty else { return nil }
      return state.waiters.removeFirst().continuation
    }
    waiter?.resume()
  }

  /// Ends the queue; what waits is still delivered. Only the first end counts.
  ///
  /// - Parameter error: What the next wait throws, or nil for a plain end.
  package func finish(throwing error: (any Error)? = nil) {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      defer { state.waiters = [] }
      return state.waiters.map { $0.continuation }
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits for elements and takes all of them.
  ///
  /// Runs where the caller does, so that nothing hops.
  ///
  /// - Returns: At least one element, or nil at the end.
  /// - Throws: The error of the end, or `CancellationError` where the task is cancelled while nothing waits.
  nonisolated(nonsending) package func receive() async throws -> [Element]? {
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
      await wait()
    }
  }

  /// Suspends until there may be something to take.
  nonisolated(nonsending) private func wait() async {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.elements.isEmpty || state.end != nil || Task.isCancelled { return true }
          state.waiters.append((number, continuation))
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard let place = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
        return state.waiters.remove(at: place).continuation
      }
      waiter?.resume()
    }
  }
}
