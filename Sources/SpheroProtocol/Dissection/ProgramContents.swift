// What the pieces of programs hold: the steps of a macro, the lines of an orbBasic program, the places of a block.

extension [FieldDescription] {
  /// Says what a field holds.
  mutating func addParts(_ parts: [FieldDescription], to name: String) {
    if let index = firstIndex(where: { $0.name == name }) { self[index].parts = parts }
  }
}

/// Follows programs that come in pieces, and takes each piece apart.
///
/// What a piece ends with may go on in the next: then the whole of it is reported there, with the place of its last bytes.
/// A piece that the robot refuses is followed like one that it takes.
struct ProgramContents: Sendable {
  private var macro = MacroContents()
  /// The beginning of a line whose end has not been sent, by area.
  private var line: [UInt8: [UInt8]] = [:]

  /// Takes the payload of a command apart, where it holds a program.
  mutating func explain(_ packet: CommandPacket, in fields: inout [FieldDescription]) {
    switch packet.id {
    case Macros.SaveTemporaryMacro.id:
      macro = MacroContents()
      fields.addParts(macro.parts(of: packet.payload, isWhole: false), to: "macro")
    case Macros.SaveMacro.id:
      var whole = MacroContents()
      fields.addParts(whole.parts(of: packet.payload, isWhole: true), to: "macro")
    case Macros.AbortMacro.id, Macros.ReinitMacroExecutive.id:
      macro = MacroContents()
    case Macros.AppendMacroChunk.id:
      fields.addParts(macro.parts(of: packet.payload, isWhole: false), to: "chunk")
    case OrbBasic.EraseStorage.id:
      if let area = packet.payload.first { line[area] = nil }
    case OrbBasic.AppendFragment.id:
      if let area = packet.payload.first { fields.addParts(lines(of: packet.payload, in: area), to: "text") }
    case Configuration.SetConfigurationBlock.id:
      fields.addParts(Configuration.ConfigurationBlock.parts(of: packet.payload), to: "block")
    default: break
    }
  }

  /// Beyond this, a line is not a line: no robot holds more.
  private static let longestLine = OrbBasicProgram.longest

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
    line[area] = text.count <= Self.longestLine ? text : []
    return parts
  }
}

/// A macro whose bytes come one piece after the other.
private struct MacroContents: Sendable {
  /// The bytes of the head or of a step whose end has not come.
  private var begun: [UInt8] = []
  private var hasHead = false
  private var isStream = false
  /// Whether nothing is known any more: the macro has ended, or has a step of unknown length.
  private var isOver = false
  /// How many steps there were.
  private var count = 0
  /// No buffer of the robot holds a longer one.
  private static let longestStep = 1024

  /// Takes a piece apart; one that is whole keeps nothing for the next.
  mutating func parts(of piece: [UInt8], isWhole: Bool) -> [FieldDescription] {
    let bytes = begun + piece
    let before = begun.count
    var parts: [FieldDescription] = []
    var place = 0
    // What came with the piece before has no place in this one.
    func range(_ start: Int, _ end: Int) -> Range<Int> { max(0, start - before)..<max(0, end - before) }
    func add(_ name: String, from start: Int, to end: Int, parts inside: [FieldDescription] = []) {
      parts.append(
        FieldDescription(
          name: name, value: .bytes(Array(bytes[start..<end])), range: range(start, end),
          parts: inside.map { part in
            var part = part
            part.range = range(part.range.lowerBound, part.range.upperBound)
            return part
          }))
    }

    if !hasHead {
      var describer = PayloadDescriber(bytes)
      var macro = Macro()
      guard (try? macro.layoutHead(&describer)) != nil else {
        begun = bytes
        return []
      }
      (hasHead, isStream, place) = (true, macro.id == Macro.streamID, describer.offset)
      parts = describer.fields.map { field in
        var field = field
        field.range = range(field.range.lowerBound, field.range.upperBound)
        return field
      }
    }
    while place < bytes.count, !isOver {
      var describer = PayloadDescriber(bytes, from: place)
      var step = MacroCommand.end
      guard (try? step.layout(&describer)) != nil else { break }
      count += 1
      // A stream is numbered through all its pieces, of which this may be any.
      let name = isStream ? step.name : "\(count) \(step.name)"
      add(name, from: place, to: describer.offset, parts: Array(describer.fields.dropFirst()))
      place = describer.offset
      if step.isUnknown { isOver = true }
      isOver = isOver || step == .end && !isStream
    }
    isOver = isOver || bytes.count - place > Self.longestStep
    begun = isOver ? [] : Array(bytes[place...])
    if place < bytes.count { add(isOver || isWhole ? "rest" : "begun", from: place, to: bytes.count) }
    return parts
  }
}
