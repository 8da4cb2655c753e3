// The examples of the README are compiled and equal to the page.

import Foundation
import SpheroProtocol
import SpheroSimulator
import TestSupport
import Testing

@Suite(.aCoreEach) struct ReadmeTests {
  @Test func theExamplesAreThoseThatCompile() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let readme = try String(
      contentsOf: tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md"),
      encoding: .utf8)
    let examples = readme.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(examples.count == 3)
    for (example, file) in zip(examples, ["ReadmeExample", "ReadmeSimulatorExample", "ReadmeErrorExample"]) {
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

  @Test func errorsAreCaughtByTheirCodes() async throws {
    #expect(try await Game().play { try await turnRed($0) } == "red")
    let lost = Fault(.drop, of: .commands, to: Lights.SetRGBLED.id)
    #expect(try await Game().play(faults: [lost]) { try await turnRed($0) } == "no answer in time")
    let refused = Fault(.refuse(.memoryBusy), of: .commands, to: Lights.SetRGBLED.id)
    #expect(try await Game().play(faults: [refused]) { try await turnRed($0) } == "no: memory busy")
  }

  @Test func theSimulatedMinuteIsTrue() async throws {
    #expect(abs(try await rollForAMinute() - 6_000) < 100)
  }
}
