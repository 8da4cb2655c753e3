// Which reading of quaternion and sensors explains the poses, as the convention probe finds it.

import SpheroOrientation
import SpheroProtocol

extension SurveyQuestion {
  /// The named readings, in the order of the sides.
  private static let readings: [(name: String, convention: Convention)] = [
    ("A", .spheroReadingA), ("B", .spheroReadingB), ("C", .spheroReadingC), ("D1", .spheroReadingD1),
    ("D2", .spheroReadingD2),
  ]
  /// The orders of the streamed angles, as the ranges of the documents allow them.
  private static let orders: [EulerSequence] = [.zxy, .zyx]
  /// The axes of the gyroscope in the named readings.
  private static let gyroscopes: [AxisMap] = [Convention.sphero.gyroscopeAxes, .identity]

  private static let poseSteps = ["level", "turned", "nose-up", "right-side-down", "mixed"]

  static let readingQuestion = SurveyQuestion(
    "reading", "Which reading of the quaternion and the accelerometer is right (Orientation.md)?",
    readings.map(\.name), assumed: readings.firstIndex { $0.convention == .sphero }, byAnyOf: poseSteps
  ) { parts in judged(parts, reading) }

  static let angleOrderQuestion = SurveyQuestion(
    "angle-order", "In which order do the streamed angles turn?",
    ["yaw, pitch, roll", "yaw, roll, pitch"], assumed: 0, byAnyOf: poseSteps
  ) { parts in judged(parts, angleOrder) }

  static let gyroscopeAxesQuestion = SurveyQuestion(
    "gyroscope-axes", "Which axes does the gyroscope have?",
    ["left, back, up", "right, ahead, up"], assumed: 0, byAnyOf: poseSteps
  ) { parts in judged(parts, gyroscopeAxes) }

  private static let noQuaternion = SurveyJudgement.open([], "the robot streams no quaternion")

  /// What the probe says of the poses, and of the turns between them.
  private static func probe(_ poses: [SurveyPose]) -> ConventionProbe? {
    let samples = poses.compactMap(\.sample)
    return samples.isEmpty ? nil : ConventionProbe(samples, turns: poses.compactMap(\.turn))
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

  private static func reading(_ poses: [SurveyPose]) -> SurveyJudgement {
    guard let probe = probe(poses) else { return noQuaternion }
    let evidence = (probe.candidates.prefix(1) + (probe.runnerUp.map { [$0] } ?? [])).map { text($0) }
      .joined(separator: "; ")
    switch probe.verdict {
    case .decided:
      return probe.candidates.first.flatMap(index(of:)).map { .side($0, evidence) }
        ?? .unexplained("another reading fits; 'sphero calibrate --conventions' prints it", evidence)
    case .undecided(let next):
      let named = probe.candidates.compactMap(index(of:)).sorted()
      let pose = next.map { ", step \(step(of: $0)) would" } ?? ""
      return .open(named, "the poses do not tell all readings apart\(pose)", evidence)
    case .unexplained: return .unexplained("no reading fits", evidence)
    }
  }

  private static func step(of pose: LaidPose) -> String {
    switch pose {
    case .level: "level"
    case .turnedLeft: "turned"
    case .noseUp: "nose-up"
    case .rightSideDown: "right-side-down"
    }
  }

  private static func angleOrder(_ poses: [SurveyPose]) -> SurveyJudgement {
    guard let probe = probe(poses) else { return noQuaternion }
    guard let angles = probe.angles else { return .open([0, 1], "the reading is not decided") }
    let evidence = "\(text(angles.residual)) degrees off, the next best \(text(angles.runnerUp))"
    guard angles.isExplained else { return .unexplained("no order fits", evidence) }
    guard !angles.isAmbiguous else {
      return .open([0, 1], "it takes a pose that is pitched and rolled at once", evidence)
    }
    let sequence = angles.choice.order.sequence
    return orders.firstIndex(of: sequence).map { .side($0, evidence) }
      ?? .unexplained(sequence.rawValue, evidence)
  }

  private static func gyroscopeAxes(_ poses: [SurveyPose]) -> SurveyJudgement {
    guard let probe = probe(poses) else { return noQuaternion }
    guard let axes = probe.gyroscope else {
      return .open([0, 1], "the reading is not decided, or nothing turned")
    }
    let evidence = "\(text(axes.residual)) degrees off, the next best \(text(axes.runnerUp))"
    guard axes.isExplained else { return .unexplained("no axes fit", evidence) }
    guard !axes.isAmbiguous else { return .open([0, 1], "the turns do not tell them apart", evidence) }
    return gyroscopes.firstIndex(of: axes.choice).map { .side($0, evidence) }
      ?? .unexplained("other axes", evidence)
  }
}
