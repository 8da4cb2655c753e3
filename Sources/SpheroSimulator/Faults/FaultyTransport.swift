// A line on which things go wrong by plan: a wrapper of any other line.

public import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// A line on which things go wrong by plan, the same each time.
///
/// It wraps either end of any line, and close ends it. Time is the one of the source given,
/// so under ``VirtualTime`` an hour of faults passes in a moment.
public final class FaultyTransport: Transport {
  /// What waits for its time in one direction.
  private final class Lane: Sendable {
    /// Beyond this the newest is lost, as on a radio.
    private static let capacity = 1 << 14
    private let queue = Locked<[FaultInjector.Delivery]>([])
    let bell = Mailbox<Void>(capacity: 1)

    func add(_ delivery: FaultInjector.Delivery) {
      queue.withLock { queue in
        guard queue.count < Self.capacity else { return }
        // Times never run backwards within a lane.
        var delivery = delivery
        delivery.due = max(delivery.due, queue.last?.due ?? delivery.due)
        queue.append(delivery)
      }
      bell.push(CollectionOfOne(()))
    }

    var nextDue: Duration? { queue.withLock { $0.first?.due } }

    /// The pieces that are due; what came together, or waited for the same moment, is one piece.
    func take(at now: Duration) -> [[UInt8]] {
      queue.withLock { queue in
        let due = queue.prefix { $0.due <= now }
        queue.removeFirst(due.count)
        var pieces: [[UInt8]] = []
        var time: Duration?
        for delivery in due {
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

  private let line: any Transport
  private let end: Sender
  private let time: any TimeSource
  private let injector: Locked<FaultInjector>
  private let incoming = Mailbox<[UInt8]>(capacity: 1 << 14)
  /// Pieces taken from the mailbox and not read yet.
  private let unread = Locked<[[UInt8]]>([])
  private let inLanes = (Lane(), Lane())
  private let outLanes = (Lane(), Lane())
  private let breaksAt: Duration?
  private let tasks = Locked<(couriers: [Task<Void, Never>], others: [Task<Void, Never>])>(([], []))

  /// Wraps a line.
  ///
  /// - Parameters:
  ///   - line: The line; it is closed together with this one.
  ///   - end: Whose end it is: the host's, or the robot's.
  ///   - plan: What goes wrong. An outage closes the line; ``FaultyPort`` brings it back.
  ///   - time: The clock for whatever is late.
  public convenience init(
    _ line: some Transport, of end: Sender = .host, plan: FaultPlan, time: any TimeSource = SystemTime()
  ) {
    self.init(
      line, of: end, injector: Locked(FaultInjector(plan)),
      breaksAt: plan.outage.map { time.now + $0.start }, time: time)
  }

  init(
    _ line: some Transport, of end: Sender, injector: Locked<FaultInjector>, breaksAt: Duration?,
    time: any TimeSource
  ) {
    (self.line, self.end, self.injector) = (line, end, injector)
    (self.breaksAt, self.time) = (breaksAt, time)
    let couriers = [outLanes.0, outLanes.1].map { lane in
      time.start { [line, incoming] in
        do {
          try await Self.carry(lane, by: time) { try await line.write($0) }
        } catch { incoming.finish(throwing: error) }
      }
    }
    let inward = [inLanes.0, inLanes.1].map { lane in
      time.start { [incoming] in
        try? await Self.carry(lane, by: time) { incoming.push(CollectionOfOne($0)) }
      }
    }
    let pump = time.start { [line, incoming, injector, inLanes, outLanes] in
      let outcome: Result<Void, any Error>
      do {
        while let bytes = try await line.read() {
          Self.send(
            bytes, from: end.opposite, of: end, through: injector, inLanes: inLanes, outLanes: outLanes,
            at: time.now)
        }
        outcome = .success(())
      } catch { outcome = .failure(error) }
      inLanes.0.bell.finish()
      inLanes.1.bell.finish()
      for courier in inward { await courier.value }
      if case .failure(let error) = outcome, !(error is CancellationError) {
        incoming.finish(throwing: error)
      } else {
        incoming.finish()
      }
    }
    var others = inward + [pump]
    if let breaksAt {
      others.append(
        time.start { [line, incoming] in
          guard (try? await time.sleep(until: breaksAt)) != nil else { return }
          incoming.finish(throwing: LinkError.lost("the line"))
          await line.close()
        })
    }
    tasks.withLock { [others] in $0 = (couriers, others) }
  }

  deinit { end(cancelling: true) }

  /// Waits for bytes, which come as the plan has it.
  public func read() async throws -> [UInt8]? {
    if let piece = takeUnread() { return piece }
    guard let pieces = try await incoming.receive() else { return nil }
    unread.withLock { $0 += pieces }
    return takeUnread()
  }

  private func takeUnread() -> [UInt8]? {
    unread.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// Sends bytes, which arrive as the plan has it.
  public func write(_ bytes: [UInt8]) throws {
    if let breaksAt, time.now >= breaksAt { throw LinkError.lost("the line") }
    Self.send(
      bytes, from: end, of: end, through: injector, inLanes: inLanes, outLanes: outLanes, at: time.now)
  }

  /// Lets what is on its way arrive, then closes the line.
  public func close() async {
    outLanes.0.bell.finish()
    outLanes.1.bell.finish()
    for courier in tasks.withLock({ $0.couriers }) { await courier.value }
    await line.close()
    end(cancelling: false)
  }

  private func end(cancelling isAbandoned: Bool) {
    let (couriers, others) = tasks.withLock { tasks in
      defer { tasks = ([], []) }
      return tasks
    }
    for task in isAbandoned ? couriers + others : others { task.cancel() }
    incoming.finish()
  }

  private static func send(
    _ bytes: [UInt8], from sender: Sender, of end: Sender, through injector: Locked<FaultInjector>,
    inLanes: (Lane, Lane), outLanes: (Lane, Lane), at now: Duration
  ) {
    // Under the lock until the lanes have it, so that two writers do not change places.
    injector.withLock { injector in
      for delivery in injector.pass(bytes, from: sender, at: now) where !delivery.bytes.isEmpty {
        let lanes = delivery.recipient == end ? inLanes : outLanes
        (delivery.mayBeOvertaken ? lanes.1 : lanes.0).add(delivery)
      }
    }
  }

  /// Delivers what a lane holds, each piece at its time.
  private static func carry(
    _ lane: Lane, by time: any TimeSource, to deliver: ([UInt8]) async throws -> Void
  ) async throws {
    while try await lane.bell.receive() != nil { try await empty(lane, by: time, to: deliver) }
    try await empty(lane, by: time, to: deliver)
  }

  private static func empty(
    _ lane: Lane, by time: any TimeSource, to deliver: ([UInt8]) async throws -> Void
  ) async throws {
    while let due = lane.nextDue {
      if due > time.now { try await time.sleep(until: due) }
      for piece in lane.take(at: time.now) { try await deliver(piece) }
    }
  }
}

/// A port behind which the line breaks and comes back by plan.
///
/// Faults go on from one line to the next, so that each line does not begin with the same ones.
public final class FaultyPort: Sendable {
  private let plan: FaultPlan
  private let time: any TimeSource
  private let injector: Locked<FaultInjector>
  private let end: Sender
  /// When the line breaks for the first time; nil until it is opened.
  private let breaksAt = Locked<Duration?>(nil)

  /// Makes a port.
  public init(of end: Sender = .host, plan: FaultPlan, time: any TimeSource = SystemTime()) {
    (self.end, self.plan, self.time) = (end, plan, time)
    injector = Locked(FaultInjector(plan))
  }

  /// Opens a line.
  ///
  /// - Parameter open: Opens the line below.
  /// - Returns: The line, with its faults.
  /// - Throws: ``LinkError/unreachable(_:)`` during the outage of the plan; what `open` throws.
  public func open<Line: Transport>(_ open: () async throws -> Line) async throws -> FaultyTransport {
    let now = time.now
    guard let outage = plan.outage else {
      return FaultyTransport(try await open(), of: end, injector: injector, breaksAt: nil, time: time)
    }
    let start = breaksAt.withLock { breaksAt in
      let start = breaksAt ?? now + outage.start
      breaksAt = start
      return start
    }
    guard now < start || now >= start + outage.length else { throw LinkError.unreachable("the line") }
    return FaultyTransport(
      try await open(), of: end, injector: injector, breaksAt: now < start ? start : nil, time: time)
  }

  /// Waits for a client; during the outage of the plan nobody is waited for.
  ///
  /// The time of the plan begins with the first client.
  ///
  /// - Parameter listener: Where clients come to.
  /// - Returns: The line to the client, with its faults, or nil once the listener is closed.
  /// - Throws: What the listener throws; `CancellationError`.
  public func accept(from listener: some Listener) async throws -> FaultyTransport? {
    while true {
      if let end = outageEnd { try await time.sleep(until: end) }
      guard let line = try await listener.accept() else { return nil }
      do { return try await open { line } } catch LinkError.unreachable {
        // Nobody was there when the outage began; who came meanwhile sees the line break.
        await line.close()
      }
    }
  }

  /// When the outage is over, where there is one now.
  private var outageEnd: Duration? {
    guard let outage = plan.outage, let start = breaksAt.withLock({ $0 }) else { return nil }
    let (now, end) = (time.now, start + outage.length)
    return start <= now && now < end ? end : nil
  }
}
