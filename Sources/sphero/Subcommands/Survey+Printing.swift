// The texts of a survey: marks of its capture, remarks for the person, printed findings.

import SpheroProtocol
import SpheroRecording
import SpheroSurvey

extension SurveyRun.Event {
  var mark: CaptureMark {
    switch self {
    case .began(let step): CaptureMark(.step, name: step.name)
    case .ended(let step, let outcome): CaptureMark(.step, name: step.name, outcome: outcome.rawValue)
    }
  }

  /// The remark for the person; nil for none.
  func text(typed: Bool) -> String? {
    switch self {
    case .began(let step):
      if let request = step.instruction {
        return "\(step.name): \(request)\(typed ? " Enter when done, s to skip." : "")"
      }
      let seconds = Int(step.duration / .seconds(1))
      return "\(step.name): \(step.purpose), \(seconds) s\(typed ? "; s and Enter skip it" : "")"
    case .ended(_, .done): return nil
    case .ended(let step, .skipped): return "\(step.name) was skipped"
    case .ended(let step, .abandoned):
      return "\(step.name) was given up: the ball was not turned, or did not lie still"
    }
  }
}

extension SurveyLog {
  /// Appends a record of a capture; the header of another recording restarts the log.
  mutating func append(_ record: CaptureRecord) {
    switch record {
    case .header: self = SurveyLog()
    case .line(let line): append(line.bytes, from: line.sender, at: line.time)
    case .mark(let mark):
      guard mark.kind == .step else { return }
      if let outcome = mark.outcome {
        if let outcome = Outcome(rawValue: outcome) { end(outcome) }
      } else if let name = mark.name {
        begin(name)
      }
    }
  }
}

extension SurveyFinding {
  private var parts: (verdict: String, sides: [String], why: String?) {
    switch verdict {
    case .decided(let side): ("decided", [side], nil)
    case .undecided(let sides, let why): ("undecided", sides, why)
    case .notTried(let why): ("not tried", [], why)
    }
  }

  var fields: [Field] {
    let (verdict, sides, why) = parts
    func text(_ name: String, _ text: String?) -> Field { Field(name, .text(text)) }
    let isDecided = verdict == "decided"
    return [
      text("question", question), text("verdict", verdict), text("finding", isDecided ? sides.first : nil),
      text("possible", isDecided || sides.isEmpty ? nil : sides.joined(separator: " | ")), text("why", why),
      text("assumed", assumed),
      Field("as_assumed", agrees.map { .flag($0) } ?? .missing),
      text("evidence", evidence.isEmpty ? nil : evidence),
    ]
  }

  /// The text format: one line or two.
  var lines: [String] {
    let (verdict, sides, why) = parts
    var text = verdict.padded(to: 11) + question.padded(to: 20)
    switch self.verdict {
    case .decided: text += sides.joined()
    case .undecided: text += (sides.isEmpty ? "" : sides.joined(separator: " or ") + ": ") + (why ?? "")
    case .notTried: text += why ?? ""
    }
    if agrees == false { text += " (assumed: \(assumed))" }
    let shown = evidence.count > 160 ? "\(evidence.prefix(160))..." : evidence
    return evidence.isEmpty ? [text] : [text, "".padded(to: 31) + shown]
  }
}
