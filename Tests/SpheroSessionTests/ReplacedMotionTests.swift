// Tests of motions that newer ones replace.

import SpheroControls
import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Testing

@Suite struct ReplacedMotionTests {
  /// A motion that is newer than a roll of 3 s.
  enum Newer: String, CaseIterable {
    case drive, roll, macro, stream, bytes
  }

  private static let heading = Heading(degrees: 90)

  private static func start(_ newer: Newer, on robot: Robot) async throws {
    switch newer {
    case .drive: try await robot.drive(heading, speed: 0.3)
    case .roll: try await robot.roll(heading, speed: 0.3, for: .seconds(6))
    case .macro: try await robot.run(Macro(text: "rollLong speed=80 heading=90 time=6000\nwait time=6000"))
    case .stream:
      // More than 1 KB.
      let lights = String(repeating: "rgb 1 2 3\n", count: 230)
      try await robot.run(Macro(text: "rollLong speed=80 heading=90 time=6000\n\(lights)wait time=6000"))
    case .bytes:
      _ = try await robot.exchange(
        Motion.Roll.id, payload: Motion.Roll(speed: 80, heading: 90).payload())
    }
  }

  /// The older roll neither repeats nor stops the newer motion; it ends at its time.
  @Test(arguments: Newer.allCases) func aTimedRollIsReplaced(_ newer: Newer) async throws {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    let (ended, place) = try await time.run {
      try await Robot.withRobot(on: simulated.connect()) { robot in
        async let older: Void = robot.roll(.ahead, speed: 0.3, for: .seconds(3))
        try await time.sleep(for: .seconds(1.3))
        async let other: Void = Self.start(newer, on: robot)
        try await older
        let ended = time.now
        let before = await simulated.locatorPosition
        try await time.sleep(for: .seconds(1.5))
        let after = await simulated.locatorPosition
        try await robot.stop()
        try await robot.abortPrograms()
        _ = try? await other
        return (ended, (x: after.x - before.x, y: after.y - before.y))
      }
    }
    #expect(ended > .seconds(2.9) && ended < .seconds(3.4), "\(ended)")
    // Without a repetition, the motion timeout of 2 s has stopped the ball meanwhile.
    #expect(place.x > (newer == .drive || newer == .roll ? 30 : 5) && abs(place.y) < 5, "\(place)")
  }

  /// The repeated set-point ends with a program and with the bytes of a motion command.
  @Test(arguments: [Newer.macro, .stream, .bytes]) func aDriveIsReplaced(_ newer: Newer) async throws {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    let place = try await time.run {
      try await Robot.withRobot(on: simulated.connect()) { robot in
        try await robot.drive(.ahead, speed: 0.3)
        try await time.sleep(for: .seconds(1.3))
        async let other: Void = Self.start(newer, on: robot)
        try await time.sleep(for: .seconds(2))
        let before = await simulated.locatorPosition
        try await time.sleep(for: .seconds(1))
        let after = await simulated.locatorPosition
        try await robot.abortPrograms()
        _ = try? await other
        return (x: after.x - before.x, y: after.y - before.y)
      }
    }
    #expect(place.x > 5 && abs(place.y) < 1, "\(place)")
  }

  /// A stop does not turn a ball that a program or another session moved: the session measures its heading.
  @Test(arguments: ["other session", "macro", "cancelled macro", "macro after roll"])
  func aStopKeepsTheHeading(mover: String) async throws {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    let macro = try Macro(text: "rollLong speed=80 heading=200 time=20000")
    let heading = try await time.run {
      if mover == "other session" {
        try await Robot.withRobot(on: simulated.connect(), settings: Game.plain) { robot in
          try await robot.roll(Heading(degrees: 200), speed: 0.3)
          try await time.sleep(for: .seconds(1.5))
          await robot.keepRolling()
        }
      }
      return try await Robot.withRobot(on: simulated.connect()) { robot in
        if mover == "macro after roll" { try await robot.roll(Self.heading, speed: 0.3, for: .seconds(1)) }
        if mover != "other session" {
          let run = Task(executorPreference: time) { try await robot.run(macro) }
          try await time.sleep(for: .seconds(3))
          if mover == "cancelled macro" {
            run.cancel()
            _ = try? await run.value
          }
        }
        if mover != "cancelled macro" { try await robot.abortPrograms() }
        try await time.sleep(for: .seconds(3))
        let pose = await simulated.locatorPosition
        #expect(await simulated.speed < 0.01)
        return pose.heading
      }
    }
    let error = Heading(degrees: heading)?.turn(to: Heading(degrees: 200)).degrees ?? .nan
    #expect(abs(error) < 5, "\(heading)")
  }

