// A transport and a port with planned faults.

public import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// A transport with planned, reproducible faults.
///
/// It wraps either end of a line, and ``close()`` also closes that line. All delays use the given time source:
/// under `VirtualTime` an hour of faults takes a moment.
public final class FaultyTransport: Transport {
  /// How long ``close()`` waits for pending deliveries, so that a delayed stop command still arrives.
  private static let gracePeriod = Duration.seconds(1)

  private let line: any Transport
  private let end: Sender
  private let time: any TimeSource
  /// The clock of the delays.
  public var clock: (any TimeSource)? { time }
  private let queues: DeliveryQueues
  /// The delivered bytes that ``read()`` returns.
  private let incoming = DeliveryQueue()
  /// The delivered bytes that the writer writes to the line.
  private let outgoing = DeliveryQueue()
  /// When the outage begins; nil if none is planned.
  private let outageStart: Duration?
  /// The name of the port in errors.
  private let name: String
  /// The tasks that deliver from the outgoing queues.
  private let deliveryTasks: [Task<Void, Never>]
  private let writer: Task<Void, Never>
  /// The tasks that ``close()`` cancels without awaiting them.
  private let backgroundTasks: [Task<Void, Never>]

  /// Wraps a line; `end` is the side at this end of the line, and `time` the clock of the delays.
  ///
  /// An outage of the plan loses the line: `read` throws `LinkError.lost`. ``FaultyPort`` opens it again.
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
    self.name = name
    (self.line, self.end, self.outageStart, self.time) = (line, end, outageStart, time)
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
      let outcome: Result<Void, any Error>
      do {
        while let bytes = try await line.read() { queues.send(bytes, from: end.opposite, at: time.now) }
        outcome = .success(())
      } catch { outcome = .failure(error) }
      queues.finish(from: end.opposite, at: time.now)
      for deliveryTask in inward { await deliveryTask.value }
      if case .failure(let error) = outcome, !(error is CancellationError) {
        incoming.finish(throwing: error)
      } else {
        incoming.finish()
      }
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

  /// Closes the line after the deliveries that are due within a second; drops the others.
  ///
  /// Does not wait after an outage or a failed write.
  public func close() async {
    let limit = time.now + Self.gracePeriod
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

  /// The number of pending bytes, for tests.
  var waitingCount: Int { (queues.incoming + queues.outgoing).reduce(0) { $0 + $1.waitingCount } }
}

/// A port with planned faults and outages.
///
/// The random numbers continue from one line to the next: lines have different faults.
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
  /// - Returns: The line to the client, with its faults, or nil after the listener is closed.
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
