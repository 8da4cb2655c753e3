// Failures of guided motions: walls, silence, refusals, cancellation; and thresholds of impacts.

import SpheroControls
import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct GuidanceFailureTests {
  /// Runs a program that fails; returns the error, the duration, and the last motion command.
  private func failure(
    _ game: Game, faults: [Fault] = [], _ body: @escaping @Sendable (Robot) async throws -> Void
  ) async throws -> (error: MotionError?, time: Duration, last: Motion.Roll) {
    var failure: MotionError?
    let start = game.time.now
    do { try await game.play(faults: faults, settings: Robot.Settings(), body) } catch let error
      as MotionError
    {
      failure = error
    }
    let took = game.time.now - start
    let last = try #require(await game.tap.commands.last { $0.id == Motion.Roll.id })
    #expect(try await game.speedLater < 0.01, "the ball comes to rest")
    return (failure, took, try Motion.Roll(request: last.payload))
  }

  @Test(arguments: [0.5, 1.0]) func aWallIsDetected(_ distance: Double) async throws {
    let wall = Floor.Wall(from: Planar(-5, distance), to: Planar(5, distance))
    let game = Game(on: Floor(walls: [wall]))
    let (error, time, last) = try await failure(game) { try await $0.go(to: Position(x: 0, y: 200)) }
    #expect(caseName(of: error) == "noProgress")
    #expect(time < .seconds(12) && last.state == .stop, "\(time)")
  }

  @Test func timeHasAnEnd() async throws {
    let (error, time, last) = try await failure(Game()) {
      try await $0.go(to: Position(x: 0, y: 500), timeLimit: .seconds(3))
    }
    #expect(caseName(of: error) == "timeout" && time < .seconds(5) && last.state == .stop)
  }

  @Test func anAngleBeyondTheIntegersFailsAtTheTimeLimit() async throws {
    let (error, time, last) = try await failure(Game()) {
      try await $0.turn(by: .degrees(1e30), timeLimit: .seconds(3))
    }
    #expect(error == .timeout(remaining: "1e+30 degrees"))
    #expect(time < .seconds(5) && last.state == .stop)
  }

  @Test func aSpeedThatIsNotANumberIsTheSlowest() async throws {
    let game = Game()
    let motion = try await game.play(settings: Robot.Settings()) { robot in
      try await robot.go(to: Position(x: 0, y: 20), speed: .nan)
    }
    #expect(motion.error <= 3.5, "\(motion)")
  }

  @Test func aRobotThatFallsSilentIsStopped() async throws {
    let game = Game()
    let silence = Fault(.drop, of: .sensorData, at: 40..<1_000_000)
    let start = game.time.now
    do {
      try await game.play(faults: [silence], settings: Robot.Settings()) { robot in
        _ = try await robot.go(to: Position(x: 0, y: 1_000))
      }
      Issue.record("it has to fail")
    } catch let error as MotionError {
      #expect(error == .noReadings)
    } catch let error as SessionError { #expect(error == .silentStream) }
    #expect(game.time.now - start < .seconds(8))
    #expect(try await game.speedLater < 0.01)
    #expect(await game.robot.locatorPosition.y < 250, "stopped long before the stream is given up")
  }

  /// The stream of the guidance has no packet, though an earlier one had.
  @Test func aRobotWithoutAFirstReadingEndsTheGuidance() async throws {
    let game = Game()
    let silence = Fault(.drop, of: .sensorData, at: 10..<1_000_000)
    let begun = Locked(Duration.zero)
    await #expect(throws: MotionError.noReadings) {
      try await game.play(faults: [silence], settings: Robot.Settings()) { robot in
        let samples = try await robot.samples(SensorMask(.yaw))
        for _ in 0..<5 { _ = try await samples.next() }
        try await game.time.sleep(for: .seconds(1))
        begun.withLock { $0 = game.time.now }
        _ = try await robot.go(to: Position(x: 0, y: 50))
      }
    }
    #expect(game.time.now - begun.withLock { $0 } < .seconds(6))
  }

  @Test func aRefusalIsAnError() async throws {
    let game = Game()
    await #expect(throws: SessionError.refused(command: "Motion.Roll", status: .failedToExecute)) {
      try await game.play(faults: [Fault(.refuse(.failedToExecute), to: Motion.Roll.id)]) { robot in
        try await robot.turn(by: .degrees(90))
      }
    }
  }

  @Test func cancellationStopsTheBall() async throws {
    let game = Game()
    try await game.play(settings: Robot.Settings()) { robot in
      let motion = Task(executorPreference: game.time) { try await robot.go(to: Position(x: 0, y: 1_000)) }
      try await game.time.sleep(for: .seconds(3))
      #expect(await game.robot.speed > 0.5)
      motion.cancel()
      await #expect(throws: CancellationError.self) { try await motion.value }
      try await game.time.sleep(for: .seconds(1))
      #expect(await game.robot.speed < 0.01, "without leaving")
    }
  }

  @Test func aPathThatIsTooLongSendsNoRoll() async throws {
    let game = Game()
    await #expect(throws: MotionError.unusablePath) {
      _ = try await game.play { try await $0.go(to: Position(x: 40_000, y: 0)) }
    }
    #expect(await !game.tap.commands.contains { $0.id == Motion.Roll.id && $0.payload.first != 0 })
  }

  /// An Ollie counts on other axes than the others, which the session converts.
  @Test(arguments: Profile.all) func absoluteCountsFromTheOrigin(profile: Profile) async throws {
    let game = Game { $0.model.profile = profile }
    let ends = try await game.play { robot in
      let first = try await robot.go(to: Position(x: 40, y: 30))
      let relative = try await robot.go(to: Position(x: 0, y: 20))
      let absolute = try await robot.go(to: Position(x: 0, y: 0), isRelative: false)
      return [first, relative, absolute].map(\.end.position)
    }
    for (end, goal) in zip(ends, [(40.0, 30.0), (40, 50), (0, 0)]) {
      #expect(abs(end.x - goal.0) <= 4 && abs(end.y - goal.1) <= 4, "\(ends)")
    }
    let place = await game.robot.locatorPosition
    #expect(abs(place.x) <= 3 && abs(place.y) <= 3)
  }

  /// An aim aligns the axes of the locator: ahead is the direction that was to the right.
  @Test func aMotionAfterAnAimFollowsItsAxes() async throws {
    let game = Game()
    try await game.play(settings: Robot.Settings()) { robot in
      try await robot.aim(at: 90)
      _ = try await robot.go(to: Position(x: 0, y: 100))
      let place = await game.robot.locatorPosition
      #expect(abs(place.x) <= 3 && abs(place.y - 100) <= 3, "\(place)")
    }
    let place = await game.robot.model.body.position
    #expect(abs(place.x - 1) <= 0.03 && abs(place.y) <= 0.03, "\(place)")
  }

  /// Firmware before 1.17 has no locator.
  @Test func anAimNeedsNoLocator() async throws {
    let game = Game()
    let faults = [Fault(.refuse(.unknownCommand), to: Sensing.ConfigureLocator.id)]
    try await game.play(faults: faults) { try await $0.aim(at: .ahead) }
    #expect(await game.tap.commands.contains { $0.id == Sensing.ConfigureLocator.id })
  }

  /// A heading that is set does not turn the axes of the locator.
  @Test func turnedAxesAreFound() async throws {
    let game = Game()
    try await game.play(settings: Robot.Settings()) { robot in
      try await robot.turn(to: 90)
      try await robot.setHeading(.ahead)
      _ = try await robot.go(to: Position(x: 0, y: 150))
    }
    let place = await game.robot.locatorPosition
    #expect(abs(place.x) <= 3 && abs(place.y - 150) <= 3, "\(place)")
  }

  /// Guidance does not wait for the answer to its first roll: the ball stops at the goal, or without readings.
  @Test(arguments: [false, true]) func aFirstRollWithoutAnAnswerIsGuided(isSilent: Bool) async throws {
    let game = Game()
    let faults =
      isSilent
      ? [Fault(.drop, of: .fromRobot, at: 5..<100_000)] : [Fault(.drop, of: .responses, to: Motion.Roll.id)]
    let error = await #expect(throws: (any Error).self) {
      try await game.play(faults: faults) { robot in
        _ = try await robot.go(to: Position(x: 0, y: 10), timeLimit: .seconds(3))
      }
    }
    // Only the stop that ends a motion must be confirmed.
    if isSilent {
      #expect(error is MotionError, "\(error as Any)")
    } else {
      #expect((error as? SessionError)?.isLinkError == true, "\(error as Any)")
    }
    _ = try await game.speedLater
    let place = await game.robot.locatorPosition
    #expect(place.y < 30, "\(place)")
  }

  @Test func theTailLightIsOffAfterARefusedAim() async throws {
    let game = Game()
    let faults = [Fault(.refuse(.failedToExecute), to: Motion.SetHeading.id)]
    await #expect(throws: SessionError.refused(command: "Motion.SetHeading", status: .failedToExecute)) {
      try await game.play(faults: faults) { try await $0.aim(at: .ahead) }
    }
    #expect(await game.robot.lights.tail == 0)
    let levels = await game.tap.commands.filter { $0.id == CommandID(0x02, 0x21) }.map(\.payload)
    #expect(levels == [[255], [0]])
    #expect(await !game.tap.commands.contains { $0.id == Motion.Roll.id }, "it is not turned to heading 0")
  }

  /// A robot that has fallen silent does not delay the end of a cancelled aim, nor keep its tail light on.
  @Test func aCancelledAimEndsWithinASecond() async throws {
    let game = Game()
    let cancelledAt = Locked(Duration.zero)
    try? await game.play(faults: [Fault(.drop, of: .fromRobot, at: 4..<100_000)]) { robot in
      let aim = game.time.start { try? await robot.aim(at: 170) }
      try await game.time.sleep(for: .milliseconds(700))
      cancelledAt.withLock { $0 = game.time.now }
      aim.cancel()
      await aim.value
      #expect(game.time.now - cancelledAt.withLock { $0 } <= .milliseconds(300))
    }
    #expect(game.time.now - cancelledAt.withLock { $0 } <= .milliseconds(1_300))
    #expect(await game.robot.lights.tail == 0)
  }

  @Test func theHeadingIsKeptAfterAnAim() async throws {
    let game = Game()
    _ = try await game.play(settings: Robot.Settings()) { try await $0.go(to: Position(x: 50, y: 0)) }
    _ = try await game.speedLater
    #expect(abs(await game.robot.locatorPosition.heading - 90) < 20, "it does not turn back")
  }

  @Test func everyMotionErrorHasItsSentence() throws {
    let rows: [(MotionError, String)] = [
      (
        .timeout(remaining: "12 cm"),
        "the ball did not reach its goal in time: 12 cm left. Allow more time or speed."
      ),
      (
        .noProgress(remaining: "12 cm"),
        "the ball does not get closer to its goal: 12 cm left. "
          + "Check whether it is blocked, held or in its charger."
      ),
      (
        .noReadings,
        "the robot does not report its position, so it was stopped. Move closer to the robot, and try again."
      ),
      (
        .unusablePath,
        "a path has 1 to 9999 places, none beyond 32000 cm of the locator's origin. "
          + "Make the path shorter, or reset the origin with Sensing.ConfigureLocator."
      ),
    ]
    for (error, sentence) in rows { #expect(error.description == sentence) }
    let cases = try caseNames(of: "MotionError", in: "SpheroMotion/GuidedRun.swift")
    #expect(rows.map { caseName(of: $0.0) } == cases)
  }
}