  /// The heading is unknown, so the stop measures it first; a cancellation then does not revoke it.
  @Test func aCancelledStopIsSent() async throws {
    let game = Game()
    let silence = Fault(.drop, of: .sensorData, at: 0..<1_000_000)
    let stops = try await game.play(faults: [silence]) { robot in
      try await robot.run(Macro(text: "roll speed=80 heading=20"))
      let stop = Task(executorPreference: game.time) { try await robot.stop() }
      try await game.time.sleep(for: .milliseconds(100))
      stop.cancel()
      _ = try? await stop.value
      try await game.time.sleep(for: .milliseconds(200))
      return await game.tap.commands.filter { $0.id == Motion.Roll.id && $0.payload.last == 0 }.count
    }
    #expect(stops > 0)
  }

  /// The stop of a cancelled motion does not follow a newer one, also if the older one never began.
  @Test(arguments: ["roll", "go", "macro"], [0.0, 1.5])
  func aCancelledMotionDoesNotStopItsSuccessor(older: String, seconds: Double) async throws {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    let speed = try await time.run {
      try await Robot.withRobot(on: simulated.connect()) { robot in
        let older = Task(executorPreference: time) {
          switch older {
          case "roll": try await robot.roll(.ahead, speed: 0.3, for: .seconds(9))
          case "go": try await robot.go(to: Position(x: 0, y: 900), speed: 0.3)
          default: try await robot.run(Macro(text: "rollLong speed=80 heading=0 time=9000"))
          }
        }
        if seconds > 0 { try await time.sleep(for: .seconds(seconds)) }
        older.cancel()
        try await robot.drive(Self.heading, speed: 0.3)
        _ = try? await older.value
        try await time.sleep(for: .seconds(3))
        return await simulated.speed
      }
    }
    #expect(speed > 0.3, "\(speed)")
  }

