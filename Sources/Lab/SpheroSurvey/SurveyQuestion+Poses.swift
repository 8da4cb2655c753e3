// Questions about the sensors and their convention, judged by poses of the ball and a turn by hand.

import SpheroOrientation
import SpheroProtocol

extension SurveyQuestion {
  static let poseQuestions = [
    SurveyQuestion(
      "quaternion-order", "Which of the four quaternion words is the scalar?", ["the first", "the last"],
      assumed: 0, poses: ["level"]
    ) { poses in
      let level = poses[0]
      guard let q = level.quaternion else { return .undecided([], "the robot streams no quaternion") }
      let evidence = "\(text(q.q0, 4)) \(text(q.q1, 4)) \(text(q.q2, 4)) \(text(q.q3, 4))"
      guard abs(level.angles.yaw) <= 20 else {
        return .undecided([0, 1], "the heading was not set to 0", evidence)
      }
      switch (abs(q.q0) > 0.9, abs(q.q3) > 0.9) {
      case (true, false): return .answer(0, evidence)
      case (false, true): return .answer(1, evidence)
      default: return .unexplained("neither word is near 1 at heading 0", evidence)
      }
    },
    SurveyQuestion(
      "reading", "Which reading of the quaternion and the accelerometer is right (Orientation.md)?",
      readings.map(\.name), assumed: readings.firstIndex { $0.convention == .sphero }, poses: poseSteps,
      needsAllSteps: false, judge: { probing($0, reading) }),
    SurveyQuestion(
      "angle-order", "In which order do the streamed angles turn?",
      ["yaw, pitch, roll", "yaw, roll, pitch"], assumed: 0, poses: poseSteps, needsAllSteps: false,
      judge: { probing($0, angleOrder) }),
    SurveyQuestion(
      "gyroscope-axes", "Which axes does the gyroscope have?",
      ["left, back, up", "right, ahead, up"], assumed: 0, poses: poseSteps, needsAllSteps: false,
      judge: { probing($0, gyroscopeAxes) }),
    SurveyQuestion(
      "quaternion-turn", "Which way does Q3 go on a quarter turn counter-clockwise, seen from above?",
      ["negative", "positive"], assumed: 0, poses: ["level", "turned"]
    ) { poses in
      let (level, turned) = (poses[0], poses[1])
      guard let from = level.quaternion, let to = turned.quaternion else {
        return .undecided([], "the robot streams no quaternion")
      }
      // The rotation between both poses with a positive scalar: q and -q are the same attitude.
      let scalar = from.q0 * to.q0 + from.q3 * to.q3
      let turn = (from.q0 * to.q3 - from.q3 * to.q0) * (scalar < 0 ? -1 : 1)
      let evidence = "Q3 \(text(turn, 3)) from level to turned"
      // sin(45°/2) and sin(135°/2): turns of 45 to 135 degrees.
      guard abs(turn) > 0.38, abs(turn) < 0.92 else { return .undecided([0, 1], notTurned, evidence) }
      return .answer(turn < 0 ? 0 : 1, evidence)
    },
    SurveyQuestion(
      "yaw-sign", "Which way does the streamed yaw grow, seen from above?",
      ["counter-clockwise", "clockwise"], assumed: 0, poses: ["level", "turned"]
    ) { poses in
      let (level, turned) = (poses[0], poses[1])
      var change = turned.angles.yaw - level.angles.yaw
      if change > 180 { change -= 360 }
      if change < -180 { change += 360 }
      let evidence = "\(change > 0 ? "+" : "")\(Int(change)) degrees on a quarter turn counter-clockwise"
      guard (45...135).contains(abs(change)) else { return .undecided([0, 1], notTurned, evidence) }
      return .answer(change > 0 ? 0 : 1, evidence)
    },
    SurveyQuestion(
      "pitch-sign", "What is a positive streamed pitch?", ["nose up", "nose down"], assumed: 0,
      poses: ["nose-up"], judge: { sign(of: $0[0].angles.pitch, "pitch") }),
    SurveyQuestion(
      "roll-sign", "What is a positive streamed roll?", ["right side down", "left side down"], assumed: 0,
      poses: ["right-side-down"], judge: { sign(of: $0[0].angles.roll, "roll") }),
    SurveyQuestion(
      "accelerometer-x", "Where does the X axis of the accelerometer point?", ["left", "right"],
      assumed: 0, poses: ["right-side-down"],
      // With the right side down, the left side is up.
      judge: { axis($0[0].accelerometer.x) }),
    SurveyQuestion(
      "accelerometer-y", "Where does the Y axis of the accelerometer point?", ["back", "ahead"],
      assumed: 0, poses: ["nose-up"],
      // With the nose up, the forward axis is up.
      judge: { axis(-$0[0].accelerometer.y) }),
    SurveyQuestion(
      "accelerometer-unit", "What is a count of the accelerometer, as sensed and filtered?",
      ["4 mg and 1/4096 g"], assumed: 0, poses: ["level"]
    ) { poses in
      let level = poses[0]
      let raw = Vector3(level.counts(.accelRawX), level.counts(.accelRawY), level.counts(.accelRawZ)).length
      let filtered = Vector3(level.counts(.accelX), level.counts(.accelY), level.counts(.accelZ)).length
      let evidence = "at rest \(text(raw, 0)) as sensed, \(text(filtered, 0)) filtered"
      let fits = abs(raw * 0.004 - 1) < 0.1 && abs(filtered / 4096 - 1) < 0.1
      return fits ? .answer(0, evidence) : .unexplained(evidence, evidence)
    },
    SurveyQuestion(
      "accel-one-unit", "What is a count of accelOne?", ["10 mg", "1 mg"], assumed: 0, poses: ["level"]
    ) { poses in
      let level = poses[0]
      let counts = level.counts(.accelOne)
      let evidence = "\(text(counts, 0)) at rest"
      return .nearest(counts, of: [100, 1_000], within: 0.2, seen: evidence, evidence)
    },
    SurveyQuestion(
      "gyroscope-sign", "Which turn about the vertical does the gyroscope's Z count as positive?",
      ["counter-clockwise", "clockwise"], assumed: 0, step: "turn"
    ) { step throws(SurveyJudgement) in
      let turn = try turn(in: step)
      let evidence =
        "Z adds up to \(text(turn.rotation, 0)) degrees over a turn of \(text(abs(turn.yaw), 0)) by the yaw"
      guard abs(turn.yaw) >= 180 else { return .undecided([0, 1], notTurnedAround, evidence) }
      guard abs(turn.rotation) > 1 else { return .unexplained("it does not measure the turn", evidence) }
      return .answer(turn.rotation > 0 ? 0 : 1, evidence)
    },
    SurveyQuestion(
      "gyroscope-unit", "What is a count of the filtered gyroscope?", ["0.1 deg/s", "10 deg/s"], assumed: 0,
      step: "turn"
    ) { step throws(SurveyJudgement) in
      let turn = try turn(in: step)
      guard abs(turn.yaw) >= 180 else { return .undecided([0, 1], notTurnedAround) }
      let counts = abs(turn.rotation / SensorField.gyroZ.scale.perCount)
      guard counts > 0 else { return .unexplained("it does not measure the turn") }
      let unit = abs(turn.yaw) / counts
      return .nearest(
        unit, of: [0.1, 10], within: 0.15, seen: "\(text(unit, 3)) deg/s", "\(text(unit, 4)) deg/s by the yaw"
      )
    },
    SurveyQuestion(
      "raw-gyroscope-unit",
      "What is a count of the gyroscope as sensed, where the filtered one counts 0.1 deg/s?",
      ["0.068 deg/s", "0.061 deg/s"], assumed: 0, step: "turn"
    ) { step throws(SurveyJudgement) in
      let turn = try turn(in: step)
      guard abs(turn.yaw) >= 180 else { return .undecided([0, 1], notTurnedAround) }
      guard turn.raw > 0 else { return .unexplained("it does not measure the turn") }
      let unit = turn.filtered / turn.raw
      let evidence = "\(text(unit, 4)) deg/s"
      return .nearest(unit, of: [0.068, 0.061], within: 0.05, seen: evidence, evidence)
    },
  ]

