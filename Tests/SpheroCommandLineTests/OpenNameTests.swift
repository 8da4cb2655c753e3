// Open structs name each member as in the source, and each has a table of sentences.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct OpenNameTests {
  /// The files of the open structs; `ErrorTests` of each target has their tables of sentences.
  private static let tables = [
    "SpheroTransport/Port.swift": "Kind"
  ]

  @Test func everyMemberHasADistinctName() throws {
    for (path, type) in Self.tables {
      let names = try openNames(of: type, in: path)
      #expect(names.count > 1, "\(path)")
      #expect(names.allSatisfy { $0.name == $0.text }, "\(path)")
      #expect(Set(names).count == names.count, "\(path)")
    }
  }

  @Test func everyOpenStructHasATable() throws {
    let sources = packageRoot.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var found: Set<String> = []
    for case let path as String in files where path.hasSuffix(".swift") {
      let source = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      if source.contains("private init(_ name: String) { description = name }") { found.insert(path) }
    }
    #expect(found == Set(Self.tables.keys))
  }
}