@Suite(.ownThread) struct CollisionTests {
  @Test func impactsAreReportedAndDetectionEnds() async throws {
    let game = Game()
    let impacts = try await game.play { robot in
      let impacts = try await robot.collisions(CollisionPreset.soft.detection).makeAsyncIterator()
      await game.robot.withModel { $0.knock(Planar(0, -1), at: $1) }
      let front = try await impacts.next()
      try await game.time.sleep(for: .seconds(2))
      await game.robot.withModel { $0.knock(Planar(1, 0), at: $1) }
      return [front, try await impacts.next()]
    }
    // An impact from the front pushes back.
    #expect(impacts.map { $0?.axis } == [.y, .x])
    #expect(impacts[0]?.direction?.degrees.rounded() == 0)
    #expect(impacts[1]?.direction?.degrees.rounded() == 270)
    let settings = await game.tap.commands.filter { $0.id == CommandID(0x02, 0x12) }.map(\.payload)
    #expect(settings.first == [1, 50, 50, 50, 50, 25] && settings.last?.first == 0)
  }

  /// An impact of a power, as the robot reports it.
  private func impact(x: Int16 = 0, y: Int16 = 0) -> Sensing.Collision {
    var impact = Sensing.Collision()
    (impact.xMagnitude, impact.yMagnitude) = (x, y)
    if x > 0 { impact.axis.insert(.x) }
    if y > 0 { impact.axis.insert(.y) }
    return impact
  }

