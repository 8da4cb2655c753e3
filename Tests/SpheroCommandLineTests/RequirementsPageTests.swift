// Docs/Requirements.md names commands, symbols, page controls and tests that exist.

import Foundation
import Testing

@testable import sphero

@Suite struct RequirementsPageTests {
  private struct Row {
    var number: String
    /// What implements the requirement, as the words in backticks.
    var implementation: [String]
    var tests: [String]
    var missing: String
  }

  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func rows() throws -> [Row] {
    try text("Docs/Requirements.md").split(separator: "\n").compactMap { line in
      guard line.contains(#/^\| \d{3}\.\d+ /#) else { return nil }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 5, "\(line)")
      func words(_ cell: String) -> [String] { cell.matches(of: #/`([^`]+)`/#).map { String($0.1) } }
      return Row(
        number: cells[0], implementation: words(cells[2]), tests: words(cells[3]), missing: cells[4])
    }
  }

  /// The declarations of each Swift file of a folder, like `struct Page` and `func execute`.
  static func declarations(in folder: String) throws -> [Set<String>] {
    let url = root.appending(path: folder)
    let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
    let paths = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    return try paths.map { path in
      let words = try Array(Data(contentsOf: path)).split { byte in
        let (letters, digits) = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
        return !letters.contains(byte | 0x20) && !digits.contains(byte) && byte != UInt8(ascii: "_")
      }
      let keywords = Set(keywords.map { ArraySlice($0.utf8) })
      return Set(
        zip(words, words.dropFirst()).lazy.filter { keywords.contains($0.0) }
          .map { String(decoding: $0.0 + " ".utf8 + $0.1, as: UTF8.self) })
    }
  }

  /// Whether a file declares `Type`, and each part of `Type.member`.
  static func declares(_ name: String, in sources: [Set<String>]) -> Bool {
    let parts = name.prefix { $0 != "(" }.split(separator: ".")
    return sources.contains { file in
      parts.enumerated().allSatisfy { index, part in
        (index == 0 ? types : keywords).contains { file.contains("\($0) \(part)") }
      }
    }
  }

  private static let types = ["struct", "enum", "class", "actor", "protocol", "typealias", "extension"]
  private static let keywords = types + ["func", "var", "let", "case"]

  /// The rows have consecutive numbers in each text, and the sentence above the table has their counts.
  @Test func theRowsAreCounted() throws {
    let rows = try Self.rows()
    var expected: [String] = []
    for (text, count) in [("000", 15), ("001", 11), ("002", 13), ("003", 10), ("004", 10)] {
      expected += (1...count).map { "\(text).\($0)" }
    }
    #expect(rows.map(\.number) == expected && rows.count == 59)
    let absent = rows.count { $0.missing.hasPrefix("absent: ") }
    let partial = rows.count { $0.missing.hasPrefix("partial: ") }
    #expect(rows.allSatisfy { $0.missing == "–" || $0.missing.contains(#/^(absent|partial): /#) })
    let complete = rows.count - absent - partial
    let sentence = "Of 59 requirements, \(complete) are complete, \(partial) partial and \(absent) absent."
    let isStated = try Self.text("Docs/Requirements.md").contains(sentence)
    #expect(isStated, "\(sentence)")
  }

  @Test func commandsAreUnderstood() throws {
    for row in try Self.rows() {
      for line in row.implementation where line.hasPrefix("sphero ") {
        let words = line.split(separator: " ").dropFirst().map(String.init)
        let verb = try #require(words.first)
        let type = try #require(Program.subcommands.first { $0.name == verb }, "\(row.number) \(line)")
        #expect(throws: Never.self, "\(row.number) \(line)") {
          _ = try Synopsis.bind(type, words.dropFirst())
        }
      }
    }
  }

  /// `#id` is an element of the page; the sources declare `Type`, and `Type.member` in a file of the type.
  @Test func controlsAndSymbolsExist() throws {
    let page = try Self.text("Sources/Lab/SpheroPage/Web/page.html")
    let sources = try Self.declarations(in: "Sources")
    for row in try Self.rows() {
      for name in row.implementation where !name.hasPrefix("sphero ") {
        if name.hasPrefix("#") {
          let exists = page.contains(" id=\"\(name.dropFirst())\"")
          #expect(exists, "\(row.number) \(name)")
          continue
        }
        let exists = Self.declares(name, in: sources)
        #expect(exists, "\(row.number) \(name)")
      }
      #expect(!row.implementation.isEmpty || row.missing.hasPrefix("absent"), "\(row.number)")
    }
  }

  /// `Suite.function` is a test in Swift, `file.mjs function` a check of the page, and a path is a file.
  @Test func testsExist() throws {
    let tests = try Self.declarations(in: "Tests")
    for row in try Self.rows() {
      for name in row.tests {
        if name.hasPrefix("Tests/") {
          #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: name).path), "\(name)")
          continue
        }
        let isCheck = name.contains(".mjs ")
        let parts = name.split(separator: isCheck ? " " : ".")
        try #require(parts.count == 2, "\(row.number) \(name)")
        let exists =
          isCheck
          ? try Self.text("Tests/Tools/page-sources/\(parts[0])").contains("function \(parts[1])(")
          : tests.contains { $0.contains("struct \(parts[0])") && $0.contains("func \(parts[1])") }
        #expect(exists, "\(row.number) \(name)")
      }
      #expect(!row.tests.isEmpty || row.missing != "–", "\(row.number)")
    }
  }
}
