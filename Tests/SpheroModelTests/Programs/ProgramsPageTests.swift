// The test that Docs/Programs.md names all statements and variables.

import Foundation
import SpheroModel
import TestSupport
import Testing

@Suite(.aCoreEach) struct ProgramsPageTests {
  @Test func namesEveryWord() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../Docs/Programs.md").standardizedFileURL
    let page = try String(contentsOf: file, encoding: .utf8)
    let words = OrbBasicStatement.allCases.map(\.rawValue) + SystemVariable.named.keys
    #expect(words.count > 50)
    let named = Set(page.split { !$0.isLetter }.map(String.init))
    for word in words { #expect(named.contains(word), "\(word)") }
  }
}
