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
  private let deliveries: Deliveries
  /// When the outage begins; nil if none is planned.
  private let outageStart: Duration?
  private let name: String
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
    let deliveries = Deliveries(end, injector)
    let (incoming, outgoing) = (deliveries.incoming, deliveries.outgoing)
    self.deliveries = deliveries
    let writer = time.start { [line] in
      do {
        while let bytes = try await outgoing.next(by: time) { try await line.write(bytes) }
      } catch { if !(error is CancellationError) { incoming.finish(dropsAfter: time.now, throwing: error) } }
    }
    let flusher = time.start { await deliveries.flushIncompletePackets(by: time) }
    let reader = time.start { [line] in
      var failure: (any Error)?
      do {
        while let bytes = try await line.read() { deliveries.send(bytes, from: end.opposite, at: time.now) }
      } catch { failure = error is CancellationError ? nil : error }
      deliveries.finish(from: end.opposite, at: time.now, throwing: failure)
    }
    var backgroundTasks = [reader, flusher]
    if let outageStart {
      backgroundTasks.append(
        time.start { [line, name] in
          guard (try? await time.sleep(until: outageStart)) != nil else { return }
          incoming.finish(dropsAfter: time.now, throwing: LinkError.lost(name))
          writer.cancel()
          await line.close()
        })
    }
    (self.writer, self.backgroundTasks) = (writer, backgroundTasks)
  }

  deinit { abandon() }

  public func read() async throws -> [UInt8]? { try await deliveries.incoming.next(by: time) }

  public func write(_ bytes: [UInt8]) throws {
    if let outageStart, time.now >= outageStart { throw LinkError.lost(name) }
    deliveries.send(bytes, from: end, at: time.now)
  }

  /// Closes the line after the deliveries that are due within a second, but at once after an outage or a failed write.
  public func close() async {
    // So that a delayed stop command still arrives.
    let limit = time.now + .seconds(1)
    deliveries.finish(from: end, at: time.now, dropsAfter: limit)
    let timer = time.start { [time, writer] in
      // A write to the line may block.
      if (try? await time.sleep(until: limit)) != nil { writer.cancel() }
    }
    await writer.value
    timer.cancel()
    await line.close()
    abandon()
  }

  private func abandon() {
    for task in backgroundTasks + [writer] { task.cancel() }
    deliveries.incoming.finish(dropsAfter: time.now)
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

/// The deliveries of one direction in the order of their times, for one consumer; bounded in number and in bytes.
final class DeliveryQueue: Sendable {
  private struct State {
    var deliveries = Queue<FaultInjector.Delivery>()
    var byteCount = 0
    /// The latest times of the deliveries that keep their order, and of those that others may overtake.
    var (latest, latestLate) = (Duration.zero, Duration.zero)
    /// The end after the pending deliveries, with its error; nil while more may follow.
    var end: Result<Void, any Error>?

    /// Inserts a delivery, due no earlier than the previous one of its kind.
    mutating func insert(_ delivery: FaultInjector.Delivery) {
      var delivery = delivery
      if delivery.mayBeOvertaken {
        latestLate = max(latestLate, delivery.due)
        delivery.due = latestLate
      } else {
        latest = max(latest, delivery.due)
        delivery.due = latest
      }
      byteCount += delivery.bytes.count
      let isLast = deliveries.last.map { $0.due <= delivery.due } ?? true
      deliveries.append(delivery)
      if !isLast { deliveries.sort { $0.due < $1.due } }
    }

    /// Removes the bytes of the first delivery and of those that arrive in the same read; nil if none is due.
    mutating func take(at now: Duration) -> [UInt8]? {
      guard let first = deliveries.first, first.due <= now else { return nil }
      deliveries.removeFirst(1)
      var bytes = first.bytes
      while let next = deliveries.first, next.due == first.due, !next.beginsRead, !first.mayBeOvertaken {
        bytes += next.bytes
        deliveries.removeFirst(1)
      }
      byteCount -= bytes.count
      return bytes
    }
  }

  /// The capacity; a delivery that exceeds it is lost, as on a radio.
  private static let (maximumCount, maximumBytes) = (1 << 14, 1 << 20)
  private let state = Locked(State())
  /// Signaled after each change.
  private let event = AutoResetEvent()

  /// Adds a delivery, unless the queue has ended or is full.
  func add(_ delivery: FaultInjector.Delivery) {
    state.withLock { state in
      guard state.end == nil, state.deliveries.count < Self.maximumCount,
        state.byteCount + delivery.bytes.count <= Self.maximumBytes
      else { return }
      state.insert(delivery)
    }
    event.signal()
  }

  /// Ends the queue after the pending deliveries, without those due after `limit`.
  ///
  /// ``next(by:)`` then throws the error of the first end.
  func finish(dropsAfter limit: Duration? = nil, throwing error: (any Error)? = nil) {
    state.withLock { state in
      state.end = state.end ?? error.map { .failure($0) } ?? .success(())
      guard let limit else { return }
      var kept = Queue<FaultInjector.Delivery>()
      while let delivery = state.deliveries.popFirst(), delivery.due <= limit { kept.append(delivery) }
      state.deliveries = kept
    }
    event.signal()
  }

  /// Waits until a delivery is due and returns its bytes; nil at the end. It throws the error of the end.
  func next(by time: any TimeSource) async throws -> [UInt8]? {
    while true {
      let (bytes, due, end) = state.withLock { ($0.take(at: time.now), $0.deliveries.first?.due, $0.end) }
      if let bytes { return bytes }
      if due == nil, let end {
        try end.get()
        return nil
      }
      try Task.checkCancellation()
      // An earlier delivery or the end may come before the first one is due.
      let timer = due.map { due in
        time.start { [event] in if (try? await time.sleep(until: due)) != nil { event.signal() } }
      }
      defer { timer?.cancel() }
      // A consumer that is cancelled while it waits still takes the deliveries that are due.
      _ = try? await event.wait()
    }
  }
}

/// The deliveries in both directions at one end of a line.
///
/// Consecutive lines share an injector; a line delivers no bytes after the next one has begun.
struct Deliveries: Sendable {
  let incoming = DeliveryQueue()
  let outgoing = DeliveryQueue()
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

  /// Sends the incomplete packet of one direction, and ends its queue.
  func finish(
    from sender: Sender, at now: Duration, dropsAfter limit: Duration? = nil,
    throwing error: (any Error)? = nil
  ) {
    change { $0.release(sender, at: now) }
    (sender == end ? outgoing : incoming).finish(dropsAfter: limit, throwing: error)
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
        (delivery.recipient == end ? incoming : outgoing).add(delivery)
      }
    }
  }
}
