// Docs/Wishes.md has a row for each wish, and names commands and symbols that exist.

import Foundation
import Testing

@testable import sphero

@Suite struct WishesPageTests {
  /// The number of each row, and the words in backticks of its answer.
  private static func rows() throws -> [(number: Int, words: [String])] {
    try RequirementsPageTests.text("Docs/Wishes.md").split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: #/^\| (\d+) \|/#), let number = Int(match.1) else { return nil }
      let cells = line.split(separator: "|")
      try #require(cells.count == 4, "\(line)")
      return (number, cells[3].matches(of: #/`([^`]+)`/#).map { String($0.1) })
    }
  }

  @Test func everyWishHasARow() throws {
    #expect(try Self.rows().map(\.number) == Array(1...48))
  }

  @Test func commandsAndSymbolsExist() throws {
    let sources = try RequirementsPageTests.declarations(in: "Sources")
    for row in try Self.rows() {
      for name in row.words where !name.hasPrefix("-") {
        guard name.hasPrefix("sphero ") else {
          let exists = RequirementsPageTests.declares(name, in: sources)
          #expect(exists, "\(row.number) \(name)")
          continue
        }
        let words = name.split(separator: " ").dropFirst().map(String.init)
        let verb = try #require(words.first)
        let type = try #require(Program.subcommands.first { $0.name == verb }, "\(row.number) \(name)")
        #expect(throws: Never.self, "\(row.number) \(name)") {
          _ = try Synopsis.bind(type, words.dropFirst())
        }
      }
    }
  }
}
