// What is on its way on a faulty line, and the tasks that deliver it in time.

import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// What waits for its time in one direction, in the order of the line.
final class FaultLane: Sendable {
  private struct State {
    var queue: [FaultInjector.Delivery] = []
    var waitingCount = 0
  }

  private let state = Locked(State())
  private let event = AutoResetEvent()

  /// How many bytes wait.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// Appends a delivery, unless as much waits as a ``PieceQueue`` holds; times never run backwards within a lane.
  func add(_ delivery: FaultInjector.Delivery) {
    state.withLock { state in
      guard state.queue.count < PieceQueue.mostPieces,
        state.waitingCount + delivery.bytes.count <= PieceQueue.mostBytes
      else { return }
      var delivery = delivery
      delivery.due = max(delivery.due, state.queue.last?.due ?? delivery.due)
      state.queue.append(delivery)
      state.waitingCount += delivery.bytes.count
    }
    event.signal()
  }

  /// Lets ``carry(by:to:)`` end once nothing waits.
  func finish() { event.finish() }

  /// Drops what is due after a time.
  ///
  /// - Returns: Whether anything still waits.
  func drop(after limit: Duration) -> Bool {
    state.withLock { state in
      // Times never run backwards, so that what is too late is at the end.
      while let last = state.queue.last, last.due > limit {
        state.waitingCount -= last.bytes.count
        state.queue.removeLast()
      }
      return !state.queue.isEmpty
    }
  }

  /// Delivers what is added, each piece at its time, until the lane is finished or the task is cancelled.
  func carry(by time: any TimeSource, to queue: PieceQueue) async throws {
    while try await event.wait() { try await empty(by: time, to: queue) }
    try await empty(by: time, to: queue)
  }

  private func empty(by time: any TimeSource, to queue: PieceQueue) async throws {
    while let due = state.withLock({ $0.queue.first?.due }) {
      if due > time.now { try await time.sleep(until: due) }
      for piece in take(at: time.now) { queue.push(piece) }
    }
  }

  /// The pieces that are due; what came together, or waited for the same moment, is one piece.
  private func take(at now: Duration) -> [[UInt8]] {
    state.withLock { state in
      let due = state.queue.prefix { $0.due <= now }
      state.queue.removeFirst(due.count)
      var pieces: [[UInt8]] = []
      var time: Duration?
      for delivery in due {
        state.waitingCount -= delivery.bytes.count
        if delivery.due == time, !delivery.isApart, let last = pieces.indices.last {
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

/// The lanes of both directions at one end of a line: for what keeps its order, and for what is late.
///
/// Lines that follow each other share an injector; once the next one has begun, the one before carries nothing,
/// so that what it still had to say does not meddle with the bytes of the next.
struct FaultLanes: Sendable {
  let incoming = [FaultLane(), FaultLane()]
  let outgoing = [FaultLane(), FaultLane()]
  private let end: Sender
  private let injector: Locked<FaultInjector>
  /// Which line of the injector this is.
  private let number: Int
  /// Signaled where the head of a packet begins to wait.
  private let event = AutoResetEvent()

  init(_ end: Sender, _ injector: Locked<FaultInjector>) {
    (self.end, self.injector) = (end, injector)
    number = injector.withLock { injector in
      injector.beginLine()
      return injector.lineNumber
    }
  }

  /// Sends bytes as the plan has it.
  func send(_ bytes: [UInt8], from sender: Sender, at now: Duration) {
    change { $0.pass(bytes, from: sender, at: now) }
    if nextDeadline != nil { event.signal() }
  }

  /// Sends what waits for more, since no more will come, and lets the lanes end.
  func finish(from sender: Sender, at now: Duration) {
    change { $0.release(sender, at: now) }
    for lane in sender == end ? outgoing : incoming { lane.finish() }
  }

  /// Lets go the heads of packets whose rest stays away, until the task is cancelled.
  func watch(by time: any TimeSource) async {
    while (try? await event.wait()) == true {
      while let deadline = nextDeadline {
        guard (try? await time.sleep(until: deadline)) != nil else { return }
        change { $0.advance(to: max(deadline, time.now)) }
      }
    }
  }

  /// When the head of a packet on this line has waited for too long.
  private var nextDeadline: Duration? {
    injector.withLock { $0.lineNumber == number ? $0.nextDeadline : nil }
  }

  /// Puts deliveries on their lanes; under the injector's lock, so that two writers do not change places.
  private func change(_ body: (inout FaultInjector) -> [FaultInjector.Delivery]) {
    injector.withLock { injector in
      guard injector.lineNumber == number else { return }
      for delivery in body(&injector) {
        (delivery.recipient == end ? incoming : outgoing)[delivery.mayBeOvertaken ? 1 : 0].add(delivery)
      }
    }
  }
}
