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

  /// The pieces and bytes that wait; beyond them the newest are lost, as on a radio.
  private static let (mostPieces, mostBytes) = (1 << 14, 1 << 20)
  private let state = Locked(State())
  private let bell = Mailbox<Void>(capacity: 1)

  /// How many bytes wait.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// Appends a delivery; times never run backwards within a lane.
  func add(_ delivery: FaultInjector.Delivery) {
    state.withLock { state in
      guard state.queue.count < Self.mostPieces, state.waitingCount + delivery.bytes.count <= Self.mostBytes
      else { return }
      var delivery = delivery
      delivery.due = max(delivery.due, state.queue.last?.due ?? delivery.due)
      state.queue.append(delivery)
      state.waitingCount += delivery.bytes.count
    }
    bell.push(CollectionOfOne(()))
  }

  /// Lets ``carry(by:to:)`` end once nothing waits.
  func finish() { bell.finish() }

  /// Delivers what is added, each piece at its time, until the lane is finished.
  func carry(by time: any TimeSource, to deliver: ([UInt8]) async throws -> Void) async throws {
    while try await bell.receive() != nil { try await empty(by: time, to: deliver) }
    try await empty(by: time, to: deliver)
  }

  private func empty(by time: any TimeSource, to deliver: ([UInt8]) async throws -> Void) async throws {
    while let due = state.withLock({ $0.queue.first?.due }) {
      if due > time.now { try await time.sleep(until: due) }
      for piece in take(at: time.now) { try await deliver(piece) }
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
struct FaultLanes: Sendable {
  let incoming = [FaultLane(), FaultLane()]
  let outgoing = [FaultLane(), FaultLane()]
  private let end: Sender
  private let injector: Locked<FaultInjector>
  /// Rings where the head of a packet begins to wait.
  private let bell = Mailbox<Void>(capacity: 1)

  init(_ end: Sender, _ injector: Locked<FaultInjector>) {
    (self.end, self.injector) = (end, injector)
    injector.withLock { $0.beginLine() }
  }

  /// Sends bytes as the plan has it.
  func send(_ bytes: [UInt8], from sender: Sender, at now: Duration) {
    let waits = injector.withLock { injector in
      add(injector.pass(bytes, from: sender, at: now))
      return injector.nextDeadline != nil
    }
    if waits { bell.push(CollectionOfOne(())) }
  }

  /// Sends what waits for more, since no more will come, and lets the lanes end.
  func finish(from sender: Sender, at now: Duration) {
    injector.withLock { add($0.release(sender, at: now)) }
    for lane in sender == end ? outgoing : incoming { lane.finish() }
  }

  /// Lets go the heads of packets whose rest stays away, until the task is cancelled.
  func watch(by time: any TimeSource) async {
    while (try? await bell.receive()) != nil {
      while let deadline = injector.withLock({ $0.nextDeadline }) {
        guard (try? await time.sleep(until: deadline)) != nil else { return }
        injector.withLock { add($0.advance(to: max(deadline, time.now))) }
      }
    }
  }

  /// Puts deliveries on their lanes; under the injector's lock, so that two writers do not change places.
  private func add(_ deliveries: [FaultInjector.Delivery]) {
    for delivery in deliveries {
      (delivery.recipient == end ? incoming : outgoing)[delivery.mayBeOvertaken ? 1 : 0].add(delivery)
    }
  }
}
