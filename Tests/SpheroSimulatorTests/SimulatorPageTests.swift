// Tests of the generated tables of Docs/Simulator.md, and of the summary in the README.

import Foundation
import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroSimulator

@Suite(.ownThread) struct SimulatorPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Collects the commands of the catalogue.
  private struct Commands: CatalogueVisitor {
    var all: [(id: CommandID, name: String)] = []
    mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) { all.append((R.id, "\(name)")) }
    mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {}

    static let all: [(id: CommandID, name: String)] = {
      var commands = Commands()
      Catalogue.visit(&commands)
      return commands.all.sorted { ($0.id.device, $0.id.command) < ($1.id.device, $1.id.command) }
    }()
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { cells in
      "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }.joined()
  }

  private static func hexadecimal(_ status: Status) -> String {
    let digits = String(status.rawValue, radix: 16, uppercase: true)
    return (digits.count < 2 ? "0" : "") + digits
  }

  /// The generated tables by their names.
  private static let tables: [(name: String, text: String)] = {
    func forms(_ head: String, _ rows: [(form: String, text: String)]) -> String {
      table([head, "what it does"], rows.map { ["`\($0.form)`", $0.text] })
    }
    let count = SimulatorOptions.settings.count
    let limits = RobotModel.limits
    let commands = Commands.all.map { id, name in
      let cells = Profile.all.map { profile in
        if id.device == 0x01 { return "in the bootloader" }
        return RobotModel.refusal(of: id, by: profile).map { "refused: \(hexadecimal($0))" } ?? "yes"
      }
      return ["\(id)", "`\(name)`"] + cells + [limits.first { $0.commands.contains(id) }?.text ?? ""]
    }
    return [
      ("options", forms("option", Array(SimulatorOptions.help.prefix(count)))),
      ("faults", forms("fault", Array(SimulatorOptions.help.dropFirst(count)))),
      ("floor", forms("line", Floor.help.map { ($0.key, $0.value) })),
      ("script", forms("action", HandScript.help.map { ($0.key, $0.value) })),
      (
        "differences",
        table(["what", "how it differs"], limits.filter(\.commands.isEmpty).map { [$0.subject, $0.text] })
      ),
      (
        "commands", table(["command", "name"] + Profile.all.map(\.name) + ["differs from a robot"], commands)
      ),
    ]
  }()

  @Test func theTablesAreUpToDate() throws {
    try check(Self.tables, of: "Docs/Simulator.md")
    func row(_ form: String, _ meaning: String) -> [String] {
      ["`\(form)`", meaning.replacing(/'([^']+)'/) { "`\($0.1)`" }]
    }
    let statements = OrbBasicStatement.allCases.map { row($0.form, $0.meaning) }
    let values = OrbBasicStatement.values.map { row($0.name, $0.meaning) }
    let tables = [
      ("statements", Self.table(["statement", "effect"], statements)),
      ("values", Self.table(["value", "meaning"], values)),
    ]
    try check(tables, of: "Docs/Programs.md")
  }

  private func check(_ tables: [(String, String)], of page: String) throws {
    let url = Self.root.appending(path: page)
    let page = try String(contentsOf: url, encoding: .utf8)
    var renewed = page
    for (name, text) in tables {
      let (begin, end) = ("<!-- \(name): made by SimulatorPageTests -->\n", "<!-- end of \(name) -->")
      let first = try #require(renewed.range(of: begin), "\(name)")
      let last = try #require(renewed.range(of: end, range: first.upperBound..<renewed.endIndex), "\(name)")
      renewed.replaceSubrange(first.upperBound..<last.lowerBound, with: "\n\(text)\n")
    }
    if ProcessInfo.processInfo.environment["SPHERO_RECORD"] != nil {
      try renewed.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == renewed)
  }

  @Test func theReadmeCountsTheCommands() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("all \(Commands.all.count) commands of API 1.50"))
    for kind in Profile.all { #expect(readme.contains("`\(kind.name)`"), "\(kind.name)") }
  }
}
