// The table of questions that a survey puts to a robot, each with its sides and its judgement.

/// A point on which the sources differ, or say nothing, and that a robot can settle.
///
/// ``all`` is the one place where questions are said: the survey judges by it, the page is made of it.
public struct SurveyQuestion: Sendable {
  /// The name, for programs.
  public let name: String
  /// What is asked.
  public let text: String
  /// The possible answers.
  public let sides: [String]
  /// What this library assumes: one of the sides, or that it takes all of them.
  public let assumed: String
  private let assumedSide: Int?
  /// The steps that it is judged by.
  public let steps: [String]
  /// Whether some of the steps will do.
  private let takesAnyStep: Bool
  private let judge: @Sendable ([SurveyLog.Part]) -> SurveyJudgement

  /// Makes a question that needs all of some steps.
  ///
  /// `assumed` is one of the sides; where it is nil, `takes` says what the library does instead.
  init(
    _ name: String, _ text: String, _ sides: [String], assumed: Int?, takes: String = "either",
    by steps: String..., judge: @escaping @Sendable ([SurveyLog.Part]) -> SurveyJudgement
  ) {
    (self.name, self.text, self.sides, self.steps) = (name, text, sides, steps)
    self.assumed = assumed.map { sides[$0] } ?? takes
    (assumedSide, takesAnyStep, self.judge) = (assumed, false, judge)
  }

  /// Makes a question that is judged by those of some steps that were done.
  init(
    _ name: String, _ text: String, _ sides: [String], assumed: Int?, byAnyOf steps: [String],
    judge: @escaping @Sendable ([SurveyLog.Part]) -> SurveyJudgement
  ) {
    (self.name, self.text, self.sides, self.steps) = (name, text, sides, steps)
    self.assumed = assumed.map { sides[$0] } ?? "either"
    (assumedSide, takesAnyStep, self.judge) = (assumed, true, judge)
  }

  /// All questions, in the order in which they are put.
  public static let all = recordQuestions + streamQuestions + poseQuestions + rollQuestions

  /// What a log says about it.
  public func finding(in log: SurveyLog) -> SurveyFinding {
    func finding(
      _ verdict: SurveyFinding.Verdict, _ evidence: String = "", side: Int? = nil
    ) -> SurveyFinding {
      let agrees = side.flatMap { side in assumedSide.map { $0 == side } }
      return SurveyFinding(
        question: name, verdict: verdict, evidence: evidence, assumed: assumed, agrees: agrees)
    }
    var parts: [SurveyLog.Part] = []
    var missing: [String] = []
    for step in steps {
      let part = log.parts[step]
      switch part?.outcome {
      case .done: parts += part.map { [$0] } ?? []
      case .skipped: missing.append("step \(step) was skipped")
      case .abandoned: missing.append("step \(step) was given up")
      case nil: missing.append("step \(step) was \(part == nil ? "left out" : "interrupted")")
      }
    }
    if let why = missing.first, !takesAnyStep || parts.isEmpty { return finding(.notTried(why: why)) }
    let judgement = judge(parts)
    switch judgement.verdict {
    case .side(let side): return finding(.decided(sides[side]), judgement.evidence, side: side)
    case .open(let open, let why):
      return finding(.undecided(between: open.map { sides[$0] }, why: why), judgement.evidence)
    case .unexplained(let seen):
      return finding(.undecided(between: [], why: "nothing explains it: \(seen)"), judgement.evidence)
    case .untried(let why): return finding(.notTried(why: why), judgement.evidence)
    }
  }
}

extension SurveyLog {
  /// What the log says about every question.
  public var findings: [SurveyFinding] { SurveyQuestion.all.map { $0.finding(in: self) } }
}