  static func text(_ value: Double, _ digits: Int = 2) -> String {
    Decimal.text(value, digits: digits)
  }

  private static let notTurned = "it was not turned by about 90 degrees"
  private static let notTipped = "it was not tipped by 15 to 90 degrees"

  private static func sign(of angle: Double, _ name: String) -> SurveyJudgement {
    let evidence = "\(name) \(Int(angle)) degrees"
    guard (15...90).contains(abs(angle)) else { return .undecided([0, 1], notTipped, evidence) }
    return .answer(angle > 0 ? 0 : 1, evidence)
  }

  private static func axis(_ force: Double) -> SurveyJudgement {
    let evidence = "\(text(abs(force))) g"
    // The sines of 15 and 90 degrees, with the error of the sensor.
    guard (0.25...1.1).contains(abs(force)) else { return .undecided([0, 1], notTipped, evidence) }
    return .answer(force > 0 ? 0 : 1, evidence)
  }

  private struct Turn {
    /// The integral of the filtered gyroscope, and the change of the yaw, in degrees.
    var rotation = 0.0
    var yaw = 0.0
    /// The sums of the magnitudes of filtered rates and of raw counts.
    var filtered = 0.0
    var raw = 0.0
  }

  private static func turn(in step: SurveyLog.StepLog) throws(SurveyJudgement) -> Turn {
    let samples = step.samples(with: SurveyStep.held.sensorMask)
    var turn = Turn()
    var last: (time: Duration, angle: Double)?
    for (time, sample) in samples {
      guard let rate = sample[.gyroZ], let counts = sample.word(.gyroRawZ), let angle = sample[.yaw] else {
        throw .undecided([0, 1], "no samples were received")
      }
      turn.rotation += rate * ((time - (last?.time ?? .zero)) / .seconds(1))
      turn.filtered += abs(rate)
      turn.raw += abs(Double(counts))
      let change = angle - (last?.angle ?? angle)
      turn.yaw += change - 360 * (change / 360).rounded()
      last = (time, angle)
    }
    if samples.isEmpty { throw .undecided([0, 1], "no samples were received") }
    return turn
  }

