// Macros and orbBasic programs: the bytes of recordings, and errors.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct MacroTests {
  private func recorded(_ id: String) throws -> [UInt8] {
    bytes(try #require(Vector.all.first { $0.id == id }?.fields.data, "\(id)"))
  }

  /// The opcodes of the fact sheet with the number of bytes after each (nil if it varies).
  static let table: [(opcode: UInt8, count: Int?)] = [
    (0x00, 0), (0x01, 2), (0x02, 2), (0x03, 2), (0x04, 3), (0x05, 4), (0x06, 3), (0x07, 4),
    (0x08, 3),
    (0x09, 2), (0x0A, 5), (0x0B, 2), (0x0C, 1), (0x0D, 1), (0x0E, 2), (0x0F, 2), (0x10, 2),
    (0x11, 2),
    (0x12, 2), (0x13, 1), (0x14, 5), (0x15, 1), (0x19, 2), (0x1A, 4), (0x1B, 0), (0x1D, 5),
    (0x1E, 1),
    (0x1F, 0), (0x20, nil), (0x21, 2), (0x22, 2), (0x23, 1), (0x24, 0), (0x25, 2), (0x27, 6),
  ]

  @Test func everyOpcodeHasItsLength() throws {
    #expect(MacroCommand.all.map(\.opcode) == Self.table.map(\.opcode))
    for (command, (opcode, count)) in zip(MacroCommand.all, Self.table) {
      let payload = try command.payload()
      #expect(payload.first == opcode)
      if let count { #expect(payload.count == count + 1, "\(command)") }
    }
  }

  @Test func commandsRoundTrip() throws {
    let seed: UInt64 = 0x5EED_0003
    var scrambler = Scrambler(seed: seed)
    for round in 0..<10_000 {
      var command = MacroCommand.all[round % MacroCommand.all.count]
      try command.layout(&scrambler)
      let payload = try command.payload()
      let decoded = try MacroCommand(payload: payload)
      guard decoded == command else {
        Issue.record("let seed: UInt64 = \(seed), round \(round): \(command) became \(decoded)")
        return
      }
    }
  }

  @Test func macrosRoundTrip() throws {
    let seed: UInt64 = 0x5EED_0004
    var scrambler = Scrambler(seed: seed)
    var longest = 0
    for round in 0..<300 {
      var macro = Macro()
      try macro.layout(&scrambler)
      longest = max(longest, macro.commands.count)
      let decoded = try Macro(parsing: try macro.payload())
      #expect(decoded == macro, "let seed: UInt64 = \(seed), round \(round)")
    }
    #expect(longest > 20)
  }

  @Test func longTemporaryMacroAsRecorded() throws {
    let chunks = try [5, 7, 9].map { try recorded("pwnjs-macro-load-long-temp-c\($0)") }
    let macro = try Macro(parsing: chunks.flatMap { $0 })
    #expect(macro.flags == [.markEnd, .stopOnDisconnect])
    let markers = macro.commands.enumerated().compactMap { index, command in
      command.step(as: Macro.Marker.self).map { ($0.marker, index + 1) }
    }
    // The recorded events have the same markers and command numbers.
    let events = try [13, 14, 15].map {
      try Macros.Marker(payload: recorded("pwnjs-macro-load-long-temp-a\($0)"))
    }
    #expect(markers.map { Int($0.0) } == events.dropLast().map { Int($0.marker) })
    #expect(markers.map { $0.1 } == events.dropLast().map { Int($0.command) })
    #expect(events.last?.command == UInt16(macro.commands.count + 1))

    let requests = try macro.requests(as: .temporary)
    #expect(requests.first is Macros.AbortMacro)
    #expect(requests.compactMap { ($0 as? Macros.AppendMacroChunk)?.chunk } == chunks)
    #expect((requests.last as? Macros.RunMacro)?.macro == 255)
    #expect(requests.count == 5)
  }

  @Test func shortMacrosAsRecorded() throws {
    let temporary = Macro(flags: [.markEnd, .stopOnDisconnect]) {
      Macro.Marker(marker: 0xAA)
      Macro.Marker(marker: 0xBB)
    }
    let payloads = try temporary.requests(as: .temporary).map { try $0.payload() }
    #expect(payloads == [try recorded("pwnjs-macro-load-short-temp-c5"), [0xFF]])

    var user = temporary
    user.id = 64
    let stored = try user.requests(as: .user).map { try $0.payload() }
    #expect(stored == [try recorded("pwnjs-macro-load-short-user-c5"), [64]])
    #expect(throws: WireError.outOfRange(field: "id", value: 255, allowed: 32...253)) {
      try temporary.requests(as: .user)
    }
  }

  @Test func macroHasLiteralBytes() throws {
    let macro = try Macro(parsing: try recorded("cmd-macro-save"))
    #expect(macro.commands == [MacroCommand(Macro.Roll(speed: 0, heading: 10, delay: 100))])
    #expect(macro.id == 32)
  }

  @Test func errorsHaveOffsets() {
    #expect(throws: WireError.truncated(field: "time", offset: 3)) {
      try Macro(parsing: [255, 0, 0x0B, 0])
    }
    #expect(throws: WireError.truncated(field: "opcode", offset: 5)) {
      try Macro(parsing: [255, 0, 0x0B, 0, 1])
    }
    #expect(throws: WireError.excess(offset: 3, count: 2)) {
      try Macro(parsing: [255, 0, 0, 0, 0])
    }
    #expect(throws: WireError.truncated(field: "text", offset: 5)) {
      try Macro(parsing: [255, 0, 0x20, 0, 9, 1])
    }
    #expect(throws: WireError.outOfRange(field: "heading", value: 360, allowed: 0...359)) {
      try Macro { Macro.Roll(speed: 1, heading: 360) }.payload()
    }
    #expect(throws: WireError.wrongCount(field: "macro", count: 1203, allowed: 3...1024)) {
      try Macro(commands: Array(repeating: MacroCommand(Macro.Wait(time: 1)), count: 400)).requests(
        as: .temporary)
    }
    #expect(throws: WireError.wrongCount(field: "macro", count: 303, allowed: 3...254)) {
      try Macro(id: 32, commands: Array(repeating: MacroCommand(Macro.Wait(time: 1)), count: 100))
        .requests(as: .user)
    }
  }

  @Test func unknownOpcodeIsKept() throws {
    let bytes: [UInt8] = [255, 0, 0x0B, 0, 1, 0x16, 9, 0, 8, 0]
    let macro = try Macro(parsing: bytes)
    let wait = MacroCommand(Macro.Wait(time: 1))
    #expect(macro.commands == [wait, MacroCommand(opcode: 0x16, operands: [9, 0, 8])])
    #expect(try macro.payload() == bytes)
    #expect(macro.commands[1].name == "unknown")
    #expect(macro.commands[1].isUnknown && !macro.commands[0].isUnknown)
    // A caller that knows the length of an unknown step may append steps.
    let written = Macro(commands: [MacroCommand(opcode: 0x16, operands: [9]), wait])
    #expect(try written.payload() == [255, 0, 0x16, 9, 0x0B, 0, 1, 0])
    #expect(throws: WireError.truncated(field: "opcode", offset: 4)) {
      try Macro(parsing: [255, 0, 0x16, 0x1F])
    }
  }

  /// Operands that do not match their opcode are kept, but neither decoded nor encoded.
  @Test func invalidOperandsAreRefused() {
    let far = MacroCommand(Macro.SetHeading(heading: 360))
    #expect(far.operands == [0x01, 0x68, 0x00])
    #expect(far.step(as: Macro.SetHeading.self) == nil)
    #expect(throws: WireError.outOfRange(field: "heading", value: 360, allowed: 0...359)) {
      try far.payload()
    }
    let short = MacroCommand(opcode: 0x0B, operands: [1])
    #expect(short.step(as: Macro.Wait.self) == nil)
    #expect(throws: WireError.truncated(field: "time", offset: 0)) { try short.payload() }
    let none = MacroCommand(opcode: 0x0B)
    #expect(throws: WireError.truncated(field: "time", offset: 0)) { try none.payload() }
    let long = MacroCommand(opcode: 0x1F, operands: [7])
    #expect(throws: WireError.excess(offset: 0, count: 1)) { try long.payload() }
    #expect(MacroCommand(Macro.Wait(time: 9)).step(as: Macro.Rotate.self) == nil)
  }

  @Test func extendedFlagsRequireTheirFlag() throws {
    var macro = Macro(flags: [.extended], commands: [])
    macro.extendedFlags = 7
    #expect(try macro.payload() == [255, 0x80, 7, 0])
    #expect(try Macro(parsing: [255, 0x80, 7, 0]) == macro)
  }

  @Test func streamsAreSplitBetweenCommands() throws {
    let commands = (0..<200).map {
      MacroCommand(Macro.Fade(red: UInt8($0), green: 1, blue: 2, time: 100))
    }
    let pieces = try Macro(flags: [.exclusiveDrive], commands: commands).requests(as: .stream)
      .compactMap { ($0 as? Macros.SaveMacro)?.macro }
    #expect(pieces.count == 5)
    var body: [UInt8] = []
    for piece in pieces {
      #expect(piece.count <= 254)
      #expect(piece.prefix(2) == [254, 2])
      body += piece.dropFirst(2)
      // A packet has whole commands, so it is a macro if 00 is appended.
      _ = try Macro(parsing: piece == pieces.last ? piece : piece + [0])
    }
    #expect(
      try Macro(parsing: [254, 2] + body).commands == commands + [MacroCommand(Macro.StreamEnd())])
    #expect(throws: WireError.wrongCount(field: "comment", count: 303, allowed: 0...252)) {
      try Macro { Macro.Comment(text: WireText("", paddedTo: 300)) }.requests(as: .stream)
    }
  }

  @Test func builderSupportsLoopsAndBranches() {
    let isLoud = true
    let macro = Macro {
      for red: UInt8 in [1, 2] { Macro.RGB(red: red, green: 0, blue: 0, delay: 9) }
      if isLoud { Macro.Marker(marker: 1) } else { Macro.Marker(marker: 2) }
      if !isLoud { Macro.LoopEnd() }
    }
    #expect(macro.commands.map(\.opcode) == [0x07, 0x07, 0x15])
  }
}

