// Logs of poses at rest as a robot of a given convention would stream them.

import TestSupport

@testable import SpheroOrientation

/// The five readings that agree with the recordings.
let readings: [Convention] = [
  .spheroReadingA, .spheroReadingB, .spheroReadingC, .spheroReadingD1, .spheroReadingD2,
]

/// A robot that a person places in poses.
struct LaidRobot {
  var convention: Convention
  /// The bias of the accelerometer in g.
  var bias = Vector3(0.02, -0.03, 0.01)
  /// The angle in degrees between the requested and the actual pose.
  var placementError = 0.0
  /// The heading of the first pose in degrees.
  var heading = 77.0
  var hasAngles = true
  var noise: SeededGenerator

  /// Returns a sample with words in 1/10000, whole degrees and a noisy accelerometer.
  mutating func sample(_ attitude: Rotation, _ pose: ProbePose? = nil) -> ConventionSample {
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

  /// Returns the attitude of a pose with an error of ``placementError`` about a random axis.
  mutating func place(_ pose: ProbePose) -> Rotation {
    let axis = Vector3(noise.number(-1...1), noise.number(-1...1), noise.number(-1...1)).normalized ?? .zero
    let error = Rotation(rotationVector: axis * Angle.degrees(placementError).radians) ?? .identity
    let start = Rotation(rotationVector: Vector3(0, 0, -Angle.degrees(heading).radians)) ?? .identity
    return start * error * pose.attitude
  }

  /// Returns one sample for each pose, and one with both pitch and roll.
  mutating func log(_ poses: [ProbePose] = ProbePose.allCases) -> [ConventionSample] {
    poses.map { sample(place($0), $0) } + [sample(tilted(100, -30, 35))]
  }
}

/// Returns the attitude of a heading, a pitch and a roll in degrees.
func tilted(_ heading: Double, _ pitch: Double, _ roll: Double) -> Rotation {
  Rotation(
    eulerAngles: EulerAngles(.degrees(-heading), .degrees(pitch), .degrees(roll), order: .intrinsic(.zxy)))
    ?? .identity
}

extension ConventionProbe {
  /// The names of the candidates.
  var names: Set<String> { Set(candidates.compactMap(\.convention.name)) }
}
