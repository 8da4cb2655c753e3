// Docs/Commands.md has the text of the help pages.

import Foundation
import Testing

@testable import sphero

@Suite struct CommandsPageTests {
  @Test func thePageIsUpToDate() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Docs/Commands.md")
    var page = """
      # Commands

      Made from the help pages; `SPHERO_RECORD=1 swift test --filter CommandsPageTests` renews it.

      ```
      \(Help.overview())```

      """
    for type in Program.subcommands { page += "\n## sphero \(type.name)\n\n```\n\(Help.page(type))```\n" }
    // The commands of the protocol have separate pages.
    for topic in Topic.all where topic.name != "commands" {
      page += "\n## sphero help \(topic.name)\n\n```\n\(topic.page(Layout()))```\n"
    }
    if ProcessInfo.processInfo.environment["SPHERO_RECORD"] != nil {
      try page.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == page)
  }

  @Test func everyExampleIsUnderstood() throws {
    for type in Program.subcommands {
      #expect(!type.examples.isEmpty)
      for example in type.examples {
        // Without the syntax of the shell, and the other commands of the line.
        let start = try #require(example.firstRange(of: "sphero \(type.name)")?.lowerBound, "\(example)")
        let command = try #require(example[start...].split(whereSeparator: { "|>)".contains($0) }).first)
        let words = command.split(separator: " ").map { $0.filter { $0 != "'" } }
        #expect(words.prefix(2) == ["sphero", type.name])
        #expect(throws: Never.self, "\(example)") { _ = try Synopsis.bind(type, words.dropFirst(2)) }
      }
    }
  }
}
