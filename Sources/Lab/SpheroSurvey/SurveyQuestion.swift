// The questions of a survey, each with its possible answers and its judgement.

/// A point on which the sources differ or are silent, and that a robot can decide.
public struct SurveyQuestion: Sendable {
  /// The identifier for programs.
  public let name: String
  public let text: String
  /// The possible answers.
  public let answers: [String]
  /// The assumption of this library: one of the answers, or a description of what it does instead.
  public let assumed: String
  private let assumedAnswer: Int?
  /// The names of the steps on which the judgement is based.
  public let steps: [String]
  /// Whether the judgement needs all steps; otherwise one of them is sufficient.
  private let needsAllSteps: Bool
  private let judge: Judge

  typealias Judge = @Sendable ([SurveyLog.StepLog]) throws(SurveyJudgement) -> SurveyJudgement

  private init(
    _ name: String, _ text: String, _ answers: [String], assumed: Int?, otherwise: String = "either",
    steps: [String], needsAllSteps: Bool = true, judge: @escaping Judge
  ) {
    (self.name, self.text, self.answers, self.steps) = (name, text, answers, steps)
    self.assumed = assumed.map { answers[$0] } ?? otherwise
    (assumedAnswer, self.needsAllSteps, self.judge) = (assumed, needsAllSteps, judge)
  }

  /// Creates a question of one step; `assumed` is the index of an answer, or nil for the text `otherwise`.
  init(
    _ name: String, _ text: String, _ answers: [String], assumed: Int?, otherwise: String = "either",
    step: String, judge: @escaping @Sendable (SurveyLog.StepLog) throws(SurveyJudgement) -> SurveyJudgement
  ) {
    self.init(name, text, answers, assumed: assumed, otherwise: otherwise, steps: [step]) {
      steps throws(SurveyJudgement) in try judge(steps[0])
    }
  }

  /// Creates a question that the ball at rest decides; `poses` are the names of the steps in which it lies still.
  init(
    _ name: String, _ text: String, _ answers: [String], assumed: Int?, poses: [String],
    needsAllSteps: Bool = true, judge: @escaping @Sendable ([SurveyPose]) -> SurveyJudgement
  ) {
    self.init(name, text, answers, assumed: assumed, steps: poses, needsAllSteps: needsAllSteps) {
      steps throws(SurveyJudgement) in
      let poses = steps.compactMap { SurveyPose($0) }
      guard poses.count == steps.count, poses.allSatisfy(\.isStill) else {
        throw .undecided([], "the ball did not lie still, or too few samples were received")
      }
      return judge(poses)
    }
  }

  /// Every question, in the order of the steps.
  public static let all = recordQuestions + streamQuestions + poseQuestions + rollQuestions

  /// Answers the question by the packets of a survey.
  public func finding(in log: SurveyLog) -> SurveyFinding {
    var done: [SurveyLog.StepLog] = []
    var missing: [String] = []
    for step in steps {
      let stepLog = log.steps[step]
      switch stepLog?.outcome {
      case .done: done += stepLog.map { [$0] } ?? []
      case .skipped: missing.append("step \(step) was skipped")
      case .abandoned: missing.append("step \(step) was given up")
      case nil: missing.append("step \(step) was \(stepLog == nil ? "left out" : "interrupted")")
      }
    }
    if let why = missing.first, needsAllSteps || done.isEmpty { return finding(.notMeasured(why: why)) }
    let judgement: SurveyJudgement
    do throws(SurveyJudgement) { judgement = try judge(done) } catch { judgement = error }
    switch judgement {
    case .answer(let answer, let evidence):
      return finding(.decided(answers[answer]), evidence, agrees: assumedAnswer.map { $0 == answer })
    case .undecided(let open, let why, let evidence):
      return finding(.undecided(between: open.map { answers[$0] }, why: why), evidence)
    case .unexplained(let seen, let evidence):
      return finding(.undecided(between: [], why: "nothing explains it: \(seen)"), evidence)
    }
  }

  private func finding(
    _ verdict: SurveyFinding.Verdict, _ evidence: String = "", agrees: Bool? = nil
  ) -> SurveyFinding {
    SurveyFinding(question: name, verdict: verdict, evidence: evidence, assumed: assumed, agrees: agrees)
  }
}

extension SurveyLog {
  /// The findings of all questions, in the order of ``SurveyQuestion/all``.
  public var findings: [SurveyFinding] { SurveyQuestion.all.map { $0.finding(in: self) } }
}

/// The finding of a survey about one question.
public struct SurveyFinding: Hashable, Sendable {
  public enum Verdict: Hashable, Sendable {
    /// The answer that matches the robot.
    case decided(String)
    /// The answers that remain possible; none if no known answer explains the measurement, or too
    /// little was measured.
    case undecided(between: [String], why: String)
    /// Nothing was measured.
    case notMeasured(why: String)
  }

  /// The ``SurveyQuestion/name`` of the question.
  public let question: String
  public let verdict: Verdict
  /// The measured values; may be empty.
  public let evidence: String
  /// The assumption of this library.
  public let assumed: String
  /// Whether the robot agrees with the assumption; nil if that is unknown or the library supports all answers.
  public let agrees: Bool?
}

/// The judgement of a measurement; functions throw it without a measurement.
enum SurveyJudgement: Error {
  /// The answer with an index matches the robot.
  case answer(Int, _ evidence: String)
  /// The answers with these indices remain possible.
  case undecided([Int], _ why: String, _ evidence: String = "")
  /// No answer explains the measurement, which `seen` describes.
  case unexplained(_ seen: String, _ evidence: String = "")

  /// The answer whose value equals a measurement; `seen` describes a measurement without an answer.
  static func match<Value: Equatable>(
    _ value: Value, of values: [Value], otherwise seen: String, _ evidence: String
  ) -> Self {
    values.firstIndex(of: value).map { .answer($0, evidence) } ?? .unexplained(seen, evidence)
  }

  /// The answer whose value is nearest to a measurement and within a relative tolerance.
  static func nearest(
    _ value: Double, of values: [Double], within tolerance: Double, seen: String, _ evidence: String
  ) -> Self {
    let answer = values.indices.min { abs(value / values[$0] - 1) < abs(value / values[$1] - 1) }
    guard let answer, abs(value / values[answer] - 1) <= tolerance else {
      return .unexplained(seen, evidence)
    }
    return .answer(answer, evidence)
  }
}
