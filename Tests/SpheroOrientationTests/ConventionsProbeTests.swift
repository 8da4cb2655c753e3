// The probe finds every convention it could be shown, through the noise of a real robot.
import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.oneAtATime) struct ConventionsProbeTests {
  /// A log as a robot would stream it: words of 1/10000, whole degrees, an accelerometer that is off.
  private func log(
    of convention: Convention, poses: [Rotation], noise: inout SeededGenerator
  ) -> [ConventionSample] {
    poses.map { attitude in
      let words = convention.words(of: attitude)
      let angles = convention.pitchRollYaw(of: attitude)
      func whole(_ angle: Angle) -> Angle { .degrees(angle.degrees.rounded()) }
      let force = attitude.specificForce() + Vector3(0.02, -0.03, 0.01) + noise.vector() * 0.005
      return ConventionSample(
        words: QuaternionWords(
          (words.q0 * 10_000).rounded(), (words.q1 * 10_000).rounded(), (words.q2 * 10_000).rounded(),
          (words.q3 * 10_000).rounded()),
        accelerometer: convention.accelerometer(ofSpecificForce: force),
        angles: PitchRollYaw(pitch: whole(angles.pitch), roll: whole(angles.roll), yaw: whole(angles.yaw)))
    }
  }

  private func poses(_ headingPitchRoll: [(Double, Double, Double)]) throws -> [Rotation] {
    try headingPitchRoll.map { heading, pitch, roll in
      try #require(
        Rotation(
          eulerAngles: EulerAngles(
            .degrees(-heading), .degrees(pitch), .degrees(roll), order: .intrinsic(.zxy))))
    }
  }

  @Test func everyLayoutOrderAndSignIsFound() throws {
    let seed: UInt64 = 40
    var random = SeededGenerator(seed: seed)
    let tilted = try poses([(30, 35, 10), (100, -30, 25), (250, 15, -40), (330, 40, 35)])
    for layout in QuaternionLayout.all {
      for sequence in EulerSequence.allCases where sequence.isTaitBryan {
        for (pitch, roll, yaw) in [
          (SignedAxis.x, SignedAxis.y, SignedAxis.z), (.minusX, .y, .z), (.x, .minusY, .z), (.x, .y, .minusZ),
          (.minusX, .minusY, .z), (.minusX, .minusY, .minusZ),
        ] {
          var truth = Convention.sphero
          truth.layout = layout
          truth.angles = try #require(
            AngleConvention(pitch: pitch, roll: roll, yaw: yaw, order: .intrinsic(sequence)))
          let note: Comment = "seed \(seed), \(truth.layout), \(truth.angles)"
          let samples = log(of: truth, poses: tilted, noise: &random)
          let probe = try #require(ConventionProbe(samples), note)
          #expect(probe.convention == truth, note)
          #expect(!probe.isAmbiguous, note)
          #expect(probe.layout.residual.degrees < 4, note)
          #expect(try #require(probe.angles).residual.degrees < 1.2, note)
        }
      }
    }
  }

  @Test func threePosesPitchedAndRolledAreEnough() throws {
    let seed: UInt64 = 43
    var random = SeededGenerator(seed: seed)
    var ambiguous = 0
    for _ in 0..<150 {
      var truth = Convention.sphero
      truth.layout = try #require(QuaternionLayout.all.randomElement(using: &random))
      let sequence = try #require(
        EulerSequence.allCases.filter(\.isTaitBryan).randomElement(using: &random))
      truth.angles = try #require(
        AngleConvention(
          pitch: Bool.random(using: &random) ? .x : .minusX, roll: Bool.random(using: &random) ? .y : .minusY,
          yaw: Bool.random(using: &random) ? .z : .minusZ, order: .intrinsic(sequence)))
      let tilted = try poses(
        (0..<3).map { _ in
          (
            random.number(0...360), random.number(20...45) * (Bool.random(using: &random) ? 1 : -1),
            random.number(20...45) * (Bool.random(using: &random) ? 1 : -1)
          )
        })
      let probe = try #require(ConventionProbe(log(of: truth, poses: tilted, noise: &random)))
      #expect(probe.convention == truth || probe.isAmbiguous, "seed \(seed), \(truth)")
      ambiguous += probe.isAmbiguous ? 1 : 0
    }
    #expect(ambiguous <= 3, "seed \(seed)")
  }

  @Test func coreMotionSignsAreKnownToTheProbe() throws {
    var random = SeededGenerator(seed: 41)
    let tilted = try poses([(30, 35, 10), (100, -30, 25), (250, 15, -40)])
    let samples = log(of: .coreMotion, poses: tilted, noise: &random)
    var assumed = Convention.coreMotion
    assumed.layout = QuaternionLayout(.scalarFirst, .referenceToBody)
    let probe = try #require(ConventionProbe(samples, assuming: assumed))
    #expect(probe.convention == .coreMotion)
    #expect(!probe.isAmbiguous)
  }

  @Test func aLevelPoseDecidesNothing() throws {
    var random = SeededGenerator(seed: 42)
    let samples = log(of: .sphero, poses: [.identity, .identity], noise: &random)
    let probe = try #require(ConventionProbe(samples))
    #expect(probe.layout.isAmbiguous)
    #expect(try #require(probe.angles).isAmbiguous)
  }

  @Test func oneTiltDecidesTheLayoutButNotTheOrder() throws {
    // The frame recorded from an Ollie; its pitch has the sign of the quaternion as streamed.
    let sample = ConventionSample(
      words: QuaternionWords(9985, -539, 86, 0), accelerometer: Vector3(0.018, 0.109, 1.01),
      angles: PitchRollYaw(pitch: .degrees(-5), roll: .degrees(1), yaw: .degrees(0)))
    let probe = try #require(ConventionProbe([sample]))
    #expect(probe.layout.choice == QuaternionLayout(.scalarFirst, .referenceToBody))
    #expect(!probe.layout.isAmbiguous)
    #expect(probe.layout.residual.degrees < 1)
    #expect(try #require(probe.angles).isAmbiguous)
    #expect(probe.convention.angles.pitch == .minusX)
  }

  @Test func samplesThatSayNothingAreLeftOut() throws {
    let up = Vector3(0, 0, 1)
    let level = QuaternionWords(1, 0, 0, 0)
    #expect(ConventionProbe([]) == nil)
    #expect(ConventionProbe([ConventionSample(words: QuaternionWords(0, 0, 0, 0), accelerometer: up)]) == nil)
    #expect(ConventionProbe([ConventionSample(words: level, accelerometer: .zero)]) == nil)
    #expect(ConventionProbe([ConventionSample(words: level, accelerometer: up * 1.5)]) == nil)
    #expect(ConventionProbe([ConventionSample(words: level, accelerometer: up * .nan)]) == nil)
    #expect(
      ConventionProbe([ConventionSample(words: QuaternionWords(1, .nan, 0, 0), accelerometer: up)]) == nil)
    let mute = try #require(ConventionProbe([ConventionSample(words: level, accelerometer: up)]))
    #expect(mute.angles == nil)
    #expect(mute.convention.angles == Convention.sphero.angles)
  }
}
