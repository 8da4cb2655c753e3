// The probe identifies every convention despite sensor noise and errors of placing the robot.

import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.ownThread) struct ConventionsProbeTests {
  @Test(arguments: readings)
  func identifiesEveryReading(_ truth: Convention) throws {
    var robot = LaidRobot(convention: truth, noise: SeededGenerator(seed: 40))
    let probe = try #require(ConventionProbe(robot.log()))
    #expect(probe.verdict == .decided && probe.convention == truth)
    let best = try #require(probe.candidates.first)
    // The bias is 0.037 g, which is two degrees, divided among the errors.
    #expect(probe.candidates.count == 1 && best.accelerometerResidual < .degrees(2.5))
    #expect(try #require(best.poseResidual) < .degrees(2.5))
    #expect(best.angleResidual == nil, "poses were requested")
    #expect(try #require(best.headingResidual) < .degrees(2))
    let other = try #require(probe.runnerUp)
    #expect(max(other.accelerometerResidual, other.poseResidual ?? .zero) > .degrees(20))
    #expect(try #require(probe.angles).isDecided && probe.gyroscope == nil)
  }

  /// Every pose has an error of 10 degrees about a random axis.
  @Test(arguments: readings)
  func toleratesPlacementErrors(_ truth: Convention) throws {
    for seed in 0..<8 as Range<UInt64> {
      var robot = LaidRobot(
        convention: truth, placementError: 10, heading: Double(seed) * 47, noise: SeededGenerator(seed: seed))
      let probe = try #require(ConventionProbe(robot.log()), "seed \(seed)")
      #expect(probe.verdict == .decided && probe.candidates[0].convention == truth, "seed \(seed)")
      #expect(try #require(probe.candidates[0].poseResidual) < .degrees(15), "seed \(seed)")
    }
  }

  @Test func identifiesLayoutFrameAndAxes() throws {
    var random = SeededGenerator(seed: 41)
    let angles = Convention.spheroReadingA.angles
    for layout in QuaternionLayout.all {
      for _ in 0..<6 {
        let frame = try #require(AxisMap.all.randomElement(using: &random))
        let truth = Convention(
          layout: layout, body: frame, reference: frame, angles: angles.renamed(by: frame),
          accelerometerAxes: AxisMap.all.randomElement(using: &random))
        var robot = LaidRobot(convention: truth, noise: random)
        let probe = try #require(ConventionProbe(robot.log()))
        #expect(probe.verdict == .decided && probe.convention == truth, "\(truth)")
      }
    }
  }

  @Test func identifiesOrderAndSignsOfAngles() throws {
    let signs: [(SignedAxis, SignedAxis, SignedAxis)] = [
      (.x, .y, .z), (.minusX, .y, .z), (.x, .minusY, .z), (.x, .y, .minusZ), (.minusX, .minusY, .z),
      (.minusX, .minusY, .minusZ),
    ]
    var random = SeededGenerator(seed: 42)
    for sequence in EulerSequence.allCases where sequence.isTaitBryan {
      for (pitch, roll, yaw) in signs {
        var truth = try #require(readings.randomElement(using: &random))
        let meaning = try #require(
          AngleConvention(pitch: pitch, roll: roll, yaw: yaw, order: .intrinsic(sequence)))
        truth.angles = meaning.renamed(by: truth.body)
        var robot = LaidRobot(convention: truth, heading: 30, noise: random)
        let samples = robot.log() + [robot.sample(tilted(250, 15, -40)), robot.sample(tilted(330, 40, 35))]
        let probe = try #require(ConventionProbe(samples))
        #expect(probe.convention == truth, "\(truth.layout), \(meaning)")
        let found = try #require(probe.angles)
        #expect(found.isDecided && found.residual < .degrees(1.2), "\(meaning)")
      }
    }
  }

  @Test func identifiesCoreMotion() throws {
    var robot = LaidRobot(convention: .coreMotion, noise: SeededGenerator(seed: 43))
    let probe = try #require(ConventionProbe(robot.log(), assuming: .coreMotion))
    #expect(probe.verdict == .decided && probe.convention == .coreMotion)
    // With the other sign, up and down are exchanged.
    #expect(try #require(ConventionProbe(robot.log())).convention != .coreMotion)
  }

  /// Poses about one axis each do not determine whether pitch or roll is the middle angle: the assumption stays.
  @Test func keepsTheAssumedOrderWithoutACombinedTilt() throws {
    var robot = LaidRobot(convention: .sphero, noise: SeededGenerator(seed: 44))
    let samples = ProbePose.allCases.map { robot.sample(robot.place($0), $0) }
    let probe = try #require(ConventionProbe(samples, assuming: .spheroLater))
    #expect(probe.verdict == .decided && probe.angles?.isAmbiguous == true)
    #expect(probe.convention.layout == Convention.sphero.layout)
    #expect(probe.convention.angles.order == .intrinsic(.zyx))
    #expect(try #require(ConventionProbe(robot.log(), assuming: .spheroLater)).convention == .sphero)
  }

  @Test func assumesScalarFirstWithoutAngles() throws {
    for truth in readings {
      var robot = LaidRobot(convention: truth, hasAngles: false, noise: SeededGenerator(seed: 45))
      let probe = try #require(ConventionProbe(robot.log()))
      #expect(probe.verdict == .decided && probe.convention == truth && probe.angles == nil)
    }
  }

  /// Streamed yaw relative to another heading does not outweigh the poses.
  @Test func toleratesYawFromAnotherHeading() throws {
    var robot = LaidRobot(convention: .sphero, noise: SeededGenerator(seed: 46))
    let samples = robot.log().map { sample in
      var turned = sample
      turned.angles = sample.angles.map {
        PitchRollYaw(pitch: $0.pitch, roll: $0.roll, yaw: ($0.yaw + .degrees(60)).wrapped)
      }
      return turned
    }
    let probe = try #require(ConventionProbe(samples))
    #expect(probe.candidates[0].convention == .sphero)
  }

  @Test func repeatedPosesHaveLimitedWeight() throws {
    var robot = LaidRobot(
      convention: .spheroReadingB, bias: Vector3(0.05, 0.05, 0), noise: SeededGenerator(seed: 47))
    let samples = robot.log()
    let probe = try #require(ConventionProbe(samples + Array(repeating: samples[0], count: 200)))
    #expect(probe.names.contains("sphero-b"))
  }

  // MARK: Gyroscope

  /// Returns the rotations between poses as a gyroscope with these axes integrates them.
  private func turns(_ truth: Convention, _ axes: AxisMap, _ poses: [Rotation]) -> [ConventionRotation] {
    zip(poses, poses.dropFirst()).map { start, end in
      ConventionRotation(
        from: truth.words(of: start), to: truth.words(of: end),
        gyroscope: axes.rotation * (start.inverse * end) * axes.rotation.inverse)
    }
  }

  private let path = [
    Rotation.identity, ProbePose.turnedLeft.attitude, ProbePose.noseUp.attitude,
    ProbePose.rightSideDown.attitude, tilted(100, -30, 35),
  ]

  @Test(arguments: readings)
  func identifiesTheGyroscopeAxes(_ truth: Convention) throws {
    var robot = LaidRobot(convention: truth, noise: SeededGenerator(seed: 48))
    let probe = try #require(
      ConventionProbe(robot.log(), turns: turns(truth, truth.gyroscopeAxes, path)))
    let found = try #require(probe.gyroscope)
    #expect(found.isDecided && found.choice == truth.gyroscopeAxes && found.residual < .degrees(0.1))
    #expect(probe.convention == truth)
  }

  @Test func identifiesSeparateGyroscopeAxes() throws {
    var robot = LaidRobot(convention: .sphero, noise: SeededGenerator(seed: 49))
    let axes = try #require(AxisMap(x: .y, y: .minusX, z: .z))
    let probe = try #require(ConventionProbe(robot.log(), turns: turns(.sphero, axes, path)))
    #expect(probe.verdict == .decided && probe.convention.gyroscopeAxes == axes)
    #expect(probe.convention.accelerometerAxes == Convention.sphero.accelerometerAxes)
    // A rotation about the vertical does not determine the other axes.
    let open = try #require(ConventionProbe(robot.log(), turns: turns(.sphero, axes, Array(path.prefix(2)))))
    #expect(open.gyroscope?.isAmbiguous == true && open.convention == .sphero)
  }

  @Test func manyPosesGiveTheSameVerdict() throws {
    for count in [8, 12, 40] {
      var robot = LaidRobot(convention: .sphero, noise: SeededGenerator(seed: 51))
      var samples: [ConventionSample] = []
      while samples.count < count { samples += robot.log() }
      let probe = try #require(ConventionProbe(samples))
      #expect(probe.verdict == .decided && probe.convention == .sphero, "\(count)")
    }
  }

  @Test func reportsAContradictingGyroscope() throws {
    var robot = LaidRobot(convention: .sphero, noise: SeededGenerator(seed: 50))
    let still = turns(.sphero, .identity, path).map {
      ConventionRotation(from: $0.start, to: $0.end, gyroscope: .identity)
    }
    let mirrored = turns(.sphero, .identity, path).map { turn in
      let v = turn.gyroscope.rotationVector
      let wrong = Rotation(rotationVector: Vector3(-v.x, v.y, v.z)) ?? .identity
      return ConventionRotation(from: turn.start, to: turn.end, gyroscope: wrong)
    }
    for turns in [still, mirrored] {
      let probe = try #require(ConventionProbe(robot.log(), turns: turns))
      #expect(probe.gyroscope?.isExplained == false)
      #expect(probe.verdict == .undecided(next: .turnedLeft))
      #expect(probe.candidates.map(\.convention) == [.sphero])
    }
    let nothing = ConventionRotation(
      from: QuaternionWords(0, 0, 0, 0), to: QuaternionWords(1, .nan, 0, 0), gyroscope: .identity)
    #expect(try #require(ConventionProbe(robot.log(), turns: [nothing])).gyroscope == nil)
  }
}
