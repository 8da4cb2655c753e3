// The README's example compiles, because it stands here too.

import Foundation
import Testing

@Suite struct ReadmeTests {
  @Test func theExampleIsTheOneThatCompiles() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let readme = try String(
      contentsOf: tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md"),
      encoding: .utf8)
    let example = try #require(readme.components(separatedBy: "```swift\n").dropFirst().first)
    let code = try #require(example.components(separatedBy: "```").first)
    let compiled = try String(contentsOf: tests.appending(path: "ReadmeExample.swift"), encoding: .utf8)
    #expect(compiled == "// The example of the README, to the letter.\n\n" + code)
  }
}