@Suite(.ownThread) struct OrbBasicTests {
  @Test func largeProgramAsRecorded() throws {
    let recorded = Vector.all.filter {
      $0.id.hasPrefix("pwnjs-basic-large-print-c") && $0.name == "appendOrbBasic"
    }
    let payloads = try recorded.map { bytes(try #require($0.fields.data, "\($0.id)")) }
    #expect(payloads.count >= 5)
    let text = String(decoding: payloads.flatMap { $0.dropFirst() }.dropLast(), as: UTF8.self)
    let program = try OrbBasicProgram(text)
    #expect(program.text == text)
    let requests = program.requests(startingAt: 240)
    #expect(try requests.dropFirst(2).dropLast().map { try $0.payload() } == payloads)
    #expect(try requests.last?.payload() == [0, 0, 240])
    #expect(requests.first is OrbBasic.Abort)
    #expect(
      requests.dropFirst().first as? OrbBasic.EraseStorage == OrbBasic.EraseStorage(area: .ram))
  }

  @Test func linesAreValidated() throws {
    let program = try OrbBasicProgram("10 RGB 1,2,3\r\n\n\t\n \t \n20 end")
    #expect(program.text == "10 RGB 1,2,3\n20 end\n")
    #expect(program.lineNumbers == [10, 20])
    #expect(throws: OrbBasicTextError.empty) { try OrbBasicProgram(" \n\n") }
    #expect(throws: OrbBasicTextError.missingLineNumber(line: 2)) { try OrbBasicProgram("10 end\nend\n") }
    #expect(throws: OrbBasicTextError.missingLineNumber(line: 1)) { try OrbBasicProgram("70000 end\n") }
    #expect(throws: OrbBasicTextError.missingLineNumber(line: 1)) { try OrbBasicProgram("+1 end\n") }
    #expect(throws: OrbBasicTextError.nul(line: 1, column: 5)) { try OrbBasicProgram("10 a\0b\n") }
    #expect(throws: OrbBasicTextError.tooLong(count: 5005)) {
      try OrbBasicProgram("1 " + String(repeating: "x", count: 5001))
    }
  }

  @Test func unknownErrorCodesKeepTheirNumber() throws {
    let known = try OrbBasic.ErrorMessage(payload: [0, 30, 0, 8])
    #expect(known.fields.map(\.description) == ["line=30", "error=divide by zero"])
    let unknown = try OrbBasic.ErrorMessage(payload: [0, 30, 0x12, 0x34])
    #expect(unknown.error.name == "unknown 1234h")
    #expect(try unknown.payload() == [0, 30, 0x12, 0x34])
  }
}
