// What a survey has found about one question.

/// What a robot decided of a question.
public struct SurveyFinding: Hashable, Sendable {
  /// How far the question is settled.
  public enum Verdict: Hashable, Sendable {
    /// The robot does it this way.
    case decided(String)
    /// These ways are still possible; where there are none, nothing that is known explains the robot.
    case undecided(between: [String], why: String)
    /// Nothing was measured.
    case notTried(why: String)
  }

  /// The name of the question.
  public let question: String
  /// How far it is settled.
  public let verdict: Verdict
  /// The figures behind that; empty where there are none.
  public let evidence: String
  /// What this library assumes.
  public let assumed: String
  /// Whether the robot is as this library assumes; nil where that is not known, or it takes all sides.
  public let agrees: Bool?
}

/// What a measurement says about the sides of its question.
struct SurveyJudgement: Sendable {
  var verdict: Verdict
  var evidence: String

  enum Verdict: Sendable {
    case side(Int)
    case open([Int], String)
    case unexplained(String)
    case untried(String)
  }

  /// The robot takes one side.
  static func side(_ index: Int, _ evidence: String) -> Self {
    Self(verdict: .side(index), evidence: evidence)
  }
  /// Several sides are possible.
  static func open(_ sides: [Int], _ why: String, _ evidence: String = "") -> Self {
    Self(verdict: .open(sides, why), evidence: evidence)
  }
  /// No side explains what was seen.
  static func unexplained(_ seen: String, _ evidence: String = "") -> Self {
    Self(verdict: .unexplained(seen), evidence: evidence)
  }
  /// There was nothing to measure.
  static func untried(_ why: String) -> Self { Self(verdict: .untried(why), evidence: "") }

  /// The side whose figure is within a part of what was measured, or none.
  static func nearest(
    _ value: Double, of figures: [Double], within part: Double, seen: String, _ evidence: String
  ) -> Self {
    let side = figures.indices.min { abs(value / figures[$0] - 1) < abs(value / figures[$1] - 1) }
    guard let side, abs(value / figures[side] - 1) <= part else { return unexplained(seen, evidence) }
    return Self.side(side, evidence)
  }
}
