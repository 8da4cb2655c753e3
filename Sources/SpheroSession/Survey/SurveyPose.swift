// How the ball lay at the end of a step in which somebody held it.

import SpheroOrientation
import SpheroProtocol

/// The last half second of a step in which the ball was laid down.
struct SurveyPose: Sendable {
  /// Samples that make a pose.
  private static let count = 10
  /// What turns faster, in degrees a second by the filtered words, does not lie still.
  private static let stillness = 5.0

  let samples: [Sample]

  /// Takes the last samples of a step; nil where there are too few.
  init?(_ part: SurveyLog.Part) {
    let all = part.streams(with: SurveyStep.held.sensorMask).flatMap(\.samples)
    guard all.count >= Self.count else { return nil }
    samples = Array(all.suffix(Self.count))
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
