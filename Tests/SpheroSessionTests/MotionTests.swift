// Device motion of a stream: by the quaternion, by fusion, and with clock errors.

import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct MotionTests {
  private func take(_ count: Int, of motion: MotionSequence) async throws -> [DeviceMotion] {
    var taken: [DeviceMotion] = []
    for try await motion in motion.prefix(count) { taken.append(motion) }
    return taken
  }

  @Test func valuesOfASample() throws {
    let mask: SensorMask = [.accel, .gyro, .imu, .quat]
    // In the order of the wire: angles, accelerometer, gyroscope, quaternion.
    let sample = Sample(mask: mask, words: [1, 2, 3, 4096, -2048, 0, 1800, 0, -10, 7071, 0, 0, 7071])
    #expect(sample.accelerometer == Vector3(1, -0.5, 0))
    let read = try #require(sample.gyroscope)
    #expect(read.isApproximatelyEqual(to: Vector3(.pi, 0, -.pi / 180)))
    // x of the sensors is left and y is back, unless the convention says otherwise.
    #expect(sample.specificForce() == Vector3(-1, 0.5, 0))
    #expect(sample.specificForce(by: .spheroReadingA) == Vector3(1, -0.5, 0))
    #expect(sample.specificForce(by: .coreMotion) == Vector3(-1, 0.5, 0))
    let rate = try #require(sample.rotationRate())
    #expect(rate.isApproximatelyEqual(to: Vector3(-.pi, 0, -.pi / 180)))
    #expect(sample.rotationRate(by: .spheroReadingD2) == read)
    #expect(sample.pitchRollYaw?.yaw == .degrees(3))
    // A quarter turn about z; the robot's words rotate reference to body: the body turned clockwise.
    let yaw = Convention.sphero.pitchRollYaw(of: try #require(sample.rotation())).yaw
    #expect(yaw.isApproximatelyEqual(to: .degrees(-90)))
    let later = try #require(sample.rotation(by: .spheroLater))
    #expect(Convention.spheroLater.pitchRollYaw(of: later).yaw.isApproximatelyEqual(to: .degrees(90)))
  }

  @Test func fieldsThatAreNotStreamedAreAbsent() {
    let zeros = Sample(mask: .all, words: [])
    #expect(zeros.quaternionWords == QuaternionWords(0, 0, 0, 0))
    #expect(zeros.rotation() == nil, "firmware before 1.20 streams zeros")
    #expect(zeros.accelerometer == .zero && zeros.gyroscope == .zero)
    let part = Sample(mask: [SensorMask(.q0, .q1, .q2, .accelX, .gyroY, .yaw)], words: [1, 1, 1, 1, 1, 1])
    #expect(part.quaternionWords == nil && part.rotation() == nil && part.pitchRollYaw == nil)
    #expect(part.accelerometer == nil && part.gyroscope == nil)
    #expect(part.specificForce() == nil && part.rotationRate() == nil)
  }

  @Test func unfilteredReadingsReplaceFilteredOnes() {
    let raw = Sample(mask: [.accelRaw, .gyroRaw], words: [0, 0, 250, 1000, 0, 0])
    #expect(raw.accelerometer == Vector3(0, 0, 1))
    #expect(raw.gyroscope?.isApproximatelyEqual(to: Vector3(68 * .pi / 180, 0, 0)) == true)
    // Raw words of 0.25 g, 0.5 g and 1 g, and filtered ones of -1 g, 0.5 g and 0.25 g, in the order of the wire.
    let both = Sample(mask: [.accelRaw, .accel], words: [63, 125, 250, -4096, 2048, 1024])
    #expect(both.unfilteredAccelerometer == Vector3(0.252, 0.5, 1))
    #expect(both.accelerometer == Vector3(-1, 0.5, 0.25) && both.unfilteredGyroscope == nil)
  }

  @Test func yawIsTheOppositeOfTheHeading() async throws {
    let game = Game()
    let motion = try await game.play { robot in
      try await robot.send(Motion.Roll(speed: 60, heading: 90))
      return try await take(60, of: try await robot.motion())
    }
    let attitude = try #require(motion.last).attitude
    let yaw = Convention.sphero.pitchRollYaw(of: attitude).yaw
    #expect(abs(yaw.degrees + 90) < 0.1)
    #expect(abs(try #require(Convention.sphero.heading(ofYaw: yaw)).angle.degrees - 90) < 0.1)
    #expect(abs(await game.robot.locatorPosition.heading - 90) < 0.1)
    // Forward in the body is to the right of heading 0.
    #expect(attitude.act(on: Vector3(0, 1, 0)).isApproximatelyEqual(to: Vector3(1, 0, 0), tolerance: 0.05))
    #expect(motion.allSatisfy { abs($0.gravity.length - 1) < 1e-12 })
    #expect(zip(motion, motion.dropFirst()).allSatisfy { abs($1.timestamp - $0.timestamp - 0.05) < 1e-6 })
  }

  @Test(arguments: [SensorMask.motion, [.accel, .gyro], [.accelRaw, .gyroRaw]])
  func restIsStill(mask: SensorMask) async throws {
    let request = StreamRequest(mask: mask)
    let motion = try await Game().play { robot in
      try await robot.samples(request).prefix(100).processed(by: MotionTracker())
        .reduce(into: []) { $0.append($1) }
    }
    #expect(motion.count == 100)
    for motion in motion {
      let motion = try #require(motion)
      #expect(motion.userAcceleration.length < 0.012, "0.003 g of noise on each axis, and a count")
      #expect(motion.rotationRate.length < 0.4 * .pi / 180)
      #expect(motion.gravity.isApproximatelyEqual(to: Vector3(0, 0, -1), tolerance: 0.01))
    }
  }

  @Test func accelerationIsForward() async throws {
    let motion = try await Game().play { robot in
      let motion = try await robot.motion(StreamRequest(mask: .motion, divisor: 4))
      try await robot.send(Motion.Roll(speed: 255, heading: 0))
      return try await take(20, of: motion)
    }
    let strongest = try #require(motion.map(\.userAcceleration).max { $0.length < $1.length })
    #expect(strongest.y > 0.3 && abs(strongest.x) < 0.02, "\(strongest)")
  }

  private static let readings: [(SensorAxes, Convention)] = [
    (.a, .spheroReadingA), (.b, .spheroReadingB), (.c, .sphero), (.d1, .spheroReadingD1),
    (.d2, .spheroReadingD2),
  ]

  /// Held nose up by 30 degrees at heading 270, then spun about up, ahead and right: all by hand.
  @Test(arguments: readings, [SensorMask.motion, [.accel, .gyro]])
  func eachReadingIsTurnedByItsConvention(_ pair: (SensorAxes, Convention), _ mask: SensorMask)
    async throws
  {
    let game = Game {
      $0.model.sensorAxes = pair.0
      ($0.model.errors.accelerationNoise, $0.model.errors.rateNoise) = (0, 0)
    }
    let motion = try await game.play { robot in
      await game.robot.withModel { model, now in
        // qz(90) qx(30).
        model.hold(Rotation(w: 0.683012702, x: 0.183012702, y: 0.183012702, z: 0.683012702), at: now)
      }
      try await game.time.sleep(for: .seconds(2))
      let samples = try await robot.samples(StreamRequest(mask: mask)).makeAsyncIterator()
      var tracker = MotionTracker(by: pair.1)
      let still = try await samples.next().flatMap { tracker($0) }
      await game.robot.withModel { $0.spin(Vector3(0.5, 1, -1.5), at: $1) }
      var spun: DeviceMotion?
      for _ in 0..<6 { spun = try await samples.next().flatMap { tracker($0) } }
      return (still, spun)
    }
    let still = try #require(motion.0)
    // Up is ahead by sin 30 and up by cos 30.
    #expect(still.gravity.isApproximatelyEqual(to: Vector3(0, -0.5, -0.866025404), tolerance: 3e-4))
    #expect(still.userAcceleration.length < 5e-4)
    if mask == .motion {
      let angles = Convention.spheroReadingA.pitchRollYaw(of: still.attitude)
      #expect(abs(angles.pitch.degrees - 30) < 0.02 && abs(angles.yaw.degrees - 90) < 0.02)
    }
    let rate = try #require(motion.1).rotationRate
    #expect(rate.isApproximatelyEqual(to: Vector3(0.5, 1, -1.5), tolerance: 2e-3), "\(rate)")
  }

  /// Turns in place by a degree every 20 ms, on average 50 degrees per second.
  @Sendable private func turnSlowly(_ robot: Robot, _ time: VirtualTime) async throws {
    for heading in 1...120 as ClosedRange<UInt16> {
      try await robot.send(Motion.Roll(speed: 0, heading: heading))
      try await time.sleep(for: .milliseconds(20))
    }
  }

  @Test func fusionFollowsTheQuaternion() async throws {
    // At the rate of the robot's motion, to sample the simulated turns.
    func played(_ mask: SensorMask) async throws -> [DeviceMotion?] {
      let game = Game()
      let request = StreamRequest(mask: mask, divisor: 1)
      var settings = Game.plain
      settings.commandsPerSecond = 50
      return try await game.play(settings: settings) { robot in
        let samples = try await robot.samples(request)
        async let turn: Void = turnSlowly(robot, game.time)
        let motion = try await samples.prefix(1_200).processed(by: MotionTracker())
          .reduce(into: []) { $0.append($1) }
        try await turn
        return motion
      }
    }
    let known = try await played(.motion).compactMap(\.self)
    let fused = try await played([.accel, .gyro]).compactMap(\.self)
    #expect(known.count == 1_200 && fused.count == 1_200)
    let apart = zip(known, fused).map { $0.attitude.angle(to: $1.attitude).degrees }
    #expect(try #require(apart.max()) < 1.5)
    let yaw = Convention.sphero.pitchRollYaw(of: try #require(fused.last).attitude).yaw
    #expect(abs(yaw.degrees + 120) < 1.5)
  }

  @Test func theQuaternionIsIgnoredOnRequest() throws {
    // At rest and level: q0 is 1, z is 1 g. The fusion knows the vertical within a few samples.
    let mask = SensorMask.motion
    var sample = Sample(mask: mask)
    for (field, word) in [(SensorField.q0, 10_000), (.accelZ, 4_096)] as [(SensorField, Int16)] {
      sample.words[try #require(mask.index(of: field))] = word
    }
    for ignoresQuaternion in [false, true] {
      var tracker = MotionTracker(ignoresQuaternion: ignoresQuaternion)
      for number in 0..<20 {
        let time = Duration.milliseconds(50 * number)
        _ = tracker(
          TimedSample(time: time, arrival: time, hostTime: time, wallClock: time, sample: sample))
      }
      #expect(tracker.isFused == ignoresQuaternion)
      tracker.reset()
      _ = tracker(
        TimedSample(time: .zero, arrival: .zero, hostTime: .zero, wallClock: .zero, sample: sample))
      #expect(tracker.isFused == ignoresQuaternion, "after a restart")
    }
  }

  @Test func aZeroQuaternionIsFused() async throws {
    let time = VirtualTime()
    let (isFused, motion) = try await time.run {
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) { await SimulatedRobot(time: time).serve(device) }
      let result = try await Robot.withRobot(on: OldFirmware(host), time: time) { robot in
        var motion = try await robot.motion().makeAsyncIterator()
        let first = try await motion.next()
        return (motion.isFused, first)
      }
      await life.value
      return result
    }
    #expect(isFused)
    #expect(abs(try #require(motion).gravity.z + 1) < 0.001)
  }

  @Test func aFastRobotIsTimedByItsArrivals() async throws {
    let time = VirtualTime()
    let (first, last, elapsed) = try await time.run {
      let (host, device) = MemoryTransport.pair()
      let fast = FastTime(base: time)
      let life = Task(executorPreference: time) { await SimulatedRobot(time: fast).serve(device) }
      let result = try await Robot.withRobot(on: host, time: time) { robot in
        var motion = try await robot.motion().makeAsyncIterator()
        for _ in 0..<1_000 { _ = try await motion.next() }
        let (first, start) = (try await motion.next(), time.now)
        for _ in 0..<999 { _ = try await motion.next() }
        return (first, try await motion.next(), time.now - start)
      }
      await life.value
      return result
    }
    let measured = try #require(last).timestamp - (try #require(first)).timestamp
    #expect(abs(elapsed / .seconds(1) - 50 / 1.05) < 0.01)
    #expect(abs(measured - 50 / 1.05) < 0.02, "nominally 50 s")
  }

  @Test func lostPacketsAreNoSlowClock() async throws {
    let faults = [Fault(.drop, of: .sensorData, at: 199..<223)]
    let game = Game()
    let motion = try await game.play(faults: faults) { try await take(1_000, of: try await $0.motion()) }
    let steps = zip(motion, motion.dropFirst()).map { $1.timestamp - $0.timestamp }
    #expect(steps.filter { abs($0 - 0.05) > 0.001 }.count == 1, "one gap")
    #expect(abs(try #require(steps.max()) - 25 * 0.05) < 0.06)
  }

  @Test func posesOfARobotThatLiesLevelAreAllTheSame() async throws {
    let steps = try await Game().play { robot in
      var collector = PoseCollector(wait: .seconds(5))
      var steps: [PoseCollector.Outcome] = []
      for try await sample in try await robot.samples(StreamRequest(mask: [.motion, .imu])) {
        let step = collector(sample)
        if step == .completed || step == .completedSimilar { steps.append(step) }
        if collector.count == 3 { break }
      }
      let probe = try #require(ConventionProbe(collector.poses))
      #expect(probe.verdict == .undecided(next: .rightSideDown))
      #expect(collector.poses.count == 3)
      return steps
    }
    #expect(steps == [.completed, .completedSimilar, .completedSimilar])
  }

  /// The decisive poses, each held long enough, and one with both pitch and roll.
  private static let hand = """
    hold level
    wait 4s
    hold yaw 90
    wait 4s
    hold pitch 40
    wait 4s
    hold roll 40
    wait 4s
    hold pitch 30 roll 30 yaw -120
    wait 20s
    """

  @Test(arguments: readings)
  func aHandProducesEveryReading(_ pair: (SensorAxes, Convention)) async throws {
    let time = VirtualTime()
    var configuration = SimulatedRobot.Configuration()
    configuration.model.sensorAxes = pair.0
    (configuration.model.errors.accelerationBias, configuration.model.errors.rateBias) = (0.03, 1.5)
    let simulated = SimulatedRobot(
      configuration, script: try HandScript(parsing: Self.hand), time: time)
    let collector = try await time.run {
      try await Robot.withRobot(on: simulated.connect(), time: time, settings: Game.plain) { robot in
        try await robot.send(Motion.SetStabilization(mode: .off))
        var collector = PoseCollector(wait: .seconds(10), requesting: ProbePose.allCases)
        for try await sample in try await robot.samples(StreamRequest(mask: [.motion, .imu])) {
          _ = collector(sample)
          if collector.count == 5 { break }
        }
        return collector
      }
    }
    #expect(collector.poses.map(\.pose) == [.level, .turnedLeft, .noseUp, .rightSideDown, nil])
    #expect(collector.turns.count == 4)
    let probe = try #require(ConventionProbe(collector.poses, turns: collector.turns))
    #expect(probe.verdict == .decided && probe.convention == pair.1)
    #expect(probe.candidates[0].accelerometerResidual < .degrees(3))
    #expect(try #require(probe.angles).isDecided)
    let gyroscope = try #require(probe.gyroscope)
    #expect(gyroscope.isDecided && gyroscope.residual < .degrees(1.5), "\(gyroscope.residual.degrees)")
  }

  @Test func aRobotWithoutQuaternionIsOfNoUseForPoses() async throws {
    let steps = try await Game().play { robot in
      let collector = PoseCollector(wait: .seconds(5))
      return try await robot.samples(StreamRequest(mask: [.accel, .gyro])).prefix(10)
        .processed(by: collector).reduce(into: []) { $0.append($1) }
    }
    #expect(steps == Array(repeating: .unusable, count: 10))
  }
}

/// The clock of a robot that runs 5 % fast.
private struct FastTime: TimeSource {
  let base: VirtualTime
  var now: Duration { base.now * 1.05 }
  var executor: (any TaskExecutor)? { base.executor }
  func sleep(until deadline: Duration) async throws { try await base.sleep(until: deadline / 1.05) }
}

/// A line whose robot streams zeros for the quaternion, the last four words of `SensorMask.motion`.
private struct OldFirmware: Transport {
  private let line: MemoryTransport
  init(_ line: MemoryTransport) { self.line = line }

  func read() async throws -> [UInt8]? {
    guard let bytes = try await line.read() else { return nil }
    var decoder = PacketDecoder(from: .robot)
    decoder.append(bytes)
    var rewritten: [UInt8] = []
    while var packet = decoder.next() {
      if case .event(var event) = packet, event.id == Sensing.SensorData.id {
        event.payload = event.payload.dropLast(8) + [UInt8](repeating: 0, count: 8)
        packet = .event(event)
      }
      rewritten += try packet.encoded()
    }
    return rewritten
  }
  func write(_ bytes: [UInt8]) async throws { line.write(bytes) }
  func close() async { line.close() }
}
