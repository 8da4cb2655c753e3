// Docs/JSON.md: the generated tables and the examples match the output of the verbs.

import Foundation
import SpheroProtocol
import Testing

@testable import sphero

@Suite struct JSONPageTests {
  private static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Docs/JSON.md")
  /// The text above this line is written by hand, the text below is generated.
  private static let mark = "<!-- Below here: generated from the sources by JSONPageTests. -->"

  @Test func thePageIsUpToDate() throws {
    let page = try String(contentsOf: Self.url, encoding: .utf8)
    let written = try #require(page.firstRange(of: Self.mark), "the mark is missing").upperBound
    let current = page[..<written] + "\n" + (try OutputTables.text())
    if ProcessInfo.processInfo.environment["SPHERO_RECORD"] != nil {
      try current.write(to: Self.url, atomically: true, encoding: .utf8)
      return
    }
    let isCurrent = page == current
    #expect(isCurrent, "Docs/JSON.md is stale; SPHERO_RECORD=1 renews it")
  }

  /// Each command line of the page prints the line below it.
  @Test func theExamplesAreTrue() async throws {
    let page = try String(contentsOf: Self.url, encoding: .utf8)
    let block = try #require(page.split(separator: "```").dropFirst().first)
    var count = 0
    var command: [String]?
    for line in block.split(separator: "\n") {
      if line.hasPrefix("$ ") {
        command = line.dropFirst(2).split(separator: " ").map(String.init)
      } else if line.hasPrefix("{"), let words = command {
        let bytes = words.prefix { $0 != "|" }.dropFirst().joined(separator: " ")
        let verb = words.split(separator: "|").last.map(Array.init) ?? []
        let path = freshPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data((bytes + "\n").utf8).write(to: URL(filePath: path))
        let outcome = try await Run(verb.dropFirst() + (words.contains("|") ? [path] : [])).end()
        #expect(outcome.lines.first.map(String.init) == String(line), "\(words)")
        (count, command) = (count + 1, nil)
      }
    }
    #expect(count >= 3)
  }
}
