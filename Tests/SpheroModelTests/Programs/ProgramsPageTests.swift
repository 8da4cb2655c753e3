// The test that Docs/Programs.md names all statements and variables.

import Foundation
import SpheroModel
import TestSupport
import Testing

@Suite(.ownThread) struct ProgramsPageTests {
  @Test func namesEveryWord() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../Docs/Programs.md").standardizedFileURL
    let page = try String(contentsOf: file, encoding: .utf8)
    let words = OrbBasicStatement.allCases.map(\.rawValue) + SystemVariable.named.keys
    #expect(words.count > 50)
    let code = page.matches(of: /`([^`\n]+)`/).map(\.1)
    let named = Set(code.flatMap { $0.split { !$0.isLetter } })
    for word in words { #expect(named.contains(word[...]), "\(word)") }
  }
}
