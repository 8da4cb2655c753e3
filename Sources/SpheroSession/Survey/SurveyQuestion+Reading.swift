// Which of the known readings of quaternion and accelerometer explains the poses.

import SpheroOrientation
import SpheroProtocol

extension SurveyQuestion {
  /// The known readings, in the order of the sides.
  private static let readings: [(name: String, convention: Convention)] = [
    ("A", .spheroReadingA), ("B", .spheroReadingB), ("C", .spheroReadingC), ("D1", .spheroReadingD1),
    ("D2", .spheroReadingD2),
  ]

  static let readingQuestion = SurveyQuestion(
    "reading",
    "Which of the readings of quaternion and accelerometer in Orientation.md is right?",
    readings.map(\.name), assumed: readings.firstIndex { $0.convention == .sphero },
    byAnyOf: ["level", "turned", "nose-up", "right-side-down", "mixed"]
  ) { parts in judged(parts, reading) }

  /// What the streamed values of a reading may differ by and still be the same: angles come in whole degrees,
  /// accelerometers are off by some hundredths of a g.
  private static let resolution = 2.5
  /// What is further off explains nothing.
  private static let limit = 8.0

  /// Compares the attitude of the quaternion with that of the streamed angles, and its up with what is felt.
  private static func reading(_ poses: [SurveyPose]) -> SurveyJudgement {
    let samples = poses.flatMap(\.samples)
    var residuals: [Double] = []
    for (_, convention) in readings {
      var (sum, count) = (0.0, 0.0)
      for sample in samples {
        guard let attitude = sample.rotation(by: convention), let angles = sample.pitchRollYaw,
          let streamed = convention.attitude(of: angles), let force = sample.specificForce(by: convention),
          let error = Rotation(from: attitude.specificForce(), to: force)?.angle
        else { continue }
        let turn = attitude.angle(to: streamed)
        sum += turn.degrees * turn.degrees + error.degrees * error.degrees
        count += 2
      }
      guard count > 0 else { return .open([], "the robot streams no quaternion") }
      residuals.append((sum / count).squareRoot())
    }
    let evidence =
      zip(readings, residuals).map { "\($0.name) \(Decimal.text($1, digits: 1))" }
      .joined(separator: ", ") + " degrees off in \(poses.count) pose\(poses.count == 1 ? "" : "s")"
    guard let best = residuals.min(), best <= limit else {
      return .unexplained("no reading fits", evidence)
    }
    let open = residuals.indices.filter { residuals[$0] <= best * 2 + resolution }
    guard let side = open.first, open.count == 1 else {
      return .open(open, "the poses do not tell them apart", evidence)
    }
    return .side(side, evidence)
  }
}
