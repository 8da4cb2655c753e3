// Tests of errors: their sentences and their properties.

import SpheroModel
import SpheroOrientation
import TestSupport
import Testing

@Suite struct ErrorTests {
  @Test func everyWrongLineOfAScriptHasItsSentence() throws {
    let long = String(repeating: "put down\n", count: 10_000) + "put down"
    let rows: [(String, TextLineError.Code, line: Int, String, expected: String)] = [
      (
        "hang up\nshake", .unknownLine, 2, "shake",
        "write shake TIME, where TIME is seconds, or like 500ms, 2min, 1h"
      ),
      ("101: put down", .unknownRobot, 1, "101: put down", "robots are numbered from 1: to 100:"),
      (
        "2s put down\n1s hang up", .earlierTime, 2, "1s hang up",
        "its time lies before that of the line above"
      ),
      (long, .tooLong, 10_001, "put down", "a script has at most 10000 lines"),
    ]
    for (script, code, line, text, expected) in rows {
      let error = #expect(throws: TextLineError.self) { try HandScript(parsing: script) }
      #expect(error?.code == code && error?.line == line && error?.text == text)
      #expect(error?.expected == expected)
      #expect(error?.description == "line \(line) of the script says '\(text)': \(expected)")
    }
    // The tests of floors and of SpheroControls have the other codes.
    let codes = try caseNames(of: "Code", in: "SpheroOrientation/Text/TextLine.swift")
    #expect(Set(rows.map { "\($0.1)" } + ["tooFar", "tooClose", "empty"]) == Set(codes))
  }

  @Test func everyWrongLineOfAFloorHasItsSentence() throws {
    let long = String(repeating: "grip 1\n", count: 10_000) + "grip 1"
    let forms = "write room W D, wall X Y X Y, start X Y, grip N, slope X Y, bounce N"
    let rows: [(String, TextLineError.Code, line: Int, String, expected: String)] = [
      ("grip 1\nroom 4 # narrow", .unknownLine, 2, "room 4 # narrow", forms),
      ("\u{1B}[2J\tgrip", .unknownLine, 1, "?[2J?grip", forms),
      (long, .tooLong, 10_001, "grip 1", "a floor has at most 10000 lines"),
    ]
    for (floor, code, line, text, expected) in rows {
      let error = #expect(throws: TextLineError.self) { try Floor(parsing: floor) }
      #expect(error?.code == code && error?.line == line && error?.text == text)
      #expect(error?.expected == expected)
      #expect(error?.description == "line \(line) of the floor says '\(text)': \(expected)")
    }
  }
}
