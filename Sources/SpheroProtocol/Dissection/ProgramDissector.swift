// Dissects programs: the steps of a macro, the lines of an orbBasic program, the fields of a block.

extension [FieldDescription] {
  mutating func setParts(_ parts: [FieldDescription], of name: String) {
    if let index = firstIndex(where: { $0.name == name }) { self[index].parts = parts }
  }
}

/// Dissects programs that are sent in pieces, including pieces that the robot refuses. A step or line that continues in the
/// next piece is `begun` in the first one, and a part of the piece that completes it.
struct ProgramDissector: Sendable {
  private var macro = MacroDissector()
  /// The incomplete last line of the program in each area.
  private var incompleteLines: [UInt8: [UInt8]] = [:]

  /// Adds the steps, lines or block fields in a command to the parts of its fields.
  mutating func addParts(of packet: CommandPacket, to fields: inout [FieldDescription]) {
    switch packet.id {
    case Macros.SaveTemporaryMacro.id:
      macro = MacroDissector()
      fields.setParts(macro.parts(of: packet.payload, isWhole: false), of: "macro")
    case Macros.SaveMacro.id:
      var whole = MacroDissector()
      fields.setParts(whole.parts(of: packet.payload, isWhole: true), of: "macro")
    case Macros.AbortMacro.id, Macros.ReinitMacroExecutive.id:
      macro = MacroDissector()
    case Macros.AppendMacroChunk.id:
      fields.setParts(macro.parts(of: packet.payload, isWhole: false), of: "chunk")
    case OrbBasic.EraseStorage.id:
      if let area = packet.payload.first { incompleteLines[area] = nil }
    case OrbBasic.AppendFragment.id:
      if let area = packet.payload.first { fields.setParts(lines(of: packet.payload, in: area), of: "text") }
    case Configuration.SetConfigurationBlock.id:
      fields.setParts(Configuration.ConfigurationBlock.parts(of: packet.payload), of: "block")
    default: break
    }
  }

  private mutating func lines(of payload: [UInt8], in area: UInt8) -> [FieldDescription] {
    var parts: [FieldDescription] = []
    var line = incompleteLines[area] ?? []
    var start = 1
    func add(_ name: String, _ text: ArraySlice<UInt8>, to end: Int) {
      let value = FieldValue.text("\(WireText(bytes: Array(text)))")
      parts.append(FieldDescription(name: name, value: value, range: start..<end))
    }
    for (index, byte) in payload.enumerated().dropFirst() {
      guard byte == UInt8(ascii: "\n") || byte == 0 else {
        line.append(byte)
        continue
      }
      let end = index + 1
      let number = line.prefix { $0 != UInt8(ascii: " ") }
      // Line numbers have at most five digits; refused programs, with a number beyond 65535, are dissected, too.
      if (1...5).contains(number.count), number.allSatisfy({ (0x30...0x39).contains($0) }) {
        add("line " + String(decoding: number, as: UTF8.self), line.dropFirst(number.count + 1), to: end)
      } else if !line.isEmpty {
        add("line", line[...], to: end)
      }
      if byte == 0 { parts.append(FieldDescription(name: "end", value: .bytes([0]), range: index..<end)) }
      (line, start) = ([], end)
    }
    if start < payload.count { add("begun", line[...], to: payload.count) }
    // A longer line does not fit into the memory of a robot.
    incompleteLines[area] = line.count <= OrbBasicProgram.longest ? line : []
    return parts
  }
}

private struct MacroDissector: Sendable {
  private var incomplete: [UInt8] = []
  private var hasHead = false
  private var isStream = false
  /// Whether no step follows: the macro has ended, or has a step of unknown length.
  private var hasEnded = false
  private var stepCount = 0

  mutating func parts(of piece: [UInt8], isWhole: Bool) -> [FieldDescription] {
    let bytes = incomplete + piece
    let earlierCount = incomplete.count
    var parts: [FieldDescription] = []
    var offset = 0
    func add(_ name: String, to end: Int, parts inside: [FieldDescription] = []) {
      let value = FieldValue.bytes(Array(bytes[offset..<end]))
      parts.append(FieldDescription(name: name, value: value, range: offset..<end, parts: inside))
      offset = end
    }
    /// Converts the range in `bytes` to a range in the piece, without the bytes of earlier pieces.
    func relative(_ field: FieldDescription) -> FieldDescription {
      var field = field
      let (start, end) = (field.range.lowerBound - earlierCount, field.range.upperBound - earlierCount)
      field.range = max(0, start)..<max(0, end)
      field.parts = field.parts.map(relative)
      return field
    }

    if !hasHead {
      var describer = Describer(bytes)
      var head = Macro()
      guard (try? head.layoutHead(&describer)) != nil else {
        incomplete = bytes
        return []
      }
      (hasHead, isStream, offset) = (true, head.id == Macro.streamID, describer.offset)
      parts = describer.fields
    }
    while offset < bytes.count, !hasEnded {
      var describer = Describer(bytes, from: offset)
      var step = MacroCommand.end
      guard (try? step.layout(&describer)) != nil else { break }
      stepCount += 1
      // The steps of a stream have no numbers, since the recording may begin with any of its pieces.
      let name = isStream ? step.name : "\(stepCount) \(step.name)"
      add(name, to: describer.offset, parts: Array(describer.fields.dropFirst()))
      hasEnded = step.isUnknown || step == .end && !isStream
    }
    // A longer step does not fit into the memory of a robot.
    hasEnded = hasEnded || bytes.count - offset > Macro.maximumTemporaryLength
    incomplete = hasEnded ? [] : Array(bytes[offset...])
    if offset < bytes.count { add(hasEnded || isWhole ? "rest" : "begun", to: bytes.count) }
    return parts.map(relative)
  }
}
