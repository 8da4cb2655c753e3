// Questions about the convention of quaternion and sensors, judged by the convention probe.

import SpheroOrientation
import SpheroProtocol

extension SurveyQuestion {
  /// The named conventions in the order of the sides.
  private static let readings: [(name: String, convention: Convention)] = [
    ("A", .spheroReadingA), ("B", .spheroReadingB), ("C", .spheroReadingC), ("D1", .spheroReadingD1),
    ("D2", .spheroReadingD2),
  ]
  /// The orders of the streamed angles that the documented ranges allow.
  private static let orders: [EulerSequence] = [.zxy, .zyx]
  /// The axes of the gyroscope in the named conventions.
  private static let gyroscopes: [AxisMap] = [Convention.sphero.gyroscopeAxes, .identity]

  private static let poseSteps = ["level", "turned", "nose-up", "right-side-down", "mixed"]

  static let readingQuestion = SurveyQuestion(
    "reading", "Which reading of the quaternion and the accelerometer is right (Orientation.md)?",
    readings.map(\.name), assumed: readings.firstIndex { $0.convention == .sphero }, poses: poseSteps,
    needsAllSteps: false, judge: { probing($0, reading) })

  static let angleOrderQuestion = SurveyQuestion(
    "angle-order", "In which order do the streamed angles turn?",
    ["yaw, pitch, roll", "yaw, roll, pitch"], assumed: 0, poses: poseSteps, needsAllSteps: false,
    judge: { probing($0, angleOrder) })

  static let gyroscopeAxesQuestion = SurveyQuestion(
    "gyroscope-axes", "Which axes does the gyroscope have?",
    ["left, back, up", "right, ahead, up"], assumed: 0, poses: poseSteps, needsAllSteps: false,
    judge: { probing($0, gyroscopeAxes) })

  /// Judges the probe of the poses and of the turns between them.
  private static func probing(
    _ poses: [SurveyPose], _ judge: (ConventionProbe) -> SurveyJudgement
  ) -> SurveyJudgement {
    ConventionProbe(poses.compactMap(\.sample), turns: poses.compactMap(\.turn)).map(judge)
      ?? .open([], "the robot streams no quaternion")
  }

  private static func index(of candidate: ConventionProbe.Candidate) -> Int? {
    readings.firstIndex { $0.convention == candidate.convention }
  }

  private static func text(_ angle: Angle) -> String { Decimal.text(angle.degrees, digits: 1) }

  private static func text(_ candidate: ConventionProbe.Candidate) -> String {
    let name = index(of: candidate).map { readings[$0].name } ?? "one without a name"
    let pose = candidate.poseResidual.map { ", poses \(text($0))" } ?? ""
    let angles = candidate.angleResidual.map { ", angles \(text($0))" } ?? ""
    return "\(name): accelerometer \(text(candidate.accelerometerResidual))\(pose)\(angles) degrees off"
  }

  private static func reading(_ probe: ConventionProbe) -> SurveyJudgement {
    let evidence = (probe.candidates.prefix(1) + (probe.runnerUp.map { [$0] } ?? [])).map { text($0) }
      .joined(separator: "; ")
    switch probe.verdict {
    case .decided:
      return probe.candidates.first.flatMap(index(of:)).map { .side($0, evidence) }
        ?? .unexplained("another reading fits; 'sphero calibrate --conventions' prints it", evidence)
    case .undecided(let next):
      let named = probe.candidates.compactMap(index(of:)).sorted()
      let pose = next.map { ", step \($0.step) would" } ?? ""
      return .open(named, "the poses do not tell all readings apart\(pose)", evidence)
    case .unexplained: return .unexplained("no reading fits", evidence)
    }
  }

  private static func angleOrder(_ probe: ConventionProbe) -> SurveyJudgement {
    guard let angles = probe.angles else { return .open([0, 1], "the reading is not decided") }
    let evidence = "\(text(angles.residual)) degrees off, the next best \(text(angles.runnerUp))"
    guard angles.isExplained else { return .unexplained("no order fits", evidence) }
    guard !angles.isAmbiguous else {
      return .open([0, 1], "it takes a pose that is pitched and rolled at once", evidence)
    }
    let sequence = angles.choice.order.sequence
    return .match(sequence, of: orders, otherwise: sequence.rawValue, evidence)
  }

  private static func gyroscopeAxes(_ probe: ConventionProbe) -> SurveyJudgement {
    guard let axes = probe.gyroscope else {
      return .open([0, 1], "the reading is not decided, or nothing turned")
    }
    let evidence = "\(text(axes.residual)) degrees off, the next best \(text(axes.runnerUp))"
    guard axes.isExplained else { return .unexplained("no axes fit", evidence) }
    guard !axes.isAmbiguous else { return .open([0, 1], "the turns do not tell them apart", evidence) }
    return .match(axes.choice, of: gyroscopes, otherwise: "other axes", evidence)
  }
}
