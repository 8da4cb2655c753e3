// Macros, orbBasic programs and configuration blocks are dissected, also if they are sent in pieces.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct ProgramDissectorTests {
  /// The parts of each command, as `range name=value`.
  private func parts(_ commands: [(CommandID, [UInt8])]) throws -> [[String]] {
    var dissector = Dissector()
    var all: [[String]] = []
    for (index, (id, payload)) in commands.enumerated() {
      let packet = Packet.command(CommandPacket(id: id, sequence: UInt8(index), payload: payload))
      let items = dissector.append(try packet.encoded(), from: .host)
      let item = try #require(items.first)
      all.append(
        item.fields.flatMap(\.parts).map { part in
          let inside = part.parts.map(\.description).joined(separator: " ")
          return "\(part.range) \(part.name)=\(part.parts.isEmpty ? "\(part.value)" : inside)"
        })
    }
    return all
  }

  @Test func stepsAreNumberedAndNamed() throws {
    let macro: [UInt8] = [
      0xFF, 0x14, 0x05, 0x40, 0x00, 0x5A, 0x0A, 0x0B, 0x01, 0xF4, 0x20, 0x00, 0x02, 0x68, 0x69, 0x00,
    ]
    for id in [Macros.SaveTemporaryMacro.id, Macros.SaveMacro.id, Macros.AppendMacroChunk.id] {
      #expect(
        try parts([(id, macro)]) == [
          [
            "0..<1 id=255", "1..<2 flags=stopOnDisconnect+markEnd",
            "2..<7 1 roll=speed=64 heading=90° delay=0.010 s",
            "7..<10 2 wait=time=0.500 s", "10..<15 3 comment=count=2 text=\"hi\"", "15..<16 4 end=00",
          ]
        ])
    }
  }

  @Test func anUnknownStepLosesNothingBeforeIt() throws {
    let macro: [UInt8] = [32, 0, 0x15, 0x07, 0x30, 0x01, 0x02, 0x00]
    #expect(
      try parts([(Macros.SaveMacro.id, macro)]) == [
        [
          "0..<1 id=32", "1..<2 flags=none", "2..<4 1 marker=marker=7", "4..<7 2 unknown=rest=01 02",
          "7..<8 rest=00",
        ]
      ])
    // A heading that robots refuse is reported.
    #expect(
      try parts([(Macros.SaveMacro.id, [32, 0, 0x11, 0xFF, 0xFF, 0x00])])[0][2]
        == "2..<5 1 rollSystemSpeed1=heading=65535°")
  }

  @Test func chunksAreCutAnywhere() throws {
    let macro: [UInt8] = [0xFF, 0x00, 0x14, 1, 2, 3, 0x01, 0xF4, 0x15, 0x07, 0x00]
    let whole = try parts([(Macros.AppendMacroChunk.id, macro)])[0]
    #expect(whole.count == 5)
    for cut in 1..<macro.count {
      let pieces = [Array(macro[..<cut]), Array(macro[cut...])]
      let seen = try parts(
        [(Macros.AbortMacro.id, [])] + pieces.map { (Macros.AppendMacroChunk.id, $0) })
      func names(_ parts: [String]) -> [String] {
        parts.map { String($0.drop { $0 != " " }) }.filter { !$0.hasPrefix(" begun") }
      }
      #expect(names(seen[1] + seen[2]) == names(whole), "cut at \(cut)")
    }
    // An abort discards the beginning of the macro.
    let again = try parts([
      (Macros.AppendMacroChunk.id, [0xFF, 0x00, 0x14, 1]), (Macros.AbortMacro.id, []),
      (Macros.AppendMacroChunk.id, [0xFF, 0x00, 0x1F, 0x00]),
    ])
    #expect(again[0].last == "2..<4 begun=14 01")
    #expect(again[2] == ["0..<1 id=255", "1..<2 flags=none", "2..<3 1 loopEnd=1F", "3..<4 2 end=00"])
  }

  @Test func stepsOfStreamsHaveNoNumbers() throws {
    let piece: [UInt8] = [254, 0, 0x15, 0x01]
    #expect(
      try parts([(Macros.SaveMacro.id, piece)])[0]
        == ["0..<1 id=254", "1..<2 flags=none", "2..<4 marker=marker=1"])
  }

  @Test func linesOfPrograms() throws {
    func fragment(_ text: String, area: UInt8 = 0) -> (CommandID, [UInt8]) {
      (OrbBasic.AppendFragment.id, [area] + Array(text.utf8))
    }
    let seen = try parts([
      (OrbBasic.EraseStorage.id, [0]), fragment("10 RGB 1,2,3\n20 go"), fragment("1 other\n", area: 1),
      fragment("to 10\n"), fragment("30 end\n\0"), fragment("40 go"), (OrbBasic.EraseStorage.id, [0]),
      fragment("50 end\n"),
    ])
    #expect(seen[1] == ["1..<14 line 10=\"RGB 1,2,3\"", "14..<19 begun=\"20 go\""])
    #expect(seen[2] == ["1..<9 line 1=\"other\""])
    #expect(seen[3] == ["1..<7 line 20=\"goto 10\""])
    #expect(seen[4] == ["1..<8 line 30=\"end\"", "8..<9 end=00"])
    #expect(seen[7] == ["1..<8 line 50=\"end\""])
  }

  @Test func linesWithoutNumbersKeepTheirWords() throws {
    let text = Array("print 1\n 5 x\n123456 y\n60\n".utf8)
    #expect(
      try parts([(OrbBasic.AppendFragment.id, [0] + text)])[0] == [
        "1..<9 line=\"print 1\"", "9..<14 line=\" 5 x\"", "14..<23 line=\"123456 y\"", "23..<26 line 60=\"\"",
      ])
  }

  @Test func fieldsOfTheConfigurationBlock() throws {
    let recorded = try #require(Vector.all.first { $0.id == "pwnrb-get_factory_config-a3" })
    var dissector = Dissector()
    let item = try #require(dissector.append(bytes(recorded.hex), from: .robot).first)
    let parts = item.fields.flatMap(\.parts)
    #expect(
      parts.map(\.description) == [
        "lowTripPoint=7.00 V", "criticalTripPoint=6.50 V", "chassis=5", "userColor=A6 D2 EC",
        "inactivityTimeout=600 s", "yawP=90.0", "yawI=0.05", "yawD=1200.0", "rollP=21.0", "rollI=0.3",
        "rollD=50.0",
      ])
    #expect(parts.map(\.range.lowerBound) == [2, 4, 10, 12, 60, 76, 80, 84, 100, 104, 108])
    let start = #""parts":{"block":[{"name":"lowTripPoint","offset":2,"count":2,"value":7.00},"#
    #expect(item.json.contains(start))
  }
}
