// Which of the known readings of quaternion and accelerometer explains the poses.

import SpheroOrientation
import SpheroProtocol

extension SurveyQuestion {
  /// The index of the assumed side of both horizontal axes of the accelerometer.
  static let assumedAxes = 1

  static let readingQuestion = SurveyQuestion(
    "reading", "How are quaternion and accelerometer to be read?", ["A", "B", "C", "D"], assumed: 0,
    by: "level",
    judge: { _ in .open([0, 1, 2, 3], "") })
}