  @Test func thresholdsLieInTheWidestGap() throws {
    var tuner = CollisionTuner()
    #expect(tuner.proposal == nil)
    for power in [20, 25, 22, 160, 200, 30] as [Int16] { tuner.add(impact(y: power)) }
    let along = try #require(tuner.axes.y)
    // Between 30 and 160; the square root of 4800 is 69.3.
    #expect(along.powers == [20, 22, 25, 30, 160, 200] && along.jolts == 4 && along.threshold == 69)
    #expect(tuner.axes.x == nil)
    let proposal = try #require(tuner.proposal)
    #expect(proposal.xThreshold == 69 && proposal.yThreshold == 69 && proposal.xSpeed == 0)
    for power in [100, 120] as [Int16] { tuner.add(impact(x: power)) }
    #expect(tuner.axes.x?.jolts == 0 && tuner.proposal?.xThreshold == 70, "no gap: 0.7 of the softest")
    // The gap between soft and hard knocks is not that between jolts and knocks.
    tuner.add(impact(x: 900))
    #expect(tuner.axes.x?.jolts == 0 && tuner.proposal?.xThreshold == 70)
    tuner.add(impact(x: 30))
    #expect(tuner.axes.x?.jolts == 1 && tuner.proposal?.xThreshold == 55, "the square root of 3000")
    #expect(tuner.count == 10)
    var hard = CollisionTuner()
    for power in [20, 32_767] as [Int16] { hard.add(impact(x: power)) }
    #expect(hard.proposal?.xThreshold == 255, "the square root of 655,340 is 810")
  }
}
