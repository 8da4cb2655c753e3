// The stored forms, letter by letter as Docs/Storing.md shows them, and what is refused.
import Foundation
import SpheroProtocol
import SpheroRecording
import TestSupport
import Testing

@Suite struct CodableTests {
  @Test func lines() throws {
    let line = CaptureLine(time: .milliseconds(31), from: .robot, bytes: [0xFF, 0x01])
    #expect(try isStored([line], as: #"["0.031000 < FF 01"]"#))
    #expect(try isStored([CaptureLine(from: .host, bytes: [0x0A])], as: #"["> 0A"]"#))
    #expect(refusal(of: #"["0.031 < FG"]"#, as: [CaptureLine].self)?.hasPrefix("line 1, column ") == true)
  }

  @Test func records() throws {
    let records: [CaptureRecord] = [
      .header(CaptureHeader(program: "sphero")),
      .line(CaptureLine(time: .seconds(1), from: .host, bytes: [0x0A])),
      .mark(CaptureMark(.gap, time: .seconds(2), duration: .seconds(3))),
    ]
    #expect(
      try isStored(
        records,
        as: ##"["#: capture program=\"sphero\"","1.000000 > 0A","#: 2.000000 gap duration=3"]"##))
    #expect(
      refusal(of: ##"["# a comment"]"##, as: [CaptureRecord].self)
        == "one line, header or mark of a capture is due, not 0")
    #expect(
      refusal(of: #"["> 0A\n> 0B"]"#, as: [CaptureRecord].self)
        == "one line, header or mark of a capture is due, not 2")
  }

  @Test func valuesThatCannotBeReadBackAreNotEncoded() {
    let lines = [CaptureLine(time: .seconds(-1), from: .host, bytes: [0x0A])]
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(lines) }
    let records: [CaptureRecord] = [
      .mark(CaptureMark(CaptureMark.Kind(rawValue: "mine"))),
      .mark(CaptureMark(.incomplete, reason: String(repeating: "x", count: 5_000))),
    ]
    for record in records {
      #expect(throws: EncodingError.self) { try JSONEncoder().encode([record]) }
    }
  }
}
