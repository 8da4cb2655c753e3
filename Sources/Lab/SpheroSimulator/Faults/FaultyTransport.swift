// A line on which things go wrong by plan: a wrapper of any other line.

public import SpheroProtocol
import SpheroSystem
public import SpheroTransport

/// A line on which things go wrong by plan, the same each time.
///
/// It wraps either end of any line, and close ends it. Time is the one of the source given,
/// so under ``VirtualTime`` an hour of faults passes in a moment.
public final class FaultyTransport: Transport {
  /// How long closing waits: as long as leaving a robot may take, so that the stop that a program says
  /// right before it closes the line arrives also where it is late by up to as much.
  private static let patience = Duration.seconds(1)

  private let line: any Transport
  private let end: Sender
  private let time: any TimeSource
  private let lanes: FaultLanes
  /// What is due to be read, and to be written.
  private let incoming = PieceQueue()
  private let outgoing = PieceQueue()
  private let breaksAt: Duration?
  /// The tasks that take what is sent from its lanes to the line.
  private let couriers: [Task<Void, Never>]
  private let writer: Task<Void, Never>
  private let others: [Task<Void, Never>]

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
    (self.line, self.end, self.breaksAt, self.time) = (line, end, breaksAt, time)
    let lanes = FaultLanes(end, injector)
    self.lanes = lanes
    func couriers(of lanes: [FaultLane], to queue: PieceQueue) -> [Task<Void, Never>] {
      lanes.map { lane in time.start { try? await lane.carry(by: time, to: queue) } }
    }
    let outward = couriers(of: lanes.outgoing, to: outgoing)
    let inward = couriers(of: lanes.incoming, to: incoming)
    // One task writes what both lanes bring, so that no piece gets into the middle of another.
    let writer = time.start { [line, incoming, outgoing] in
      do {
        while let piece = try await outgoing.next() { try await line.write(piece) }
      } catch {
        for courier in outward { courier.cancel() }
        if !(error is CancellationError) { incoming.finish(throwing: error) }
      }
    }
    let watch = time.start { await lanes.watch(by: time) }
    let pump = time.start { [line, incoming] in
      let outcome: Result<Void, any Error>
      do {
        while let bytes = try await line.read() { lanes.send(bytes, from: end.opposite, at: time.now) }
        outcome = .success(())
      } catch { outcome = .failure(error) }
      lanes.finish(from: end.opposite, at: time.now)
      for courier in inward { await courier.value }
      if case .failure(let error) = outcome, !(error is CancellationError) {
        incoming.finish(throwing: error)
      } else {
        incoming.finish()
      }
    }
    var others = inward + [pump, watch]
    if let breaksAt {
      others.append(
        time.start { [line, incoming] in
          guard (try? await time.sleep(until: breaksAt)) != nil else { return }
          incoming.finish(throwing: LinkError.lost("the line"))
          for task in outward + [writer] { task.cancel() }
          await line.close()
        })
    }
    (self.couriers, self.writer, self.others) = (outward, writer, others)
  }

  deinit { abandon() }

  /// Waits for bytes, which come as the plan has it.
  public func read() async throws -> [UInt8]? { try await incoming.next() }

  /// Sends bytes, which arrive as the plan has it.
  public func write(_ bytes: [UInt8]) throws {
    if let breaksAt, time.now >= breaksAt { throw LinkError.lost("the line") }
    lanes.send(bytes, from: end, at: time.now)
  }

  /// Lets what arrives within a second go out, drops the rest, then closes the line.
  ///
  /// Where the plan has broken the line, or a write has failed, nothing is waited for.
  public func close() async {
    let limit = time.now + Self.patience
    lanes.finish(from: end, at: time.now)
    // A courier without work may still sleep until what was dropped.
    for (lane, courier) in zip(lanes.outgoing, couriers) where !lane.drop(after: limit) { courier.cancel() }
    let timer = time.start { [time, writer] in
      // Also the line may take its time, or take no bytes at all.
      if (try? await time.sleep(until: limit)) != nil { writer.cancel() }
    }
    for courier in couriers { await courier.value }
    outgoing.finish()
    await writer.value
    timer.cancel()
    await line.close()
    abandon()
  }

  private func abandon() {
    for task in couriers + [writer] + others { task.cancel() }
    incoming.finish()
  }

  /// How many bytes wait for their time, for tests.
  var waitingCount: Int { (lanes.incoming + lanes.outgoing).reduce(0) { $0 + $1.waitingCount } }
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
