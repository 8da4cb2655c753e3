// The contents of programs: the steps of a macro, the lines of an orbBasic program, the fields of a block.

extension [FieldDescription] {
  /// Sets the parts of the field with this name.
  mutating func setParts(_ parts: [FieldDescription], to name: String) {
    if let index = firstIndex(where: { $0.name == name }) { self[index].parts = parts }
  }
}

/// Dissects programs that are sent in pieces.
///
/// A step or line that continues in the next piece is reported there, with the range of its last bytes.
/// Whether the robot accepts a piece does not matter.
struct ProgramContents: Sendable {
  private var macro = MacroContents()
  /// The beginning of an incomplete line, by area.
  private var line: [UInt8: [UInt8]] = [:]

  /// Adds the contents of the program, if the command sends one, to its fields.
  mutating func explain(_ packet: CommandPacket, in fields: inout [FieldDescription]) {
    switch packet.id {
    case Macros.SaveTemporaryMacro.id:
      macro = MacroContents()
      fields.setParts(macro.parts(of: packet.payload, isWhole: false), to: "macro")
    case Macros.SaveMacro.id:
      var whole = MacroContents()
      fields.setParts(whole.parts(of: packet.payload, isWhole: true), to: "macro")
    case Macros.AbortMacro.id, Macros.ReinitMacroExecutive.id:
      macro = MacroContents()
    case Macros.AppendMacroChunk.id:
      fields.setParts(macro.parts(of: packet.payload, isWhole: false), to: "chunk")
    case OrbBasic.EraseStorage.id:
      if let area = packet.payload.first { line[area] = nil }
    case OrbBasic.AppendFragment.id:
      if let area = packet.payload.first { fields.setParts(lines(of: packet.payload, in: area), to: "text") }
    case Configuration.SetConfigurationBlock.id:
      fields.setParts(Configuration.ConfigurationBlock.parts(of: packet.payload), to: "block")
    default: break
    }
  }

  private mutating func lines(of payload: [UInt8], in area: UInt8) -> [FieldDescription] {
    var parts: [FieldDescription] = []
    var text = line[area] ?? []
    var start = 1
    func part(_ name: String, to end: Int) -> FieldDescription {
      FieldDescription(name: name, value: .text("\(WireText(bytes: text))"), range: start..<end)
    }
    for (place, byte) in payload.enumerated().dropFirst() {
      guard byte == UInt8(ascii: "\n") || byte == 0 else {
        text.append(byte)
        continue
      }
      if !text.isEmpty {
        let number = text.prefix { $0 != UInt8(ascii: " ") }
        let name = "line " + String(decoding: number, as: UTF8.self)
        text.removeFirst(min(text.count, number.count + 1))
        parts.append(part(number.count <= 5 ? name : "line", to: place + 1))
      }
      if byte == 0 {
        parts.append(FieldDescription(name: "end", value: .bytes([0]), range: place..<(place + 1)))
      }
      (text, start) = ([], place + 1)
    }
    if start < payload.count { parts.append(part("begun", to: payload.count)) }
    // The memory of a robot holds no longer line.
    line[area] = text.count <= OrbBasicProgram.longest ? text : []
    return parts
  }
}

/// A macro that is sent in pieces.
private struct MacroContents: Sendable {
  /// The bytes of an incomplete head or step.
  private var begun: [UInt8] = []
  private var hasHead = false
  private var isStream = false
  /// Whether the rest cannot be dissected: the macro has ended, or has a step of unknown length.
  private var isOver = false
  private var count = 0
  /// The buffers of the robot hold no longer step.
  private static let maximumStepLength = 1024

  mutating func parts(of piece: [UInt8], isWhole: Bool) -> [FieldDescription] {
    let bytes = begun + piece
    let before = begun.count
    var parts: [FieldDescription] = []
    var place = 0
    /// Converts ranges of `bytes` to ranges of the piece; bytes of former pieces are outside.
    func moved(_ fields: [FieldDescription]) -> [FieldDescription] {
      fields.map { field in
        var field = field
        field.range = max(0, field.range.lowerBound - before)..<max(0, field.range.upperBound - before)
        return field
      }
    }
    func add(_ name: String, _ range: Range<Int>, parts inside: [FieldDescription] = []) {
      let value = FieldValue.bytes(Array(bytes[range]))
      parts += moved([FieldDescription(name: name, value: value, range: range, parts: moved(inside))])
    }

    if !hasHead {
      var describer = PayloadDescriber(bytes)
      var macro = Macro()
      guard (try? macro.layoutHead(&describer)) != nil else {
        begun = bytes
        return []
      }
      (hasHead, isStream, place) = (true, macro.id == Macro.streamID, describer.offset)
      parts = moved(describer.fields)
    }
    while place < bytes.count, !isOver {
      var describer = PayloadDescriber(bytes, from: place)
      var step = MacroCommand.end
      guard (try? step.layout(&describer)) != nil else { break }
      count += 1
      // The steps of a stream have no numbers, since the recording may begin with any of its pieces.
      let name = isStream ? step.name : "\(count) \(step.name)"
      add(name, place..<describer.offset, parts: Array(describer.fields.dropFirst()))
      place = describer.offset
      isOver = step.isUnknown || step == .end && !isStream
    }
    isOver = isOver || bytes.count - place > Self.maximumStepLength
    begun = isOver ? [] : Array(bytes[place...])
    if place < bytes.count { add(isOver || isWhole ? "rest" : "begun", place..<bytes.count) }
    return parts
  }
}