  /// In real time, since virtual time has no races: a cancellation at the end of a roll does not prevent its stop.
  @Test func aCancellationAtTheEndOfARollStopsTheBall() async throws {
    // Nothing but a stop ends the roll, however late a busy machine sends it.
    var configuration = SimulatedRobot.Configuration()
    configuration.model.permanentOptions = [.vectorDrive]
    try await withThrowingTaskGroup(of: Double.self) { [configuration] group in
      for number in 0..<60 {
        group.addTask {
          let simulated = SimulatedRobot(configuration)
          return try await Robot.withRobot(on: simulated.connect()) { robot in
            let roll = Task { try await robot.roll(.ahead, speed: 0.5, for: .milliseconds(60)) }
            try await Task.sleep(for: .microseconds(59_500 + 50 * number))
            roll.cancel()
            _ = try? await roll.value
            // The ball needs a second to gain speed.
            for _ in 0..<10 {
              try await Task.sleep(for: .seconds(1))
              if await simulated.speed < 0.3 { break }
            }
            return await simulated.speed
          }
        }
      }
      for try await speed in group { #expect(speed < 0.3) }
    }
  }

  /// A stop in the round trip of a timed roll: its late answer does not restart the ball.
  @Test func aStopBeforeTheAnswerOfATimedRollLasts() async throws {
    let time = VirtualTime()
    var configuration = SimulatedRobot.Configuration()
    configuration.latency = .milliseconds(200)
    let simulated = SimulatedRobot(configuration, time: time)
    let speeds = try await time.run {
      try await Robot.withRobot(on: simulated.connect()) { robot in
        async let older: Void = robot.roll(.ahead, speed: 0.3, for: .seconds(9))
        try await time.sleep(for: .milliseconds(100))
        try await robot.stop()
        var speeds: [Double] = []
        for _ in 0..<4 {
          try await time.sleep(for: .seconds(1))
          await speeds.append(simulated.speed)
        }
        _ = try? await older
        return speeds
      }
    }
    #expect(speeds.allSatisfy { $0 < 0.01 }, "\(speeds)")
  }

  /// The stop at the end of a timed roll does not end a guided motion that began shortly before.
  @Test(arguments: [1.9, 1.999]) func aGuidedMotionOutlastsTheEndOfATimedRoll(seconds: Double) async throws {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    try await time.run {
      try await Robot.withRobot(on: simulated.connect()) { robot in
        async let older: Void = robot.roll(.ahead, speed: 0.3, for: .seconds(2))
        try await time.sleep(for: .seconds(seconds))
        let motion = try await robot.go(to: Position(x: 0, y: 100), speed: 0.3)
        #expect(motion.error < 4)
        try await older
      }
    }
  }

  /// A guided motion that ends before its first reading stops the ball of the roll that it replaced.
  @Test func aGuidedMotionWithoutReadingsStopsTheBall() async throws {
    let game = Game { $0.model.permanentOptions = [.vectorDrive] }
    try await game.play { robot in
      async let older: Void = robot.roll(.ahead, speed: 0.3, for: .seconds(2))
      try await game.time.sleep(for: .milliseconds(1_960))
      let guided = Task(executorPreference: game.time) { try await robot.go(to: Position(x: 0, y: 100)) }
      try await game.time.sleep(for: .milliseconds(45))
      let count = await game.tap.commands.count { $0.id == Motion.Roll.id }
      guided.cancel()
      _ = try? await guided.value
      try await older
      try await game.time.sleep(for: .seconds(4))
      #expect(await game.robot.speed < 0.02)
      // The roll, its repetition after a second, and one stop.
      let rolls = await game.tap.commands.count { $0.id == Motion.Roll.id }
      #expect(count == 2 && rolls == 3)
    }
  }

  /// A stop during the start of a guided motion ends it before it moves the ball.
  ///
  /// With a latency of 60 ms, the motion begins while the stop measures its heading.
  @Test(arguments: [nil, .ahead] as [Heading?], [(latency: 200, delay: 100), (60, 80), (60, 110)])
  func aStopEndsAGuidedMotionBeforeItBegins(
    _ heading: Heading?, _ times: (latency: Int, delay: Int)
  ) async throws {
    let game = Game { $0.latency = .milliseconds(times.latency) }
    try await game.play { robot in
      let guided = Task(executorPreference: game.time) { try await robot.go(to: Position(x: 0, y: 100)) }
      try await game.time.sleep(for: .milliseconds(times.delay))
      try await robot.stop(heading)
      await #expect(throws: SessionError.superseded(command: "Motion.Roll")) { try await guided.value }
    }
    let rolls = await game.tap.commands.filter { $0.id == Motion.Roll.id }
    #expect(rolls.allSatisfy { $0.payload.first == 0 }, "\(rolls)")
  }

  /// A motion that begins while a stop measures the unknown heading is newer than the stop.
  @Test func aMotionOutlastsAStopThatMeasuresTheHeading() async throws {
    let game = Game()
    try await game.play { robot in
      let stop = Task(executorPreference: game.time) { try await robot.stop() }
      try await game.time.sleep(for: .milliseconds(5))
      try await robot.roll(Self.heading, speed: 0.3)
      try await stop.value
      try await game.time.sleep(for: .seconds(1))
      #expect(await game.robot.speed > 0.1)
    }
  }

  /// A guided motion that is requested while the line is lost, or whose line is lost while its stream begins,
  /// does not move the ball of the reopened line.
  @Test(arguments: [false, true]) func aGuidedMotionDoesNotBeginOnAReopenedLine(isLost: Bool) async throws {
    let game = Game { $0.latency = .milliseconds(200) }
    try await game.time.run {
      let time = game.time
      let (host, device) = MemoryTransport.pair()
      _ = Task(executorPreference: time) { await game.robot.serve(device) }
      let lost = time.now + .seconds(5)
      let reopening = Reconnection {
        guard time.now > lost else { throw LinkError.notFound("/dev/rfcomm0") }
        let (host, device) = MemoryTransport.pair()
        _ = Task(executorPreference: time) { await game.robot.serve(device) }
        return TappedTransport(line: host, tap: game.tap)
      }
      try await Robot.withRobot(
        on: TappedTransport(line: host, tap: game.tap), time: time, settings: Game.plain, reopening: reopening
      ) { robot in
        if isLost {
          device.close()
          try await time.sleep(for: .seconds(1))
        }
        let guided = Task(executorPreference: time) { try await robot.go(to: Position(x: 0, y: 100)) }
        try await time.sleep(for: .milliseconds(100))
        if !isLost { device.close() }
        await #expect(throws: (any Error).self) { try await guided.value }
        #expect(time.now < lost)
        try await robot.untilOnline()
        try await time.sleep(for: .seconds(2))
      }
    }
    let rolls = await game.tap.commands.filter { $0.id == Motion.Roll.id }
    #expect(rolls.allSatisfy { $0.payload.first == 0 }, "\(rolls)")
  }

  /// In real time, since virtual time has no races: a roll without a duration ends with its stop.
  @Test func aRollForNoTimeIsStopped() async throws {
    var configuration = SimulatedRobot.Configuration()
    configuration.model.permanentOptions = [.vectorDrive]
    let settings = Robot.Settings(timeout: .seconds(20))
    try await withThrowingTaskGroup(of: Double.self) { [configuration] group in
      for _ in 0..<20 {
        group.addTask {
          let simulated = SimulatedRobot(configuration)
          // A busy computer may answer late.
          return try await Robot.withRobot(on: simulated.connect(), settings: settings) { robot in
            for _ in 0..<150 { try await robot.roll(.ahead, speed: 0.5, for: .zero) }
            try await Task.sleep(for: .seconds(2))
            return await simulated.speed
          }
        }
      }
      for try await speed in group { #expect(speed < 0.3) }
    }
  }

  /// A stop or a newer motion ends a guided motion, which does not move the ball again.
  @Test(arguments: [nil, .drive, .roll, .macro, .bytes] as [Newer?])
  func aGuidedMotionIsReplaced(_ newer: Newer?) async throws {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    let (error, ended, place) = try await time.run {
      try await Robot.withRobot(on: simulated.connect()) { robot in
        async let older = robot.go(to: Position(x: 0, y: 400), speed: 0.3)
        try await time.sleep(for: .seconds(1.5))
        let begun = time.now
        async let other: Void =
          if let newer { try await Self.start(newer, on: robot) } else { try await robot.stop() }
        var failure: (any Error)?
        do { _ = try await older } catch { failure = error }
        let ended = time.now - begun
        try await time.sleep(for: .seconds(1))
        let before = await simulated.locatorPosition
        try await time.sleep(for: .seconds(1.5))
        let after = await simulated.locatorPosition
        try await robot.stop()
        try await robot.abortPrograms()
        _ = try? await other
        return (failure as? SessionError, ended, (x: after.x - before.x, y: after.y - before.y))
      }
    }
    #expect(error == .superseded(command: "Motion.Roll") && ended < .milliseconds(200), "\(ended)")
    #expect(newer == nil ? abs(place.x) < 1 : place.x > 5, "\(place)")
    #expect(abs(place.y) < 5, "\(place)")
  }

  @Test func theBytesOfAStopEndADrive() async throws {
    let game = Game()
    try await game.play { robot in
      try await robot.drive(.ahead, speed: 0.3)
      try await game.time.sleep(for: .milliseconds(300))
      let stop = try Motion.Roll(speed: 0, heading: 0, state: .stop).payload()
      _ = try await robot.exchange(Motion.Roll.id, payload: stop)
      try await game.time.sleep(for: .seconds(4))
      #expect(await game.tap.commands.last { $0.id == Motion.Roll.id }?.payload.first == 0)
    }
  }
}
