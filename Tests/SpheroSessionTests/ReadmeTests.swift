// The README's example compiles, because it stands here too.

import Foundation
import TestSupport
import Testing

@Suite(.oneAtATime) struct ReadmeTests {
  @Test func theExamplesAreThoseThatCompile() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let readme = try String(
      contentsOf: tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md"),
      encoding: .utf8)
    let examples = readme.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(examples.count == 2)
    for (example, file) in zip(examples, ["ReadmeExample", "ReadmeSimulatorExample"]) {
      let compiled = try String(contentsOf: tests.appending(path: "\(file).swift"), encoding: .utf8)
      #expect(compiled == "// An example of the README, to the letter.\n\n" + example)
    }
  }

  @Test func theExampleOfTheSimulatorPageIsATest() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let page = try String(
      contentsOf: tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Docs/Simulator.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "```swift\n")
    try #require(parts.count == 2)
    let compiled = try String(
      contentsOf: tests.appending(path: "SimulatorPageExample.swift"), encoding: .utf8)
    #expect(
      compiled == "// The example of Docs/Simulator.md, to the letter.\n\n"
        + parts[1].components(separatedBy: "```")[0])
  }

  @Test func theSimulatedMinuteIsTrue() async throws {
    #expect(abs(try await rollForAMinute() - 6_000) < 100)
  }
}
