// The pending deliveries on a faulty line, and the loops that deliver them in time.

import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// The pending deliveries of one direction, in order.
final class DeliveryQueue: Sendable {
  private struct State {
    var queue: [FaultInjector.Delivery] = []
    var waitingCount = 0
  }

  private let state = Locked(State())
  private let event = AutoResetEvent()

  /// The number of pending bytes.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// Appends a delivery unless the queue has reached the capacity of a ``PieceQueue``.
  ///
  /// A delivery is due no earlier than the previous one.
  func add(_ delivery: FaultInjector.Delivery) {
    state.withLock { state in
      guard state.queue.count < PieceQueue.maximumPieces,
        state.waitingCount + delivery.bytes.count <= PieceQueue.maximumBytes
      else { return }
      var delivery = delivery
      delivery.due = max(delivery.due, state.queue.last?.due ?? delivery.due)
      state.queue.append(delivery)
      state.waitingCount += delivery.bytes.count
    }
    event.signal()
  }

  /// Ends ``carry(by:to:)`` after the pending deliveries.
  func finish() { event.finish() }

  /// Drops the deliveries due after a time.
  ///
  /// - Returns: Whether deliveries are pending.
  func drop(after limit: Duration) -> Bool {
    state.withLock { state in
      // Due times never decrease, so the latest deliveries are at the end.
      while let last = state.queue.last, last.due > limit {
        state.waitingCount -= last.bytes.count
        state.queue.removeLast()
      }
      return !state.queue.isEmpty
    }
  }

  /// Delivers each piece at its time, until the queue is finished or the task is cancelled.
  func carry(by time: any TimeSource, to queue: PieceQueue) async throws {
    while try await event.wait() { try await deliverPending(by: time, to: queue) }
    try await deliverPending(by: time, to: queue)
  }

  private func deliverPending(by time: any TimeSource, to queue: PieceQueue) async throws {
    while let due = state.withLock({ $0.queue.first?.due }) {
      if due > time.now { try await time.sleep(until: due) }
      for piece in take(at: time.now) { queue.push(piece) }
    }
  }

  /// Removes the deliveries that are due; those with equal times form one piece.
  private func take(at now: Duration) -> [[UInt8]] {
    state.withLock { state in
      let due = state.queue.prefix { $0.due <= now }
      state.queue.removeFirst(due.count)
      var pieces: [[UInt8]] = []
      var time: Duration?
      for delivery in due {
        state.waitingCount -= delivery.bytes.count
        if delivery.due == time, !delivery.beginsRead, let last = pieces.indices.last {
          pieces[last] += delivery.bytes
        } else {
          pieces.append(delivery.bytes)
        }
        time = delivery.due
      }
      return pieces
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
