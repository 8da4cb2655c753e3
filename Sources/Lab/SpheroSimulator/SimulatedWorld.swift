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
    /// Whether its robot has been awake since the line came: only who falls asleep hangs up.
    var hasBeenAwake = false
  }

  private var world: World
  /// The clock that the robots live by.
  public nonisolated let time: any TimeSource
  private let configurations: [SimulatedRobot.Configuration]
  private var lines: [Int: Line] = [:]
  /// How many robots are served by listeners: for them time goes on between clients.
  private var listeners = 0
  /// By how much the world's time is behind the clock: what the machine could not make up for.
  private var lost = Duration.zero
  /// The world's time that has been reached.
  private var reached: Duration
  /// What waits for the next deadline of the world, and when that is.
  private var alarm: (task: Task<Void, Never>, time: Duration)?
  /// What a hand does from the first bytes on.
  private let script: HandScript
  private var hand: Task<Void, Never>?
  /// What waits for the time at which a robot is to fall asleep; one for each robot that has had a client.
  private var naps: [Int: Task<Void, Never>] = [:]

  /// Puts robots on a floor.
  ///
  /// - Parameters:
  ///   - configurations: One for each robot.
  ///   - floor: Where they roll.
  ///   - script: What a hand does with them; its times count from the first bytes that any of them hears.
  ///   - time: The clock they live by.
  public init(
    _ configurations: [SimulatedRobot.Configuration], on floor: Floor = Floor(),
    script: HandScript = HandScript(), time: any TimeSource = SystemTime()
  ) {
    (self.configurations, self.script, self.time) = (configurations, script, time)
    reached = time.now
    world = World(configurations.map(\.model), on: floor, at: reached)
  }

  deinit {
    alarm?.task.cancel()
    hand?.cancel()
    for nap in naps.values { nap.cancel() }
  }

  /// The robots, in the order of their configurations.
  public nonisolated var robots: [SimulatedRobot] {
    configurations.indices.map { SimulatedRobot(number: $0, in: self) }
  }

  /// A robot as it is now, or nil where there is none with this number.
  public func robot(_ number: Int) -> RobotModel? {
    advance()
    pump()
    return world.robots.indices.contains(number) ? world.robots[number] : nil
  }

  /// Does something with a robot: takes it up, shakes it, knocks against it.
  ///
  /// - Parameters:
  ///   - number: The robot.
  ///   - body: What is done; it gets the robot and the time.
  public func change(_ number: Int, _ body: @Sendable (inout RobotModel, Duration) -> Void) {
    let now = advance()
    world.change(number, at: now) { body(&$0, now) }
    pump()
  }

  // MARK: Time

  /// A world that is later than this has stood still with its machine: that time is lost, not caught up with.
  private static let latest = Duration.seconds(1)
  /// What moving the world may take without being looked at.
  private static let quick = Duration.milliseconds(10)

  /// Brings the world to the present, and says which time it is there.
  ///
  /// A machine that is too slow for so many robots must not owe them ever more time:
  /// where moving the world takes longer than half of what it moves by, what it takes is lost, and the world runs slower.
  @discardableResult private func advance(atLeast least: Duration = .zero) -> Duration {
    let begin = time.now
    if let due = world.nextDeadline, begin - lost - due > Self.latest { lost = begin - due - Self.latest }
    let now = max(begin - lost, least, reached)
    world.tick(at: now)
    let spent = time.now - begin
    if spent > Self.quick, spent > (now - reached) / 2 { lost += spent }
    reached = now
    return now
  }

  /// Does what a script says, from now on, and returns when it is over or the task is cancelled.
  ///
  /// - Parameter script: What a hand does; a robot that there is not is ignored.
  public func perform(_ script: HandScript) async {
    await Self.play(script, by: time) { await self.perform($0) }
  }

  private static func play(
    _ script: HandScript, by time: any TimeSource, _ perform: @Sendable (HandScript.Step) async -> Void
  ) async {
    let start = time.now
    for step in script.steps {
      let due = start + step.time
      if due > time.now { try? await time.sleep(until: due) }
      guard !Task.isCancelled else { return }
      await perform(step)
    }
  }

  private func perform(_ step: HandScript.Step) {
    change(step.robot) { $0.perform(step.action, at: $1) }
    if step.action == .hangUp { lines[step.robot]?.outgoing.finish() }
  }

  /// Begins the script with the first bytes that a robot hears.
  private func beginScript() {
    guard hand == nil, !script.steps.isEmpty else { return }
    hand = time.start { [weak self, script, time] in
      await Self.play(script, by: time) { [weak self] in await self?.perform($0) }
    }
  }

  /// Lets a robot live at the end of a line until the line ends or the task is cancelled.
  ///
  /// A robot has one line at a time: a second one is closed at once.
  func serve(_ transport: some Transport, _ number: Int) async {
    guard configurations.indices.contains(number), lines[number] == nil else {
      return await transport.close()
    }
    let configuration = configurations[number]
    let outgoing = Mailbox<OutputPiece>(capacity: 4_096)
    lines[number] = Line(outgoing: outgoing, hangsUp: configuration.hangsUpToSleep)
    change(number) { $0.connect(at: $1) }
    if let delay = configuration.napDelay, naps[number] == nil {
      naps[number] = time.start { [weak self, time] in
        guard (try? await time.sleep(for: delay)) != nil else { return }
        await self?.change(number) { $0.fallAsleep(at: $1) }
      }
    }
    let writer = time.start { [time] in
      var written: Duration?
      while let pieces = try? await outgoing.receive() {
        for piece in pieces {
          let due = max(piece.notBefore, written.map { $0 + piece.gap } ?? .zero)
          if due > time.now { try? await time.sleep(until: due) }
          try? await transport.write(piece.bytes)
          written = time.now
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
          if due > time.now, (try? await time.sleep(until: due)) == nil { return }
          await self.take(bytes, number)
        }
      }
    }
    while let bytes = try? await transport.read() {
      if configuration.latency > .zero {
        incoming.push((bytes, time.now + configuration.latency))
      } else {
        take(bytes, number)
      }
    }
    incoming.finish()
    await withTaskCancellationHandler {
      await courier.value
    } onCancel: {
      courier.cancel()
    }
    change(number) { $0.disconnect(at: $1) }
    outgoing.finish()
    lines[number] = nil
    if lines.isEmpty, listeners == 0 { silenceAlarm() }
    await writer.value
  }

  /// Lets a robot live behind a place where clients come to, until that is closed or the task is cancelled.
  ///
  /// Between clients its time goes on: it rolls, its programs run, its battery drains.
  func serve<Place: Listener>(_ listener: Place, _ number: Int, _ faults: FaultPlan) async throws {
    listeners += 1
    pump()
    defer {
      listeners -= 1
      if lines.isEmpty, listeners == 0 { silenceAlarm() }
    }
    let port = FaultyPort(of: .robot, plan: faults, time: time)
    while let line = try await port.accept(from: listener) {
      await serve(line, number)
      await line.close()
      try Task.checkCancellation()
    }
  }

  private func take(_ bytes: [UInt8], _ number: Int) {
    world.receive(bytes, by: number, at: advance())
    beginScript()
    pump()
  }

  /// Hands out what the robots send, and waits for the next deadline.
  private func pump() {
    // In the order of the robots: what they write at one moment must not depend on a hash.
    for number in configurations.indices {
      guard let line = lines[number] else { continue }
      let pieces = world.takeOutput(of: number)
      if !pieces.isEmpty {
        line.outgoing.push(
          pieces.map { OutputPiece(bytes: $0.bytes, notBefore: $0.notBefore + lost, gap: $0.gap) })
      }
      if !world.robots[number].isAsleep {
        if !line.hasBeenAwake { lines[number]?.hasBeenAwake = true }
      } else if line.hangsUp, line.hasBeenAwake || !world.robots[number].isReachable {
        line.outgoing.finish()
      }
    }
    guard !lines.isEmpty || listeners > 0 else { return }
    guard let deadline = world.nextDeadline else { return silenceAlarm() }
    if let alarm, alarm.time <= deadline { return }
    silenceAlarm()
    let task = time.start { [weak self, time, lost] in
      guard (try? await time.sleep(until: deadline + lost)) != nil else { return }
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
    // A clock may wake a little early; what was waited for is due all the same, where no time was lost meanwhile.
    let isDue = deadline - (time.now - lost) < .milliseconds(1)
    advance(atLeast: isDue ? deadline : .zero)
    pump()
  }
}