  private static let notTurnedAround = "it was not turned around"

  /// The named conventions, in the order of the answers of `reading`.
  private static let readings: [(name: String, convention: Convention)] = [
    ("A", .spheroReadingA), ("B", .spheroReadingB), ("C", .spheroReadingC), ("D1", .spheroReadingD1),
    ("D2", .spheroReadingD2),
  ]
  private static let orders: [EulerSequence] = [.zxy, .zyx]
  /// The axes of the gyroscope in the named conventions.
  private static let gyroscopes: [AxisMap] = [Convention.sphero.gyroscopeAxes, .identity]

  private static let poseSteps = ["level", "turned", "nose-up", "right-side-down", "mixed"]

  private static func probing(
    _ poses: [SurveyPose], _ judge: (ConventionProbe) -> SurveyJudgement
  ) -> SurveyJudgement {
    ConventionProbe(poses.compactMap(\.sample), turns: poses.compactMap(\.turn)).map(judge)
      ?? .undecided([], "the robot streams no quaternion")
  }

  private static func index(of candidate: ConventionProbe.Candidate) -> Int? {
    readings.firstIndex { $0.convention == candidate.convention }
  }

  private static func text(_ angle: Angle) -> String { text(angle.degrees, 1) }

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
      return probe.candidates.first.flatMap(index(of:)).map { .answer($0, evidence) }
        ?? .unexplained("another reading fits; 'sphero survey --conventions' prints it", evidence)
    case .undecided(let next):
      let named = probe.candidates.compactMap(index(of:)).sorted()
      let pose = next.map { ", step \($0.step) would" } ?? ""
      return .undecided(named, "the poses do not distinguish all readings\(pose)", evidence)
    case .unexplained: return .unexplained("no reading fits", evidence)
    }
  }

  private static func angleOrder(_ probe: ConventionProbe) -> SurveyJudgement {
    guard let angles = probe.angles else { return .undecided([0, 1], "the reading is not decided") }
    let evidence = "\(text(angles.residual)) degrees off, the next best \(text(angles.runnerUp))"
    guard angles.isExplained else { return .unexplained("no order fits", evidence) }
    guard !angles.isAmbiguous else {
      return .undecided([0, 1], "it takes a pose that is pitched and rolled at once", evidence)
    }
    let sequence = angles.choice.order.sequence
    return .match(sequence, of: orders, otherwise: sequence.rawValue, evidence)
  }

  private static func gyroscopeAxes(_ probe: ConventionProbe) -> SurveyJudgement {
    guard let axes = probe.gyroscope else {
      return .undecided([0, 1], "the reading is not decided, or nothing turned")
    }
    let evidence = "\(text(axes.residual)) degrees off, the next best \(text(axes.runnerUp))"
    guard axes.isExplained else { return .unexplained("no axes fit", evidence) }
    guard !axes.isAmbiguous else { return .undecided([0, 1], "the turns do not distinguish them", evidence) }
    return .match(axes.choice, of: gyroscopes, otherwise: "other axes", evidence)
  }
}
