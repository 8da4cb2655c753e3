// Generates the list of all messages in Docs/Protocol.md, and checks that it is current.

import Foundation
import SpheroProtocol
import TestSupport
import Testing

/// The generated half of `Docs/Protocol.md`: tables from the layouts, texts from the doc comments.
enum ProtocolPage {
  /// The text above this line is written by hand, the text below is generated.
  static let mark = "<!-- Below here: generated from the layouts by ProtocolPageTests. -->"

  static var generated: String {
    var page = "\n## Status codes\n\n| MRSP | meaning |\n|---|---|\n"
    for status in Status.named { page += "| \(hexadecimal(status.rawValue)) | \(status.name) |\n" }
    page +=
      "\n## Sensor fields\n\n| mask | bit | field | one count | meaning |\n|---|---|---|---|---|\n"
    for field in SensorField.allCases { page += row(of: field) }
    page += "\n## Commands\n"
    for type in Catalogue.commands { page += section(type) }
    page += "\n## Events\n"
    for type in Catalogue.events { page += section(type) }
    page +=
      "\n## Commands inside macros\n\n| opcode | command | after it | meaning |\n|---|---|---|---|\n"
    var steps = Steps()
    Macro.visitSteps(&steps)
    return page + steps.rows
  }

  private static func section<R: Request>(_ type: R.Type) -> String {
    var section = "\n### \(R.id) `\(R.name)`\n\n" + prose(R.name)
    if let hazard = (type as? any HazardousCommand.Type)?.hazard {
      section += "\n**Hazard:** \(hazard)\n"
    }
    section += evidence(Evidence.recordings(of: R.id)) + table(R.self)
    guard R.Response.self != Acknowledgement.self else { return section }
    let summary = prose(R.Response.reflectedName)
    section += "\nResponse:" + (summary == "\n" ? "" : " ") + summary
    return section + evidence(Evidence.recordings(ofResponseTo: R.id)) + table(R.Response.self)
  }

  private static func section<E: Event>(_ type: E.Type) -> String {
    "\n### \(E.id) `\(E.name)`\n\n" + prose(E.name) + evidence(Evidence.recordings(of: E.id))
      + table(E.self)
  }

  /// The recordings that contain the message.
  private static func evidence(_ recordings: [String]) -> String {
    guard !recordings.isEmpty else { return "\n**Evidence:** documents alone; never recorded.\n" }
    return "\n**Evidence:** recorded in " + recordings.map { "`\($0)`" }.joined(separator: ", ")
      + ".\n"
  }

  /// A doc comment is Markdown except for the links to symbols.
  private static func prose(_ name: String) -> String {
    unlinked(SourceText.documentation(of: name).joined(separator: "\n")) + "\n"
  }

  private static func unlinked(_ text: String) -> String {
    text.replacing(/``([^`]+)``/) { "`\($0.1.replacing("/", with: "."))`" }
  }

  private static func table<M: Message>(_ type: M.Type) -> String {
    guard !M.table.isEmpty else { return "" }
    var table = "\n| offset | type | field | unit | values | meaning |\n|---|---|---|---|---|---|\n"
    for row in M.table {
      let meaning = unlinked(SourceText.documentation(of: row.name, in: M.reflectedName))
      let offset = row.offset.map { hexadecimal(UInt8(clamping: $0)) } ?? "…"
      let cells = [
        offset, row.type + (row.isOptional ? "?" : ""), row.name, row.unit, row.values, meaning,
      ]
      table += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return table
  }

  private struct Steps: MacroStepVisitor {
    var rows = ""
    mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString) {
      // Only a comment has a run of bytes, preceded by its count.
      let fields = S.table.map { "\($0.type.replacing("[0]", with: "[count]")) \($0.name)" }
      let lines = SourceText.documentation(of: S.reflectedName).filter { !$0.isEmpty }
      let meanings = S.table.map { ($0.name, SourceText.documentation(of: $0.name, in: S.reflectedName)) }
      let words = lines + meanings.filter { !$0.1.isEmpty }.map { "`\($0.0)`: \($0.1)" }
      let meaning = unlinked(words.joined(separator: " "))
      rows +=
        "| \(hexadecimal(S.opcode)) | \(name) | \(fields.joined(separator: ", ")) | \(meaning) |\n"
    }
  }

  private static func row(of field: SensorField) -> String {
    let mask = SensorMask(field)
    let (name, bits) = mask.mask == 0 ? ("MASK2", mask.mask2) : ("MASK", mask.mask)
    let unit = "\(field.scale.unit.symbol)".replacing(" ", with: "")
    let count =
      (field.scale.perCount == 1 ? "1" : "\(field.scale.perCount)")
      + (unit.isEmpty ? "" : " \(unit)")
    let meaning = unlinked(SourceText.documentation(of: "\(field)", in: "SensorField"))
    return "| \(name) | \(hexadecimal(bits)) | \(field.name) | \(count) | \(meaning) |\n"
  }

  private static func hexadecimal(_ value: some WireInteger) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: type(of: value).bitWidth / 4 - digits.count) + digits + "h"
  }
}

@Suite(.ownThread) struct ProtocolPageTests {
  @Test func pageIsCurrent() throws {
    let url = fixtures.deletingLastPathComponent().appending(path: "Docs/Protocol.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let handwrittenEnd = try #require(page.firstRange(of: ProtocolPage.mark), "the mark is missing")
      .upperBound
    let current = page[..<handwrittenEnd] + "\n" + ProtocolPage.generated
    if ProcessInfo.processInfo.environment["SPHERO_RECORD"] == "1" {
      try current.write(to: url, atomically: true, encoding: .utf8)
      return
    }
    let old = page.split(separator: "\n", omittingEmptySubsequences: false)
    let new = current.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).prefix { $0 == $1 }.count
    // The expectation must not print the whole page.
    let isCurrent = page == current
    #expect(
      isCurrent, "line \(line + 1) of Docs/Protocol.md is stale; SPHERO_RECORD=1 renews the page")
  }

  @Test func everyFieldIsDocumented() {
    func check<M: Message>(_ type: M.Type) {
      for row in M.table {
        #expect(
          !SourceText.documentation(of: row.name, in: M.reflectedName).isEmpty,
          "\(M.reflectedName).\(row.name)")
      }
    }
    func both<R: Request>(_ type: R.Type) {
      check(type)
      check(R.Response.self)
      #expect(!SourceText.documentation(of: R.name).isEmpty)
    }
    for type in Catalogue.commands { both(type) }
    for type in Catalogue.events { check(type) }
    struct Steps: MacroStepVisitor {
      mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString) {
        #expect(!SourceText.documentation(of: S.reflectedName).isEmpty, "\(name)")
      }
    }
    var steps = Steps()
    Macro.visitSteps(&steps)
  }

  @Test func tablesHaveOffsetTypeAndValues() {
    let rows = Motion.Roll.table
    #expect(rows.map(\.name) == ["speed", "heading", "state", "reverse"])
    #expect(rows.map(\.offset) == [0, 1, 3, 4])
    #expect(rows.map(\.type) == ["u8", "u16", "u8", "u8"])
    #expect(rows.map(\.values) == ["", "0...359", "0 stop, 1 drive, 2 fastRotate", ""])
    #expect(rows.map(\.isOptional) == [false, false, false, true])
    #expect(Core.GetPowerState.Response.table[2].unit == "0.01 V")
    #expect(OrbBasic.AppendFragment.table[1].type == "text[0...253]")
  }
}
