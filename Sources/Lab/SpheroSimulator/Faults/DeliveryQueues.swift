// The pending deliveries on a faulty line, and the loops that deliver them in time.

import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// Deliveries in order, for one consumer; bounded in number and in bytes.
final class DeliveryQueue: Sendable {
  private struct State {
    var deliveries = Queue<FaultInjector.Delivery>()
    var byteCount = 0

    mutating func append(_ delivery: FaultInjector.Delivery) {
      deliveries.append(delivery)
      byteCount += delivery.bytes.count
    }

    mutating func popFirst() -> FaultInjector.Delivery? {
      guard let delivery = deliveries.popFirst() else { return nil }
      byteCount -= delivery.bytes.count
      return delivery
    }
  }

  /// The capacity; a delivery that exceeds it is lost, as on a radio.
  private static let (maximumCount, maximumBytes) = (1 << 14, 1 << 20)
  private let state = Locked(State())
  private let event = AutoResetEvent()

  /// The number of pending bytes.
  var waitingCount: Int { state.withLock { $0.byteCount } }

  /// Appends a delivery, due no earlier than the previous one, unless the queue has ended or is full.
  func add(_ delivery: FaultInjector.Delivery) {
    guard !event.hasEnded else { return }
    state.withLock { state in
      guard state.deliveries.count < Self.maximumCount,
        state.byteCount + delivery.bytes.count <= Self.maximumBytes
      else { return }
      var delivery = delivery
      delivery.due = max(delivery.due, state.deliveries.last?.due ?? delivery.due)
      state.append(delivery)
    }
    event.signal()
  }

  /// Ends the queue after the pending deliveries, with the error that ``next()`` then throws; only the first call counts.
  func finish(throwing error: (any Error)? = nil) { event.finish(throwing: error) }

  /// Waits for the next delivery and returns its bytes; nil at the end.
  ///
  /// - Throws: The error of the end; `CancellationError` in a cancelled task without pending deliveries.
  func next() async throws -> [UInt8]? {
    while true {
      if let delivery = state.withLock({ $0.popFirst() }) { return delivery.bytes }
      if try await !event.wait() { return state.withLock { $0.popFirst() }?.bytes }
    }
  }

  /// Drops the deliveries due after a time; returns whether others are pending.
  func drop(after limit: Duration) -> Bool {
    state.withLock { state in
      var kept = State()
      while let delivery = state.popFirst(), delivery.due <= limit { kept.append(delivery) }
      state = kept
      return kept.deliveries.count > 0
    }
  }

  /// Moves each delivery to another queue at its time, until this one is finished or the task is cancelled.
  func carry(by time: any TimeSource, to queue: DeliveryQueue) async throws {
    while try await event.wait() { try await moveAll(by: time, to: queue) }
    try await moveAll(by: time, to: queue)
  }

  private func moveAll(by time: any TimeSource, to queue: DeliveryQueue) async throws {
    while let due = state.withLock({ $0.deliveries.first?.due }) {
      if due > time.now { try await time.sleep(until: due) }
      for delivery in take(at: time.now) { queue.add(delivery) }
    }
  }

  /// Removes the deliveries that are due; those with equal times form one.
  private func take(at now: Duration) -> [FaultInjector.Delivery] {
    state.withLock { state in
      var taken: [FaultInjector.Delivery] = []
      while let due = state.deliveries.first?.due, due <= now, let next = state.popFirst() {
        if let last = taken.indices.last, taken[last].due == due, !next.beginsRead {
          taken[last].bytes += next.bytes
        } else {
          taken.append(next)
        }
      }
      return taken
    }
  }
}

/// The queues of both directions at one end of a line: one for ordered, one for late deliveries.
///
/// Consecutive lines share an injector. A line delivers no bytes after the next one has begun,
/// so the bytes of two lines never mix.
struct DeliveryQueues: Sendable {
  let incoming = [DeliveryQueue(), DeliveryQueue()]
  let outgoing = [DeliveryQueue(), DeliveryQueue()]
  private let end: Sender
  private let injector: Locked<FaultInjector>
  private let number: Int
  /// Signaled when an incomplete packet is pending.
  private let event = AutoResetEvent()

  init(_ end: Sender, _ injector: Locked<FaultInjector>) {
    (self.end, self.injector) = (end, injector)
    number = injector.withLock { injector in
      injector.beginLine()
      return injector.lineNumber
    }
  }

  func send(_ bytes: [UInt8], from sender: Sender, at now: Duration) {
    change { $0.pass(bytes, from: sender, at: now) }
    if nextDeadline != nil { event.signal() }
  }

  /// Ends one direction: sends its incomplete packet, and finishes its queues.
  func finish(from sender: Sender, at now: Duration) {
    change { $0.release(sender, at: now) }
    for queue in sender == end ? outgoing : incoming { queue.finish() }
  }

  /// Sends incomplete packets after their timeout, until the task is cancelled.
  func flushIncompletePackets(by time: any TimeSource) async {
    while (try? await event.wait()) == true {
      while let deadline = nextDeadline {
        guard (try? await time.sleep(until: deadline)) != nil else { return }
        change { $0.advance(to: max(deadline, time.now)) }
      }
    }
  }

  /// The timeout of an incomplete packet on this line.
  private var nextDeadline: Duration? {
    injector.withLock { $0.lineNumber == number ? $0.nextDeadline : nil }
  }

  /// Adds deliveries to their queues, under the injector's lock to keep the order of concurrent writers.
  private func change(_ body: (inout FaultInjector) -> [FaultInjector.Delivery]) {
    injector.withLock { injector in
      guard injector.lineNumber == number else { return }
      for delivery in body(&injector) {
        (delivery.recipient == end ? incoming : outgoing)[delivery.mayBeOvertaken ? 1 : 0].add(delivery)
      }
    }
  }
}
