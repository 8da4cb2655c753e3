// Logs of poses at rest as a robot of a given convention would stream them.

import TestSupport

@testable import SpheroOrientation

/// The five readings that recordings leave.
let readings: [Convention] = [
  .spheroReadingA, .spheroReadingB, .spheroReadingC, .spheroReadingD1, .spheroReadingD2,
]

/// A robot that a hand lays in poses.
struct LaidRobot {
  var convention: Convention
  /// What the accelerometer reads too much, in g.
  var bias = Vector3(0.02, -0.03, 0.01)
  /// How exactly the hand lays the robot: the mean angle of its errors, in degrees.
  var carelessness = 0.0
  /// The heading that the first pose looks at.
  var heading = 77.0
  /// Whether angles are streamed.
  var hasAngles = true
  var noise: SeededGenerator

  /// Words of 1/10000, whole degrees, a noisy accelerometer.
  mutating func sample(_ attitude: Rotation, _ pose: LaidPose? = nil) -> ConventionSample {
    let words = convention.words(of: attitude)
    let angles = convention.pitchRollYaw(of: attitude)
    func whole(_ angle: Angle) -> Angle { .degrees(angle.degrees.rounded()) }
    let force = attitude.specificForce() + bias + noise.vector() * 0.005
    return ConventionSample(
      words: QuaternionWords(
        (words.q0 * 10_000).rounded(), (words.q1 * 10_000).rounded(), (words.q2 * 10_000).rounded(),
        (words.q3 * 10_000).rounded()),
      accelerometer: convention.accelerometer(ofSpecificForce: force),
      angles: hasAngles
        ? PitchRollYaw(pitch: whole(angles.pitch), roll: whole(angles.roll), yaw: whole(angles.yaw)) : nil,
      pose: pose)
  }

  /// The attitude of a pose that the hand lays: wrong by ``carelessness`` about a random axis.
  mutating func lay(_ pose: LaidPose) -> Rotation {
    let axis = Vector3(noise.number(-1...1), noise.number(-1...1), noise.number(-1...1)).normalized ?? .zero
    let wrong = Rotation(rotationVector: axis * Angle.degrees(carelessness).radians) ?? .identity
    let start = Rotation(rotationVector: Vector3(0, 0, -Angle.degrees(heading).radians)) ?? .identity
    return start * wrong * pose.attitude
  }

  /// One sample for each pose, and one that is pitched and rolled at once.
  mutating func log(_ poses: [LaidPose] = LaidPose.allCases) -> [ConventionSample] {
    poses.map { sample(lay($0), $0) } + [sample(tilted(100, -30, 35))]
  }
}

/// An attitude by heading, pitch and roll in degrees.
func tilted(_ heading: Double, _ pitch: Double, _ roll: Double) -> Rotation {
  Rotation(
    eulerAngles: EulerAngles(.degrees(-heading), .degrees(pitch), .degrees(roll), order: .intrinsic(.zxy)))
    ?? .identity
}

extension ConventionProbe {
  /// The readings with a name among the candidates.
  var names: Set<String> { Set(candidates.compactMap(\.convention.name)) }
}
