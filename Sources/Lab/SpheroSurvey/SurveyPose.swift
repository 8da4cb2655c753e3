// The pose of the ball at the end of a step in which a person laid it down.

import SpheroMotion
import SpheroOrientation
import SpheroProtocol
import SpheroSession

/// The last half second of a step in which the ball was laid down.
struct SurveyPose: Sendable {
  /// The number of samples of a pose.
  private static let count = 10
  /// The largest turn rate at rest, in degrees per second of the filtered gyroscope.
  private static let stillness = 5.0

  /// The requested pose; nil if its angles are not exact.
  private let requested: LaidPose?
  private let samples: [Sample]
  /// All samples of the step, and their interval in seconds.
  private let path: [Sample]
  private let period: Double

  /// Uses the last samples of a step; nil if there are too few.
  init?(_ step: SurveyLog.StepLog) {
    let streams = step.streams(with: SurveyStep.held.sensorMask)
    path = streams.flatMap(\.samples)
    guard path.count >= Self.count else { return nil }
    samples = Array(path.suffix(Self.count))
    period = streams.first?.framePeriod ?? 0
    requested = LaidPose.allCases.first { $0.step == step.step }
  }

  /// The pose for a probe; nil if the robot streams no quaternion.
  var sample: ConventionSample? {
    quaternion.map {
      ConventionSample(
        words: $0, accelerometer: accelerometer, angles: samples.last?.pitchRollYaw, pose: requested)
    }
  }

  /// The turn from the beginning of the step to the pose, by quaternion and gyroscope.
  ///
  /// Nil if heading 0 was set during the step, and if the robot streams no quaternion.
  var turn: ConventionTurn? {
    guard requested != .level, let start = path.first?.quaternionWords, let quaternion else { return nil }
    let rest = samples.compactMap(\.gyroscope)
    let bias = rest.reduce(Vector3.zero, +) / Double(max(rest.count, 1))
    var turning = TurnPath(bias: bias)
    for (number, sample) in path.enumerated() {
      if let rate = sample.gyroscope { turning.add(rate, at: Double(number) * period) }
    }
    return turning.turn.map { ConventionTurn(from: start, to: quaternion, gyroscope: $0) }
  }

  /// Whether the ball was at rest; a constant bias of the gyroscope is not a motion.
  var isStill: Bool {
    [SensorField.gyroX, .gyroY, .gyroZ].allSatisfy { field in
      let rates = samples.compactMap { $0[field] }
      guard let lowest = rates.min(), let highest = rates.max() else { return false }
      return highest - lowest < 2 * Self.stillness
    }
  }

  /// The mean of a field in its unit.
  private func mean(_ field: SensorField) -> Double {
    samples.compactMap { $0[field] }.reduce(0, +) / Double(samples.count)
  }

  /// The mean of a field in raw counts.
  func counts(_ field: SensorField) -> Double {
    samples.compactMap { $0.word(field) }.reduce(0) { $0 + Double($1) } / Double(samples.count)
  }

  /// The accelerometer on its own axes, in g.
  var accelerometer: Vector3 { Vector3(mean(.accelX), mean(.accelY), mean(.accelZ)) }

  /// The streamed angles of the last sample in whole degrees; a mean would be wrong if they wrap.
  var angles: (pitch: Double, roll: Double, yaw: Double) {
    (samples.last?[.pitch] ?? 0, samples.last?[.roll] ?? 0, samples.last?[.yaw] ?? 0)
  }

  /// The last quaternion as it is streamed, in units of one; nil if it is all zero.
  var quaternion: QuaternionWords? {
    samples.last?.quaternionWords.flatMap { QuaternionLayout.all[0].rotation(of: $0) == nil ? nil : $0 }
  }
}

extension LaidPose {
  /// The step that requests this pose.
  var step: String {
    switch self {
    case .level: "level"
    case .turnedLeft: "turned"
    case .noseUp: "nose-up"
    case .rightSideDown: "right-side-down"
    }
  }
}
