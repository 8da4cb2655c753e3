// Logs that leave several readings open, and logs that no reading explains.

import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.ownThread) struct ConventionsProbeVerdictTests {
  private static let all = ["sphero-a", "sphero-b", "sphero", "sphero-d1", "sphero-d2"]

  /// The poses that distinguish the readings: yaw has the opposite sign in B; nose up in A and D2, by the quaternion
  /// and by the accelerometer; right side down in A and D1 by the quaternion, in A and D2 by the accelerometer.
  /// Right side down therefore distinguishes all except B and C.
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
    ] as [([ProbePose], Convention, [String], ProbePose)])
  func missingPosesLeaveReadingsOpen(
    _ poses: [ProbePose], _ truth: Convention, _ open: [String], _ next: ProbePose
  ) throws {
    var robot = LaidRobot(convention: truth, bias: .zero, heading: 0, noise: SeededGenerator(seed: 60))
    let probe = try #require(ConventionProbe(poses.map { robot.sample(robot.place($0), $0) }))
    #expect(probe.names == Set(open))
    #expect(probe.verdict == .undecided(next: next))
    #expect(probe.angles == nil && probe.gyroscope == nil)
  }

  /// In the frame recorded from an Ollie, no pose was requested, so the streamed angles define ahead and right.
  /// A and D2 have the nose up, but pitch is -5; B and C differ in yaw, D1 and C by 2 degrees of roll.
  @Test func recordedFrameLeavesThreeReadingsOpen() throws {
    let sample = ConventionSample(
      words: QuaternionWords(9985, -539, 86, 0), accelerometer: Vector3(0.018, 0.109, 1.013),
      angles: PitchRollYaw(pitch: .degrees(-5), roll: .degrees(1), yaw: .degrees(0)))
    let probe = try #require(ConventionProbe([sample]))
    #expect(probe.names == ["sphero-b", "sphero", "sphero-d1"])
    #expect(probe.verdict == .undecided(next: .turnedLeft))
    let likeliest = try #require(probe.candidates.first { $0.convention == .sphero })
    // The angles are 6.2 and 5 degrees; the components .0173, .1076 and .0175, .1059 of the length.
    #expect(abs(try #require(likeliest.angleResidual).degrees - 1.2) < 0.05)
    #expect(likeliest.accelerometerResidual < .degrees(0.2) && likeliest.poseResidual == nil)
    // Without the angles, ahead is unknown.
    let withoutAngles = ConventionSample(words: sample.words, accelerometer: sample.accelerometer)
    #expect(try #require(ConventionProbe([withoutAngles])).names.count == 5)
  }

  @Test(arguments: readings)
  func streamedAnglesDecideWithoutPoses(_ truth: Convention) throws {
    var robot = LaidRobot(convention: truth, noise: SeededGenerator(seed: 61))
    let tilts = [tilted(30, 35, 10), tilted(100, -30, 25), tilted(250, 15, -40), tilted(330, 40, 35)]
    let probe = try #require(ConventionProbe(tilts.map { robot.sample($0) }))
    #expect(probe.verdict == .decided && probe.convention == truth)
    #expect(try #require(probe.candidates[0].angleResidual) < .degrees(1.2))
  }

  // MARK: Unexplained logs

  @Test func randomWordsAreUnexplained() throws {
    for seed in 0..<12 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let samples = ProbePose.allCases.map { pose in
        var robot = LaidRobot(convention: .sphero, noise: random)
        var sample = robot.sample(robot.place(pose), pose)
        sample.words = QuaternionWords(
          random.number(-1...1), random.number(-1...1), random.number(-1...1), random.number(-1...1))
        return sample
      }
      #expect(ConventionProbe(samples)?.verdict == .unexplained, "seed \(seed)")
    }
  }

  @Test func leftHandedAccelerometerIsUnexplained() throws {
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

  @Test func constantAccelerometerIsUnexplained() throws {
    var robot = LaidRobot(convention: .sphero, noise: SeededGenerator(seed: 63))
    let samples = robot.log().map { sample in
      var sample = sample
      sample.accelerometer = Vector3(0, 0, 1)
      return sample
    }
    #expect(try #require(ConventionProbe(samples)).verdict == .unexplained)
  }

  /// The nose is down by 40 degrees instead of up: an error of 80 degrees exceeds that of placing the robot.
  @Test func reversedPoseIsUnexplained() throws {
    for truth in readings {
      var robot = LaidRobot(convention: truth, noise: SeededGenerator(seed: 64))
      var samples = robot.log()
      samples[2] = robot.sample(ProbePose.noseUp.attitude.inverse, .noseUp)
      #expect(try #require(ConventionProbe(samples)).verdict == .unexplained)
    }
  }

  @Test func reportsUnexplainedAngles() throws {
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

  // MARK: Unusable samples

  @Test func ignoresUnusableSamples() throws {
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
    // An angle that is not finite is ignored.
    let withoutRoll = log.map { sample in
      var sample = sample
      sample.angles?.roll = .degrees(.nan)
      return sample
    }
    let probe = try #require(ConventionProbe(withoutRoll))
    #expect(probe.convention == .spheroReadingD1 && probe.angles == nil)
  }
}
