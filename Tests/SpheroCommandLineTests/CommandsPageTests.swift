// Docs/Commands.md is what the help pages say.

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
    // The commands of the protocol have a page of their own.
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
        // Without what a shell does around it.
        let piped = try #require(example.split(separator: "| ").last)
        let command = try #require(piped.split(separator: " > ").first)
        let words = command.split(separator: " ").map { $0.filter { $0 != "'" } }
        #expect(words.prefix(2) == ["sphero", type.name])
        #expect(throws: Never.self, "\(example)") { _ = try Binder.bind(type, words.dropFirst(2)) }
      }
    }
  }

  @Test(arguments: [
    ("10s", Duration.seconds(10)), ("500ms", .milliseconds(500)), ("2m", .seconds(120)),
    ("1h", .seconds(3_600)),
    ("3", .seconds(3)), ("0.25", .milliseconds(250)), (".5s", .milliseconds(500)),
  ])
  func times(_ text: String, _ time: Duration) { #expect(Duration(argument: text) == time) }

  @Test(arguments: ["", "s", "-1s", "nan", "inf", "1e99", "1 s", "5x", "++1", "0x10"])
  func noTimes(_ text: String) { #expect(Duration(argument: text) == nil) }
}
