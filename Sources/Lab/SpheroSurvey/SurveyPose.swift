// How the ball lay at the end of a step in which somebody held it.

import SpheroMotion
import SpheroOrientation
import SpheroProtocol
import SpheroSession

/// The last half second of a step in which the ball was laid down.
struct SurveyPose: Sendable {
  /// Samples that make a pose.
  private static let count = 10
  /// What turns faster, in degrees a second by the filtered words, does not lie still.
  private static let stillness = 5.0

  /// What the person was asked for; nil where that is not known to the degree.
  let asked: LaidPose?
  let samples: [Sample]
  /// All samples of the step, and the seconds between two.
  private let path: [Sample]
  private let period: Double

  /// Takes the last samples of a step; nil where there are too few.
  init?(_ part: SurveyLog.Part) {
    let streams = part.streams(with: SurveyStep.held.sensorMask)
    path = streams.flatMap(\.samples)
    guard path.count >= Self.count else { return nil }
    samples = Array(path.suffix(Self.count))
    period = streams.first?.framePeriod ?? 0
    asked =
      switch part.step {
      case "level": .level
      case "turned": .turnedLeft
      case "nose-up": .noseUp
      case "right-side-down": .rightSideDown
      default: nil
      }
  }

  /// The pose for a probe; nil where the robot streams no quaternion.
  var sample: ConventionSample? {
    words.map {
      ConventionSample(
        words: $0, accelerometer: accelerometer, angles: samples.last?.pitchRollYaw, pose: asked)
    }
  }

  /// The turn from the beginning of the step to the pose, by quaternion and gyroscope.
  ///
  /// Nil where heading 0 was set on the way, and where the robot streams no quaternion.
  var turn: ConventionTurn? {
    guard asked != .level, let start = path.first?.quaternionWords, let words else { return nil }
    let rest = samples.compactMap(\.gyroscope)
    let bias = rest.reduce(Vector3.zero, +) / Double(max(rest.count, 1))
    var turning = TurnPath(bias: bias)
    for (number, sample) in path.enumerated() {
      if let rate = sample.gyroscope { turning.add(rate, at: Double(number) * period) }
    }
    return turning.turn.map { ConventionTurn(from: start, to: words, gyroscope: $0) }
  }

  /// Whether the ball lay still; a constant error of the gyroscope is no motion.
  var isStill: Bool {
    [SensorField.gyroX, .gyroY, .gyroZ].allSatisfy { field in
      let rates = samples.compactMap { $0[field] }
      guard let least = rates.min(), let most = rates.max() else { return false }
      return most - least < 2 * Self.stillness
    }
  }

  /// The mean of a field, in its unit.
  func mean(_ field: SensorField) -> Double {
    samples.compactMap { $0[field] }.reduce(0, +) / Double(samples.count)
  }

  /// The mean of a field, in counts.
  func counts(_ field: SensorField) -> Double {
    samples.compactMap { $0.word(field) }.reduce(0) { $0 + Double($1) } / Double(samples.count)
  }

  /// What the accelerometer reads on its own axes, in g.
  var accelerometer: Vector3 { Vector3(mean(.accelX), mean(.accelY), mean(.accelZ)) }

  /// The streamed angles, whole degrees, of the last sample: their mean would be wrong where they wrap.
  var angles: (pitch: Double, roll: Double, yaw: Double) {
    (samples.last?[.pitch] ?? 0, samples.last?[.roll] ?? 0, samples.last?[.yaw] ?? 0)
  }

  /// The last quaternion words, in their order and units of one; nil where they are all zero.
  var words: QuaternionWords? {
    guard let words = samples.last?.quaternionWords, QuaternionLayout.all[0].rotation(of: words) != nil
    else { return nil }
    return words
  }
}

extension Array where Element == SurveyLog.Part {
  /// The poses of all steps; nil where one has no samples, or the ball did not lie still in it.
  var poses: [SurveyPose]? {
    let poses = compactMap { SurveyPose($0) }
    return poses.count == count && poses.allSatisfy(\.isStill) ? poses : nil
  }
}
