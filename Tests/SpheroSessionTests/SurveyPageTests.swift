// The tables of Docs/Survey.md match the code.

import Foundation
import SpheroSession
import SpheroSurvey
import TestSupport
import Testing

@Suite struct SurveyPageTests {
  private static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Docs/Survey.md")

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { cells in
      "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }.joined()
  }

  private static let tables: [(name: String, text: String)] = [
    (
      "steps",
      table(
        ["step", "what is measured", "what you do"],
        SurveyStep.all.map { step in
          [
            "`\(step.name)`", step.purpose,
            step.instruction ?? "nothing, \(step.duration.components.seconds) s",
          ]
        })
    ),
    (
      "questions",
      table(
        ["question", "asks", "sides", "assumed today", "steps"],
        SurveyQuestion.all.map { question in
          [
            "`\(question.name)`", question.text, question.answers.joined(separator: "; "), question.assumed,
            question.steps.map { "`\($0)`" }.joined(separator: " "),
          ]
        })
    ),
  ]

  @Test func theTablesAreUpToDate() throws {
    let page = try String(contentsOf: Self.url, encoding: .utf8)
    var renewed = page
    for (name, text) in Self.tables {
      let (begin, end) = ("<!-- \(name): made by SurveyPageTests -->\n", "<!-- end of \(name) -->")
      let first = try #require(renewed.range(of: begin), "\(name)")
      let last = try #require(renewed.range(of: end, range: first.upperBound..<renewed.endIndex), "\(name)")
      renewed.replaceSubrange(first.upperBound..<last.lowerBound, with: "\n\(text)\n")
    }
    if ProcessInfo.processInfo.environment["SPHERO_RECORD"] != nil {
      try renewed.write(to: Self.url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.url, encoding: .utf8) == renewed)
  }

  @Test func questionsAreConsistent() {
    let names = SurveyQuestion.all.map(\.name)
    #expect(Set(names).count == names.count)
    let steps = Set(SurveyStep.all.map(\.name))
    for question in SurveyQuestion.all {
      #expect(question.text.hasSuffix("?"), "\(question.name)")
      #expect(
        !question.answers.isEmpty && Set(question.answers).count == question.answers.count, "\(question.name)"
      )
      #expect(!question.steps.isEmpty && steps.isSuperset(of: question.steps), "\(question.name)")
    }
    // Each step answers a question.
    #expect(Set(SurveyQuestion.all.flatMap(\.steps)) == steps)
  }
}
