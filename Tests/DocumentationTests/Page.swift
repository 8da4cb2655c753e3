// The pages of the documentation, split into prose, code blocks, links and headings.

import Foundation

/// A code block of a page.
struct Block: CustomStringConvertible, Sendable {
  var page: String
  /// The line of the opening fence, from 1.
  var line: Int
  /// The word after the fence; empty without one.
  var language: String
  var text: String
  /// The content of the comment in the line above the fence, like `robot` or `needs: jq`; nil without one.
  var mark: String?

  var description: String { "\(page):\(line)" }
}

/// A page in Markdown.
struct Page: CustomStringConvertible, Sendable {
  /// The path from the root of the package.
  let path: String
  let text: String
  private(set) var blocks: [Block] = []
  /// The lines outside code blocks.
  private(set) var prose: [String] = []

  var description: String { path }
  /// The name of the file without its extension.
  var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }

  static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// README.md, the pages of Docs and .github, and the descriptions of fixtures.
  static let all: [Page] = {
    let paths = ["Docs", ".github"].flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path))?
        .filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" } ?? []
    }
    return (["README.md", "Fixtures/README.md"] + paths).compactMap { try? Page($0) }
  }()

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    var block: Block?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        if let complete = block {
          blocks.append(complete)
          block = nil
        } else {
          block = Block(
            page: path, line: index + 1, language: line.dropFirst(3).trimmingCharacters(in: .whitespaces),
            text: "", mark: prose.last.flatMap(Self.comment))
        }
      } else if block != nil {
        block?.text += line + "\n"
      } else {
        prose.append(String(line))
      }
    }
  }

  /// The content of a line that is a comment.
  private static func comment(_ line: String) -> String? {
    guard line.hasPrefix("<!--"), line.hasSuffix("-->") else { return nil }
    return line.dropFirst(4).dropLast(3).trimmingCharacters(in: .whitespaces)
  }

  /// The targets of links and pictures.
  var links: [String] {
    prose.flatMap { line in
      let text = line.replacing(/`[^`]*`/, with: "")
      return text.matches(of: /\]\(([^()\s]+)\)/).map { String($0.1) }
        + text.matches(of: /(?:src|srcset|href)="([^"]+)"/).map { String($0.1) }
    }
  }

  /// The anchors of the headings, as code-hosting sites make them.
  var anchors: [String] {
    prose.filter { line in
      let marks = line.prefix { $0 == "#" }.count
      return (1...6).contains(marks) && line.dropFirst(marks).first == " "
    }.map { heading in
      let title = heading.drop { $0 == "#" }.dropFirst().replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }
      return String(
        title.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
          .map { $0 == " " ? "-" : $0 })
    }
  }
}
