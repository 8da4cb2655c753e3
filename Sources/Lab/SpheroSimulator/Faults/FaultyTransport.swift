// A transport and a port with planned faults.

public import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// A transport with planned, reproducible faults around either end of a line, which ``close()`` also closes.
public final class FaultyTransport: Transport {
  private let line: any Transport
  private let end: Sender
  private let time: any TimeSource
  public var clock: (any TimeSource)? { time }
  private let queues: DeliveryQueues
  /// The delivered bytes that ``read()`` returns, and those that the writer writes to the line.
  private let (incoming, outgoing) = (DeliveryQueue(), DeliveryQueue())
  /// When the outage begins; nil if none is planned.
  private let outageStart: Duration?
  private let name: String
  private let deliveryTasks: [Task<Void, Never>]
  private let writer: Task<Void, Never>
  /// The tasks that ``close()`` cancels without awaiting them.
  private let backgroundTasks: [Task<Void, Never>]

  /// Wraps a line; `end` is the side at this end of it, and `time` the clock of all delays. An outage loses the line:
  /// `read` throws `LinkError.lost`.
  public convenience init(
    _ line: some Transport, of end: Sender = .host, plan: FaultPlan, time: any TimeSource = SystemTime()
  ) {
    self.init(
      line, of: end, injector: Locked(FaultInjector(plan)),
      outageStart: plan.outage.map { time.now + $0.start }, time: time)
  }

  init(
    _ line: some Transport, of end: Sender, injector: Locked<FaultInjector>, outageStart: Duration?,
    name: String = "the line", time: any TimeSource
  ) {
    (self.line, self.end, self.name, self.outageStart, self.time) = (line, end, name, outageStart, time)
    let queues = DeliveryQueues(end, injector)
    self.queues = queues
    func startDeliveries(of queues: [DeliveryQueue], to delivered: DeliveryQueue) -> [Task<Void, Never>] {
      queues.map { queue in time.start { try? await queue.carry(by: time, to: delivered) } }
    }
    let outward = startDeliveries(of: queues.outgoing, to: outgoing)
    let inward = startDeliveries(of: queues.incoming, to: incoming)
    // One task writes for both queues, which keeps pieces contiguous.
    let writer = time.start { [line, incoming, outgoing] in
      do {
        while let piece = try await outgoing.next() { try await line.write(piece) }
      } catch {
        for deliveryTask in outward { deliveryTask.cancel() }
        if !(error is CancellationError) { incoming.finish(throwing: error) }
      }
    }
    let flusher = time.start { await queues.flushIncompletePackets(by: time) }
    let reader = time.start { [line, incoming] in
      var failure: (any Error)?
      do {
        while let bytes = try await line.read() { queues.send(bytes, from: end.opposite, at: time.now) }
      } catch { failure = error is CancellationError ? nil : error }
      queues.finish(from: end.opposite, at: time.now)
      for deliveryTask in inward { await deliveryTask.value }
      incoming.finish(throwing: failure)
    }
    var backgroundTasks = inward + [reader, flusher]
    if let outageStart {
      backgroundTasks.append(
        time.start { [line, incoming, name] in
          guard (try? await time.sleep(until: outageStart)) != nil else { return }
          incoming.finish(throwing: LinkError.lost(name))
          for task in outward + [writer] { task.cancel() }
          await line.close()
        })
    }
    (self.deliveryTasks, self.writer, self.backgroundTasks) = (outward, writer, backgroundTasks)
  }

  deinit { abandon() }

  public func read() async throws -> [UInt8]? { try await incoming.next() }

  public func write(_ bytes: [UInt8]) throws {
    if let outageStart, time.now >= outageStart { throw LinkError.lost(name) }
    queues.send(bytes, from: end, at: time.now)
  }

