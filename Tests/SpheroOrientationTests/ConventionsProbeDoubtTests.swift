// The probe says what a log leaves open, and when nothing explains it.

import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.aCoreEach) struct ConventionsProbeDoubtTests {
  private static let all = ["sphero-a", "sphero-b", "sphero", "sphero-d1", "sphero-d2"]

  /// What each pose shows of the readings: B alone has the other sign of yaw; A and D2 of nose up, by the quaternion
  /// and by the accelerometer; A and D1 of right side down by the quaternion, A and D2 by the accelerometer.
  /// So right side down tells all apart but B and C.
  @Test(
    arguments: [
      ([.level], .sphero, all, .rightSideDown),
      ([.level, .turnedLeft], .sphero, ["sphero-a", "sphero", "sphero-d1", "sphero-d2"], .rightSideDown),
      ([.level, .noseUp], .sphero, ["sphero-b", "sphero", "sphero-d1"], .turnedLeft),
      ([.level, .noseUp], .spheroReadingA, ["sphero-a", "sphero-d2"], .rightSideDown),
      ([.level, .noseUp, .rightSideDown], .sphero, ["sphero-b", "sphero"], .turnedLeft),
      ([.level, .noseUp, .rightSideDown], .spheroReadingB, ["sphero-b", "sphero"], .turnedLeft),
      ([.level, .turnedLeft, .noseUp], .spheroReadingD2, ["sphero-a", "sphero-d2"], .rightSideDown),
      ([.level, .turnedLeft, .noseUp], .sphero, ["sphero", "sphero-d1"], .rightSideDown),
    ] as [([LaidPose], Convention, [String], LaidPose)])
  func missingPosesLeaveReadingsOpen(
    _ poses: [LaidPose], _ truth: Convention, _ open: [String], _ next: LaidPose
  ) throws {
    var robot = LaidRobot(convention: truth, bias: .zero, heading: 0, noise: SeededGenerator(seed: 60))
    let probe = try #require(ConventionProbe(poses.map { robot.sample(robot.lay($0), $0) }))
    #expect(probe.names == Set(open))
    #expect(probe.verdict == .undecided(next: next))
    #expect(probe.angles == nil && probe.gyroscope == nil)
  }

  /// The frame recorded from an Ollie: no pose was asked for, so the streamed angles say what is ahead and right.
  /// A and D2 have the nose up where pitch is -5; B and C differ in yaw, D1 and C by 2 degrees of roll.
  @Test func theRecordedFrameLeavesThreeReadings() throws {
    let sample = ConventionSample(
      words: QuaternionWords(9985, -539, 86, 0), accelerometer: Vector3(0.018, 0.109, 1.013),
      angles: PitchRollYaw(pitch: .degrees(-5), roll: .degrees(1), yaw: .degrees(0)))
    let probe = try #require(ConventionProbe([sample]))
    #expect(probe.names == ["sphero-b", "sphero", "sphero-d1"])
    #expect(probe.verdict == .undecided(next: .turnedLeft))
    let likeliest = try #require(probe.candidates.first { $0.convention == .sphero })
    // 6.2 against 5 degrees; and .0173, .1076 against .0175, .1059 of the length.
    #expect(abs(try #require(likeliest.angleResidual).degrees - 1.2) < 0.05)
    #expect(likeliest.accelerometerResidual < .degrees(0.2) && likeliest.poseResidual == nil)
    // Without the angles, nothing says what is ahead.
    let mute = ConventionSample(words: sample.words, accelerometer: sample.accelerometer)
    #expect(try #require(ConventionProbe([mute])).names.count == 5)
  }

  @Test(arguments: readings)
  func posesWithoutNamesAreReadByTheirAngles(_ truth: Convention) throws {
    var robot = LaidRobot(convention: truth, noise: SeededGenerator(seed: 61))
    let tilts = [tilted(30, 35, 10), tilted(100, -30, 25), tilted(250, 15, -40), tilted(330, 40, 35)]
    let probe = try #require(ConventionProbe(tilts.map { robot.sample($0) }))
    #expect(probe.verdict == .decided && probe.convention == truth)
    #expect(try #require(probe.candidates[0].angleResidual) < .degrees(1.2))
  }

  // MARK: Nothing explains it

  @Test func wordsOfChanceAreExplainedByNothing() throws {
    for seed in 0..<12 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let samples = LaidPose.allCases.map { pose in
        var robot = LaidRobot(convention: .sphero, noise: random)
        var sample = robot.sample(robot.lay(pose), pose)
        sample.words = QuaternionWords(
          random.number(-1...1), random.number(-1...1), random.number(-1...1), random.number(-1...1))
        return sample
      }
      #expect(ConventionProbe(samples)?.verdict == .unexplained, "seed \(seed)")
    }
  }

  @Test func aLeftHandedAccelerometerIsExplainedByNothing() throws {
    for truth in readings {
      var robot = LaidRobot(convention: truth, noise: SeededGenerator(seed: 62))
      let samples = robot.log().map { sample in
        var sample = sample
        sample.accelerometer.x *= -1
        return sample
      }
      let probe = try #require(ConventionProbe(samples))
      #expect(probe.verdict == .unexplained && probe.candidates.count == 1)
      #expect(probe.angles == nil && probe.gyroscope == nil && !probe.candidates[0].isExplained)
    }
  }

  @Test func anAccelerometerThatSticksIsExplainedByNothing() throws {
    var robot = LaidRobot(convention: .sphero, noise: SeededGenerator(seed: 63))
    let samples = robot.log().map { sample in
      var sample = sample
      sample.accelerometer = Vector3(0, 0, 1)
      return sample
    }
    #expect(try #require(ConventionProbe(samples)).verdict == .unexplained)
  }

  /// The nose down instead of up, by 40 degrees each: 80 are more than a careless hand.
  @Test func aPoseLaidTheWrongWayIsExplainedByNothing() throws {
    for truth in readings {
      var robot = LaidRobot(convention: truth, noise: SeededGenerator(seed: 64))
      var samples = robot.log()
      samples[2] = robot.sample(LaidPose.noseUp.attitude.inverse, .noseUp)
      #expect(try #require(ConventionProbe(samples)).verdict == .unexplained)
    }
  }

  @Test func anglesThatNothingExplainsAreTold() throws {
    var robot = LaidRobot(convention: .sphero, noise: SeededGenerator(seed: 65))
    var random = SeededGenerator(seed: 66)
    let samples = robot.log().map { sample in
      var sample = sample
      sample.angles?.pitch = .degrees(random.number(-90...90))
      sample.angles?.roll = .degrees(random.number(-180...180))
      return sample
    }
    let probe = try #require(ConventionProbe(samples))
    #expect(probe.verdict == .decided && probe.convention == .sphero)
    #expect(try #require(probe.angles).isExplained == false)
  }

  // MARK: Samples that say nothing

  @Test func samplesThatSayNothingAreLeftOut() throws {
    let up = Vector3(0, 0, 1)
    let level = QuaternionWords(1, 0, 0, 0)
    #expect(ConventionProbe([]) == nil)
    let nothing = [
      ConventionSample(words: QuaternionWords(0, 0, 0, 0), accelerometer: up, pose: .level),
      ConventionSample(words: level, accelerometer: .zero),
      ConventionSample(words: level, accelerometer: up * 1.5),
      ConventionSample(words: level, accelerometer: up * .nan, pose: .noseUp),
      ConventionSample(words: QuaternionWords(1, .nan, 0, 0), accelerometer: up),
      ConventionSample(words: QuaternionWords(1, .infinity, 0, 0), accelerometer: up),
    ]
    for sample in nothing { #expect(ConventionProbe([sample]) == nil) }
    var robot = LaidRobot(convention: .spheroReadingD1, noise: SeededGenerator(seed: 67))
    let log = robot.log()
    #expect(ConventionProbe(log + nothing) == ConventionProbe(log))
    // An angle that is not finite is no evidence.
    let mute = log.map { sample in
      var sample = sample
      sample.angles?.roll = .degrees(.nan)
      return sample
    }
    let probe = try #require(ConventionProbe(mute))
    #expect(probe.convention == .spheroReadingD1 && probe.angles == nil)
  }
}
