// The motion manager: pull and push of three kinds at their own intervals, and their ends.

import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct MotionManagerTests {
  /// The measurement times of some values in seconds.
  private func times<Value>(_ count: Int, of updates: MotionUpdates<Value>) async throws -> [Double] {
    var times: [Double] = []
    for try await reading in updates.prefix(count) { times.append(reading.hostTime / .seconds(1)) }
    return times
  }

  private func isEven(_ times: [Double], _ interval: Double) -> Bool {
    times.count > 1 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - interval) < 1e-4 }
  }

  @Test func nothingBeforeTheStart() async throws {
    try await Game().play { robot in
      let manager = try await MotionManager(robot)
      #expect(manager.isAccelerometerAvailable && manager.isGyroAvailable)
      #expect(manager.isDeviceMotionAvailable && manager.isQuaternionAvailable)
      #expect(manager.accelerometerData == nil && manager.gyroData == nil && manager.deviceMotion == nil)
      #expect(!manager.isAccelerometerActive && !manager.isGyroActive && !manager.isDeviceMotionActive)
      manager.stopDeviceMotionUpdates()
    }
  }

  @Test func pullsTheNewestValuesWithTheirAges() async throws {
    let game = Game()
    try await game.play { robot in
      let manager = try await MotionManager(robot)
      try await manager.startAccelerometerUpdates(every: .milliseconds(100))
      try await manager.startGyroUpdates(every: .milliseconds(50))
      try await manager.startDeviceMotionUpdates(every: .milliseconds(25))
      try await game.time.sleep(for: .seconds(2))
      let force = try #require(manager.accelerometerData)
      #expect(force.value.isApproximatelyEqual(to: Vector3(0, 0, 1), tolerance: 0.01))
      #expect(force.age >= .zero && force.age <= .milliseconds(110))
      let rate = try #require(manager.gyroData)
      #expect(rate.value.length < 0.01 && rate.age <= .milliseconds(60))
      let motion = try #require(manager.deviceMotion)
      #expect(motion.value.gravity.z < -0.999 && motion.age <= .milliseconds(35))
      #expect(manager.isAccelerometerActive && manager.isGyroActive && manager.isDeviceMotionActive)

      manager.stopGyroUpdates()
      try await game.time.sleep(for: .seconds(1))
      let old = try #require(manager.gyroData)
      #expect(!manager.isGyroActive && old.age >= .seconds(1), "the newest value remains")
      #expect(try #require(manager.accelerometerData).age <= .milliseconds(110))
    }
  }

  @Test func eachKindIsPushedAtItsOwnInterval() async throws {
    try await Game().play { robot in
      let manager = try await MotionManager(robot)
      let motion = try await manager.startDeviceMotionUpdates(every: .milliseconds(10))
      let force = try await manager.startAccelerometerUpdates(every: .milliseconds(100))
      let rate = try await manager.startGyroUpdates(every: .milliseconds(40))
      async let motionTimes = times(100, of: motion)
      async let forceTimes = times(10, of: force)
      async let rateTimes = times(25, of: rate)
      #expect(isEven(try await motionTimes, 0.01))
      #expect(isEven(try await forceTimes, 0.1))
      #expect(isEven(try await rateTimes, 0.04))
    }
  }

  @Test func aSecondStartChangesTheInterval() async throws {
    let game = Game()
    try await game.play { robot in
      let manager = try await MotionManager(robot)
      let first = try await manager.startGyroUpdates(every: .milliseconds(100))
      try await game.time.sleep(for: .seconds(1))
      _ = try await manager.startGyroUpdates(every: .milliseconds(20))
      try await game.time.sleep(for: .seconds(2))
      manager.stopGyroUpdates()
      var times: [Double] = []
      for try await reading in first { times.append(reading.hostTime / .seconds(1)) }
      #expect(times.count > 80, "the first sequence continues: \(times.count)")
      #expect(isEven(times.suffix(80), 0.02))
    }
  }

  @Test func aChangeOfTheIntervalKeepsTheBias() async throws {
    let game = Game { $0.model.errors.rateBias = 1.5 }
    try await game.play { robot in
      let manager = try await MotionManager(robot)
      try await manager.startDeviceMotionUpdates(every: .milliseconds(50))
      try await game.time.sleep(for: .seconds(6))
      let known = try #require(manager.deviceMotion).value.rotationRateBias
      #expect(known.length > 0.5 * .pi / 180)
      let updates = try await manager.startDeviceMotionUpdates(every: .milliseconds(10)).makeAsyncIterator()
      for _ in 0..<20 { _ = try await updates.next() }
      let later = try #require(manager.deviceMotion).value.rotationRateBias
      #expect((later - known).length < 0.05 * .pi / 180)
    }
  }

  /// The timestamps continue, and the fusion of old firmware keeps its heading.
  @Test(arguments: [false, true]) func aChangeOfTheIntervalContinuesTheTime(_ isOld: Bool) async throws {
    let game = Game { if isOld { $0.model.profile = .sphero1 } }
    try await game.play { robot in
      let manager = try await MotionManager(robot)
      let first = try await manager.startDeviceMotionUpdates(every: .milliseconds(100))
      try await game.time.sleep(for: .seconds(5))
      _ = try await manager.startDeviceMotionUpdates(every: .milliseconds(20))
      try await game.time.sleep(for: .seconds(2))
      manager.stopDeviceMotionUpdates()
      var (timestamps, delays, error) = ([Double](), [Double](), Angle.zero)
      for try await reading in first {
        timestamps.append(reading.value.timestamp)
        delays.append(reading.hostTime / .seconds(1) - reading.value.timestamp)
        error = reading.value.attitudeAccuracy.estimate?.heading ?? .zero
      }
      #expect(timestamps.count > 120)
      #expect(zip(timestamps, timestamps.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 < 0.11 })
      #expect(delays.allSatisfy { abs($0 - (delays.first ?? 0)) < 0.001 })
      #expect(error.degrees < 10, "\(error)")
    }
  }

  @Test func aStopEndsIterations() async throws {
    let game = Game()
    try await game.play { robot in
      let manager = try await MotionManager(robot)
      let updates = try await manager.startDeviceMotionUpdates()
      let stop = game.time.start {
        try? await game.time.sleep(for: .seconds(1))
        manager.stopDeviceMotionUpdates()
      }
      var count = 0
      for try await _ in updates { count += 1 }
      #expect((15...22).contains(count), "\(count) in a second at 20 Hz")
      await stop.value
      // A new start works.
      #expect(try await times(5, of: try await manager.startDeviceMotionUpdates()).count == 5)
    }
  }

  @Test func leavingALoopDoesNotStopPulling() async throws {
    let game = Game()
    try await game.play { robot in
      let manager = try await MotionManager(robot)
      _ = try await times(3, of: try await manager.startGyroUpdates())
      try await game.time.sleep(for: .seconds(1))
      #expect(manager.isGyroActive)
      #expect(try #require(manager.gyroData).age <= .milliseconds(60))
    }
  }

  @Test func managersDoNotDisturbEachOther() async throws {
    let game = Game()
    try await game.play { robot in
      let (slow, fast) = (try await MotionManager(robot), try await MotionManager(robot))
      let slowUpdates = try await slow.startGyroUpdates(every: .milliseconds(200))
      let fastUpdates = try await fast.startGyroUpdates(every: .milliseconds(5))
      async let slowTimes = times(10, of: slowUpdates)
      async let fastTimes = times(300, of: fastUpdates)
      #expect(isEven(try await slowTimes.dropFirst(2).map(\.self), 0.2))
      #expect(isEven(try await fastTimes.dropFirst(20).map(\.self), 0.005))
      fast.stopGyroUpdates()
      try await game.time.sleep(for: .seconds(1))
      #expect(try #require(slow.gyroData).age <= .milliseconds(210))
    }
  }

  @Test func theEndOfTheSessionEndsUpdates() async throws {
    let (manager, updates) = try await Game().play { robot in
      let manager = try await MotionManager(robot)
      let updates = try await manager.startDeviceMotionUpdates()
      _ = try await times(3, of: try await manager.startGyroUpdates())
      return (manager, updates)
    }
    var count = 0
    do { for try await _ in updates { count += 1 } } catch {}
    #expect(count < 300 && !manager.isDeviceMotionActive)
  }

  @Test func aManagerWithoutReferencesStopsItsUpdates() async throws {
    let game = Game()
    try await game.play { robot in
      let updates = try await MotionManager(robot).startGyroUpdates()
      var count = 0
      for try await _ in updates { count += 1 }
      #expect(count < 20)
    }
  }

  @Test func agesIncreaseWhileTheLinkIsSilent() async throws {
    let game = Game()
    let silence: Range<Duration> = .seconds(4) ..< .seconds(7)
    let wrap: @Sendable (any Transport) -> any Transport = {
      SilencedTransport(line: $0, time: game.time, silence: silence, .both)
    }
    try await game.play(wrap: wrap) { robot in
      let manager = try await MotionManager(robot)
      try await manager.startDeviceMotionUpdates()
      try await game.time.sleep(until: .milliseconds(6_500))
      #expect(try #require(manager.deviceMotion).age > .seconds(2))
      #expect(manager.isDeviceMotionActive)
      try await game.time.sleep(until: .seconds(10))
      #expect(try #require(manager.deviceMotion).age < .milliseconds(200), "the stream is requested again")
    }
  }

  @Test func motionOfOldFirmwareIsFused() async throws {
    let game = Game { $0.model.profile = .sphero1 }
    try await game.play { robot in
      let manager = try await MotionManager(robot)
      #expect(!manager.isQuaternionAvailable && manager.isDeviceMotionAvailable)
      try await manager.startDeviceMotionUpdates()
      try await game.time.sleep(for: .seconds(2))
      let motion = try #require(manager.deviceMotion).value
      #expect(motion.gravity.z < -0.999 && motion.attitudeAccuracy != .unknown)
    }
  }

  @Test func anUnknownModelIsUnavailable() async throws {
    let game = Game { $0.model.profile.version.model = Core.GetVersioning.Model(rawValue: 0x77) }
    try await game.play { robot in
      let manager = try await MotionManager(robot)
      #expect(!manager.isAccelerometerAvailable && !manager.isGyroAvailable)
      #expect(!manager.isDeviceMotionAvailable)
    }
  }

  /// The shortest and the longest interval, and one that is not positive.
  @Test func intervalsAreLimited() async throws {
    try await Game().play { robot in
      let manager = try await MotionManager(robot)
      let fast = try await manager.startGyroUpdates(every: .zero)
      #expect(isEven(try await times(100, of: fast), 0.0025))
      // The largest divisor: 65,535 steps of 2.5 ms.
      let slow = try await manager.startGyroUpdates(every: .seconds(1_000_000_000))
      #expect(manager.isGyroActive)
      #expect(isEven(try await times(2, of: slow), 163.8375))
    }
  }

  @Test func aSlowConsumerLosesTheOldestValues() async throws {
    let game = Game()
    try await game.play { robot in
      let manager = try await MotionManager(robot)
      let updates = try await manager.startGyroUpdates(every: .milliseconds(5))
      try await game.time.sleep(for: .seconds(3))
      #expect(updates.dropped > 300 && updates.dropped < 360, "\(updates.dropped)")
      let iterator = updates.makeAsyncIterator()
      let oldest = try #require(try await iterator.next())
      #expect(oldest.age > .milliseconds(1_200) && oldest.age < .milliseconds(1_350), "256 readings")
    }
  }
}
