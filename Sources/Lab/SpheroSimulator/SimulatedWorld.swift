// Simulated robots with transports and a clock.

public import SpheroModel
import SpheroProtocol
public import SpheroTransport

/// Simulated robots on one floor: moves the bytes of a `World`, and calls it at its deadlines.
public actor SimulatedWorld {
  private struct Line {
    var outgoing: Mailbox<OutputPiece>
    /// Whether the robot has been awake on this line: only a robot that falls asleep hangs up.
    var hasBeenAwake = false
  }

  private var world: World
  public nonisolated let time: any TimeSource
  private let configurations: [SimulatedRobot.Configuration]
  private var lines: [Int: Line] = [:]
  /// The number of robots that serve listeners; their time continues between clients.
  private var listeners = 0
  /// The delay of the world's time behind the clock.
  private var lag = Duration.zero
  /// The number of steps in succession that took too long.
  private var slowSteps = 0
  private var reached: Duration
  /// The timer of the world's next deadline, and that deadline in the world's time.
  private var timer: (task: Task<Void, Never>, time: Duration)?
  private let script: HandScript
  private let remark: @Sendable (Int, TimedRobotRemark) -> Void
  /// The task that performs the script; nil before it starts.
  private var scriptTask: Task<Void, Never>?
  private var sleepTimers: [Int: Task<Void, Never>] = [:]

  /// Places robots on a floor; the times of the script count from the first bytes that any robot receives.
  ///
  /// `remark` receives the number of a robot, counted from 0, and what happens to it, in order; it must not block.
  public init(
    _ configurations: [SimulatedRobot.Configuration], on floor: Floor = Floor(),
    script: HandScript = HandScript(), time: any TimeSource = SystemTime(),
    remark: @escaping @Sendable (Int, TimedRobotRemark) -> Void = { _, _ in }
  ) {
    (self.configurations, self.script, self.time, self.remark) = (configurations, script, time, remark)
    reached = time.now
    world = World(configurations.map(\.model), on: floor, at: reached)
  }

  deinit {
    timer?.task.cancel()
    scriptTask?.cancel()
    for timer in sleepTimers.values { timer.cancel() }
  }

  /// The robots, in the order of their configurations.
  public nonisolated var robots: [SimulatedRobot] {
    configurations.indices.map { SimulatedRobot(number: $0, in: self) }
  }

  /// A copy of a robot's present state; nil for a number without a robot.
  public func robot(_ number: Int) -> RobotModel? {
    advance()
    sendOutput()
    return world.robots.indices.contains(number) ? world.robots[number] : nil
  }

  /// Changes the state of a robot, for example to shake it; `body` receives the robot and the time.
  public func withRobot(_ number: Int, _ body: @Sendable (inout RobotModel, Duration) -> Void) {
    let now = advance()
    world.withRobot(number, at: now) { body(&$0, now) }
    sendOutput()
  }

  // MARK: Time

  /// The maximum delay for which the world catches up; the rest of a longer one, as after a suspension, is lost.
  private static let maximumDelay = Duration.seconds(1)

  /// Advances the world to the present, and returns its time.
  ///
  /// On an overloaded computer the world runs slower, which bounds the delay: if several steps in succession need more
  /// than half of the time that they simulate, their computation time is lost.
  @discardableResult private func advance(atLeast minimum: Duration = .zero) -> Duration {
    let begin = time.now
    if let due = world.nextDeadline, begin - lag - due > Self.maximumDelay {
      lag = begin - due - Self.maximumDelay
    }
    let now = max(begin - lag, minimum, reached)
    world.tick(at: now)
    let spent = time.now - begin
    slowSteps = spent > .milliseconds(10) && spent > (now - reached) / 2 ? slowSteps + 1 : 0
    // Fewer slow steps in succession are pauses of the process.
    if slowSteps >= 4 { lag += spent }
    reached = now
    return now
  }

  /// Performs a script, and returns at its end or when the task is cancelled; ignores robots that do not exist.
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
    withRobot(step.robot) { $0.perform(step.action, at: $1) }
    if step.action == .hangUp { lines[step.robot]?.outgoing.finish() }
  }

  private func beginScript() {
    guard scriptTask == nil, !script.steps.isEmpty else { return }
    scriptTask = time.start { [weak self, script, time] in
      await Self.play(script, by: time) { [weak self] in await self?.perform($0) }
    }
  }

  /// Serves a line until it ends or the task is cancelled; closes a second line of a robot, and then returns false.
  @discardableResult func serve(_ transport: some Transport, _ number: Int) async -> Bool {
    guard configurations.indices.contains(number), lines[number] == nil else {
      await transport.close()
      return false
    }
    let configuration = configurations[number]
    let outgoing = Mailbox<OutputPiece>(capacity: 4_096)
    lines[number] = Line(outgoing: outgoing)
    withRobot(number) { $0.connect(at: $1) }
    if let delay = configuration.napDelay, sleepTimers[number] == nil {
      sleepTimers[number] = time.start { [weak self, time] in
        guard (try? await time.sleep(for: delay)) != nil else { return }
        await self?.withRobot(number) { $0.fallAsleep(at: $1) }
      }
    }
    let writer = time.start { [weak self, time] in
      // When the latest piece would be written on a line without delay, and when it was written.
      var (scheduled, written, lateness) = (Duration.zero, Duration?.none, Duration.zero)
      while let pieces = try? await outgoing.receive() {
        for piece in pieces {
          let due = max(piece.notBefore, written.map { $0 + piece.gap } ?? .zero)
          scheduled = max(piece.notBefore, scheduled + piece.gap)
          if due > time.now { try? await time.sleep(until: due) }
          try? await transport.write(piece.bytes)
          let now = time.now
          written = now
          // A cancelled writer writes early, for a client that has gone.
          guard !Task.isCancelled, now - scheduled != lateness else { continue }
          lateness = now - scheduled
          await self?.delayOutput(of: number, by: lateness)
        }
      }
      // This ends the line of a robot that hangs up; in other cases the line has already ended.
      await transport.close()
    }
    // Bytes keep their order, and each piece has the same latency.
    let incoming = Mailbox<(bytes: [UInt8], due: Duration)>(capacity: 1 << 14)
    let delivery = time.start { [time] in
      while let arrivals = try? await incoming.receive() {
        for (bytes, due) in arrivals {
          // The end of the line cancels the sleep.
          if due > time.now { try? await time.sleep(until: due) }
          await self.receive(bytes, number)
        }
      }
    }
    while let bytes = try? await transport.read() {
      if configuration.latency > .zero {
        incoming.push((bytes, time.now + configuration.latency))
      } else {
        receive(bytes, number)
      }
    }
    // A host that has closed its line does not wait for the bytes in transit, which arrive at once.
    incoming.finish()
    delivery.cancel()
    await delivery.value
    withRobot(number) { $0.disconnect(at: $1) }
    outgoing.finish()
    lines[number] = nil
    if isIdle { cancelTimer() }
    // The rest of the output is written without its gaps, which would delay the next client.
    writer.cancel()
    await writer.value
    return true
  }

  /// Serves the clients of a listener until it is closed or the task is cancelled.
  func serve(_ listener: some Listener, _ number: Int, _ faults: FaultPlan) async throws {
    listeners += 1
    sendOutput()
    defer {
      listeners -= 1
      if isIdle { cancelTimer() }
    }
    let port = FaultyPort(of: .robot, plan: faults, time: time)
    while let line = try await port.accept(from: listener) {
      await serve(line, number)
      await line.close()
      try Task.checkCancellation()
    }
  }

  /// Delays the programs inside a robot, which would print faster than a slow line or client reads.
  private func delayOutput(of number: Int, by lateness: Duration) {
    world.withRobot(number, at: reached) { $0.outputLateness = lateness }
  }

  private func receive(_ bytes: [UInt8], _ number: Int) {
    world.receive(bytes, by: number, at: advance())
    beginScript()
    sendOutput()
  }

  /// Sends the output of the robots, and sets the timer of the next deadline.
  private func sendOutput() {
    // In the order of the robots, so that the order of simultaneous writes is reproducible.
    for number in configurations.indices {
      for remark in world.takeRemarks(of: number) { self.remark(number, remark) }
      guard let line = lines[number] else { continue }
      let pieces = world.takeOutput(of: number)
      if !pieces.isEmpty {
        line.outgoing.push(
          pieces.map { OutputPiece(bytes: $0.bytes, notBefore: $0.notBefore + lag, gap: $0.gap) })
      }
      if !world.robots[number].isAsleep {
        lines[number]?.hasBeenAwake = true
        // A client that connects to a sleeping robot keeps its line if bytes wake the robot.
      } else if configurations[number].hangsUpToSleep, line.hasBeenAwake || !world.robots[number].isReachable
      {
        line.outgoing.finish()
      }
    }
    guard !isIdle else { return }
    guard let deadline = world.nextDeadline else { return cancelTimer() }
    if let timer, timer.time <= deadline { return }
    cancelTimer()
    let task = time.start { [weak self, time, lag] in
      guard (try? await time.sleep(until: deadline + lag)) != nil else { return }
      await self?.timerFired(deadline)
    }
    timer = (task, deadline)
  }

  private var isIdle: Bool { lines.isEmpty && listeners == 0 }

  private func cancelTimer() {
    timer?.task.cancel()
    timer = nil
  }

  private func timerFired(_ deadline: Duration) {
    guard !Task.isCancelled else { return }
    timer = nil
    // A clock may wake slightly early; the deadline is due unless time was lost meanwhile.
    let isDue = deadline - (time.now - lag) < .milliseconds(1)
    advance(atLeast: isDue ? deadline : .zero)
    sendOutput()
  }
}
