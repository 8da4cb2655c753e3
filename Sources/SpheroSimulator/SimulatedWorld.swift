// The actor that puts robots on one floor behind transports.

public import SpheroModel
import SpheroProtocol
public import SpheroTransport

/// Robots in software on one floor, behind transports, by a clock.
///
/// All that they do is decided by a `World`; this moves bytes and keeps its deadlines.
public actor SimulatedWorld {
  /// One robot's line.
  private struct Line {
    var outgoing: Mailbox<OutputPiece>
    var hangsUp: Bool
  }

  /// How long a response or an event keeps away from the packet ahead of it; samples keep their rhythm.
  private static let slot = Duration.milliseconds(2)

  private var world: World
  private let time: any TimeSource
  private let configurations: [SimulatedRobot.Configuration]
  private var lines: [Int: Line] = [:]
  /// What waits for the next deadline of the world, and when that is.
  private var alarm: (task: Task<Void, Never>, time: Duration)?

  /// Puts robots on a floor.
  ///
  /// - Parameters:
  ///   - configurations: One for each robot.
  ///   - floor: Where they roll.
  ///   - time: The clock they live by.
  public init(
    _ configurations: [SimulatedRobot.Configuration], on floor: Floor = Floor(),
    time: any TimeSource = SystemTime()
  ) {
    (self.configurations, self.time) = (configurations, time)
    world = World(configurations.map(\.model), on: floor, at: time.now)
  }

  deinit { alarm?.task.cancel() }

  /// The robots, in the order of their configurations.
  public nonisolated var robots: [SimulatedRobot] {
    configurations.indices.map { SimulatedRobot(number: $0, in: self) }
  }

  /// A robot as it is now, or nil where there is none with this number.
  public func robot(_ number: Int) -> RobotModel? {
    world.tick(at: time.now)
    pump()
    return world.robots.indices.contains(number) ? world.robots[number] : nil
  }

  /// Does something with a robot: takes it up, shakes it, knocks against it.
  ///
  /// - Parameters:
  ///   - number: The robot.
  ///   - body: What is done; it gets the robot and the time.
  public func change(_ number: Int, _ body: @Sendable (inout RobotModel, Duration) -> Void) {
    let now = time.now
    world.change(number, at: now) { body(&$0, now) }
    pump()
  }

  /// Lets a robot live at the end of a line until the line ends or the task is cancelled.
  ///
  /// A robot has one line at a time: a second one is not served.
  func serve(_ transport: some Transport, _ number: Int) async {
    guard configurations.indices.contains(number), lines[number] == nil else { return }
    let configuration = configurations[number]
    let outgoing = Mailbox<OutputPiece>(capacity: 4_096)
    lines[number] = Line(outgoing: outgoing, hangsUp: configuration.hangsUpToSleep)
    change(number) { $0.connect(at: $1) }
    let writer = time.start { [time] in
      // Clients that take one packet from each read never catch up where two come together.
      var last: Duration?
      while let pieces = try? await outgoing.receive() {
        for piece in pieces {
          let isSample = piece.bytes.starts(with: [0xFF, 0xFE, 0x03])
          var due = piece.notBefore
          if let last, !isSample { due = max(due, last + Self.slot) }
          if due > time.now { try? await time.sleep(until: due) }
          try? await transport.write(piece.bytes)
          last = time.now
        }
      }
      // Also where the robot hangs up; otherwise the line has ended already.
      await transport.close()
    }
    // A slow line keeps its order, but what is on its way does not wait for what is ahead of it.
    let incoming = Mailbox<(bytes: [UInt8], due: Duration)>(capacity: 1 << 14)
    let courier = time.start { [time] in
      while let arrivals = try? await incoming.receive() {
        for (bytes, due) in arrivals {
          if due > time.now { try? await time.sleep(until: due) }
          await self.take(bytes, number)
        }
      }
    }
    while let bytes = try? await transport.read() {
      if configuration.latency > .zero {
        incoming.push(CollectionOfOne((bytes, time.now + configuration.latency)))
      } else {
        take(bytes, number)
      }
    }
    incoming.finish()
    await courier.value
    change(number) { $0.disconnect(at: $1) }
    outgoing.finish()
    lines[number] = nil
    if lines.isEmpty { silenceAlarm() }
    await writer.value
  }

  private func take(_ bytes: [UInt8], _ number: Int) {
    world.receive(bytes, by: number, at: time.now)
    pump()
  }

  /// Hands out what the robots send, and waits for the next deadline.
  private func pump() {
    for (number, line) in lines {
      let pieces = world.takeOutput(of: number)
      if !pieces.isEmpty { line.outgoing.push(pieces) }
      if line.hangsUp, world.robots[number].isAsleep { line.outgoing.finish() }
    }
    guard !lines.isEmpty else { return }
    guard let deadline = world.nextDeadline else { return silenceAlarm() }
    if let alarm, alarm.time <= deadline { return }
    silenceAlarm()
    let task = time.start { [weak self, time] in
      guard (try? await time.sleep(until: deadline)) != nil else { return }
      await self?.ring(deadline)
    }
    alarm = (task, deadline)
  }

  private func silenceAlarm() {
    alarm?.task.cancel()
    alarm = nil
  }

  private func ring(_ deadline: Duration) {
    guard !Task.isCancelled else { return }
    alarm = nil
    // A clock may wake a little early; what was waited for is due all the same.
    world.tick(at: max(deadline, time.now))
    pump()
  }
}