  /// Closes the line after the deliveries that are due within a second, but at once after an outage or a failed write.
  public func close() async {
    // So that a delayed stop command still arrives.
    let limit = time.now + .seconds(1)
    queues.finish(from: end, at: time.now)
    for (queue, task) in zip(queues.outgoing, deliveryTasks) {
      let hasPending = queue.drop(after: limit)
      // The task may sleep until the time of a dropped delivery.
      if !hasPending { task.cancel() }
    }
    let timer = time.start { [time, writer] in
      // A write to the line may block.
      if (try? await time.sleep(until: limit)) != nil { writer.cancel() }
    }
    for deliveryTask in deliveryTasks { await deliveryTask.value }
    outgoing.finish()
    await writer.value
    timer.cancel()
    await line.close()
    abandon()
  }

  private func abandon() {
    for task in deliveryTasks + [writer] + backgroundTasks { task.cancel() }
    incoming.finish()
  }
}

/// A port with planned faults and outages, whose random numbers continue from one line to the next.
public final class FaultyPort: Sendable {
  private let plan: FaultPlan
  private let name: String
  private let time: any TimeSource
  private let injector: Locked<FaultInjector>
  private let end: Sender
  /// When the outage begins; nil until the first line is opened.
  private let outageStart = Locked<Duration?>(nil)

  /// Creates a port; `end` is the side that uses its lines, `name` stands in errors, and `time` is the clock of the delays.
  public init(
    of end: Sender = .host, plan: FaultPlan, name: String = "the line", time: any TimeSource = SystemTime()
  ) {
    (self.end, self.plan, self.name, self.time) = (end, plan, name, time)
    injector = Locked(FaultInjector(plan))
  }

  /// Opens a line with faults; `open` opens the underlying line.
  ///
  /// - Throws: `LinkError.unreachable(_:)` during the outage of the plan; errors of `open`.
  nonisolated(nonsending) public func open<Line: Transport>(
    _ open: nonisolated(nonsending) () async throws -> Line
  ) async throws -> FaultyTransport {
    guard outageEnd == nil else { throw LinkError.unreachable(name) }
    let line = try await open()
    let now = time.now
    let start = outageStart.withLock { start in
      start = start ?? plan.outage.map { now + $0.start }
      return start
    }
    // The outage may have begun while the line was opened.
    guard outageEnd == nil else {
      await line.close()
      throw LinkError.unreachable(name)
    }
    return FaultyTransport(
      line, of: end, injector: injector, outageStart: start.flatMap { now < $0 ? $0 : nil },
      name: name, time: time)
  }

  /// Waits for a client, except during the outage of the plan, whose start counts from the first client.
  ///
  /// - Returns: The line to the client; nil after the listener is closed.
  /// - Throws: Errors of the listener; `CancellationError`.
  public func accept(from listener: some Listener) async throws -> FaultyTransport? {
    while true {
      if let end = outageEnd { try await time.sleep(until: end) }
      guard let line = try await listener.accept() else { return nil }
      do { return try await open { line } } catch LinkError.unreachable {
        // The outage began while no client was connected: a new client loses its line.
        await line.close()
      }
    }
  }

  /// The end of the present outage; nil if none is in progress.
  private var outageEnd: Duration? {
    guard let outage = plan.outage, let start = outageStart.withLock({ $0 }) else { return nil }
    let (now, end) = (time.now, start + outage.length)
    return start <= now && now < end ? end : nil
  }
}

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

  /// Waits for the next delivery and returns its bytes; nil at the end. It throws the error of the end.
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
/// Consecutive lines share an injector; a line delivers no bytes after the next one has begun.
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

  private var nextDeadline: Duration? {
    injector.withLock { $0.lineNumber == number ? $0.nextDeadline : nil }
  }

  /// Adds deliveries to their queues, under the injector's lock: the order of concurrent writers stays.
  private func change(_ body: (inout FaultInjector) -> [FaultInjector.Delivery]) {
    injector.withLock { injector in
      guard injector.lineNumber == number else { return }
      for delivery in body(&injector) {
        (delivery.recipient == end ? incoming : outgoing)[delivery.mayBeOvertaken ? 1 : 0].add(delivery)
      }
    }
  }
}
