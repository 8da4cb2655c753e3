// Parses declarations and doc comments from the text of the sources.

import Foundation
import Testing

/// The declarations of SpheroProtocol, in the order of the files.
enum SourceText {
  struct Declaration {
    /// The name with its outer types, like `Motion.Roll`.
    var name: String
    var conformances: Set<String>
    /// The lines of the doc comment.
    var documentation: [String]
    var location: SourceLocation
  }

  private static let folder = fixtures.deletingLastPathComponent().appending(path: "Sources/SpheroProtocol")

  /// The types, and the doc comments of properties and cases.
  private static let all: (types: [Declaration], properties: [String: [String]]) = {
    let files =
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
    var types: [Declaration] = []
    var properties: [String: [String]] = [:]
    for file in files.sorted(by: { $0.path < $1.path }) {
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      read(text, from: file, &types, &properties)
    }
    return (types, properties)
  }()

  static var declarations: [Declaration] { all.types }

  /// The doc comment of a type, like `Motion.Roll`.
  static func documentation(of type: String) -> [String] {
    byName[type]?.documentation ?? []
  }
  private static let byName = Dictionary(declarations.map { ($0.name, $0) }) { first, _ in first }

  /// The doc comment of a property or case in one line.
  static func documentation(of property: String, in type: String) -> String {
    all.properties["\(type).\(property)"]?.joined(separator: " ") ?? ""
  }

  /// Derives the nesting of types from the indentation, which the formatter guarantees.
  private static func read(
    _ text: String, from file: URL, _ types: inout [Declaration], _ properties: inout [String: [String]]
  ) {
    var outer: [(indentation: Int, name: String)] = []
    var comment: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let indentation = line.prefix { $0 == " " }.count
      let words = line.dropFirst(indentation)
      if words.hasPrefix("///") {
        comment.append(String(words.dropFirst(3)).trimmingCharacters(in: .whitespaces))
        continue
      }
      defer { comment = [] }
      if let match = words.firstMatch(
        of: /^(?:@\w+ )?(?:public )?(?:struct|enum|extension|protocol) ([\w.]+)(?:: ([^{]*))?/)
      {
        outer.removeAll { $0.indentation >= indentation }
        outer.append((indentation, String(match.1)))
        guard !words.hasPrefix("extension"), !words.contains("protocol ") else { continue }
        types.append(
          Declaration(
            name: outer.map(\.name).joined(separator: "."),
            conformances: Set((match.2 ?? "").split(whereSeparator: { ", ".contains($0) }).map(String.init)),
            documentation: comment,
            location: SourceLocation(
              fileID: "SpheroProtocol/\(file.lastPathComponent)", filePath: file.path, line: index + 1,
              column: 1)))
      } else if let match = words.firstMatch(of: /^(?:public var|case) (\w+)/) {
        outer.removeAll { $0.indentation >= indentation }
        properties[(outer.map(\.name) + [String(match.1)]).joined(separator: ".")] = comment
      }
    }
  }
}
