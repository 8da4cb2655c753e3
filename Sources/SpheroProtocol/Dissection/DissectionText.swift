// A dissected packet as a line of text, and field by field.

extension Dissection: CustomStringConvertible {
  /// One line: time, direction, name, sequence number, and the fields in their units.
  ///
  /// Like ` 0.000 > Motion.Roll        seq 7   speed=128 heading=90° state=drive`.
  public var description: String { Self.text { append(line: &$0) } }

  /// The name, the sequence number and the fields, without the time and the columns of ``description``.
  public var meaning: String { Self.text { append(meaning: &$0) } }

  /// Appends the ``meaning``.
  package func append(meaning line: inout [UInt8]) {
    line += title.utf8
    if let sequence { line += " seq \(sequence)".utf8 }
    let end = line.count
    line.append(Self.blank)
    append(summary: &line)
    if line.count == end + 1 { line.removeLast() }
  }

  /// Appends the ``description``.
  package func append(line: inout [UInt8]) {
    var start = line.count
    time?.append(digits: 3, to: &line)
    line.pad(from: start, to: 6, isRight: true)
    line += [Self.blank, UInt8(ascii: sender == .host ? ">" : "<"), Self.blank]
    start = line.count
    line += title.utf8
    line.pad(from: start, to: 18)
    line.append(Self.blank)
    start = line.count
    if let sequence { line += "seq \(sequence)".utf8 }
    line.pad(from: start, to: 7)
    line.append(Self.blank)
    append(summary: &line)
    while line.last == Self.blank { line.removeLast() }
  }

  private static let blank = UInt8(ascii: " ")

  private static func text(_ append: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    append(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The line and, beneath it, the place in the recording, all bytes, and a line for each field with its place in the payload.
  public var details: String {
    var lines = [description]
    let count = "\(bytes.count) byte\(bytes.count == 1 ? "" : "s")"
    if kind != .discarded { lines.append("         \(count) from \(offset): \(Hexadecimal.text(bytes))") }
    for field in fields {
      lines.append(Self.line(field, "\(field.value)"))
      // What a part holds in turn fits on its line.
      for part in field.parts {
        let value =
          part.parts.isEmpty ? "\(part.value)" : part.parts.map { "\($0)" }.joined(separator: " ")
        lines.append(Self.line(part, value, indented: true))
      }
    }
    for sample in samples {
      for field in sample.mask.fields {
        lines.append(
          "         \(Self.pad("", to: 10)) \(Self.pad(field.name, to: 18)) \(Self.text(field, sample))")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func line(_ field: FieldDescription, _ value: String, indented: Bool = false) -> String {
    let last = field.range.upperBound - 1
    let place = field.range.count > 1 ? "\(field.range.lowerBound)...\(last)" : "\(field.range.lowerBound)"
    let name = indented ? "  " + field.name : field.name
    var line = "         \(pad("[\(place)]", to: 10)) \(pad(name, to: 18)) \(value)"
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The name, or the numbers where there is none.
  private var title: String {
    if let name { return name }
    switch packet {
    case .command(let packet): return "command \(packet.id)"
    case .response: return "response"
    case .event(let packet): return "event \(packet.id)"
    case nil: return "discarded"
    }
  }

  private func append(summary line: inout [UInt8]) {
    let start = line.count
    /// Begins a word after a blank.
    func begin(_ line: inout [UInt8]) { if line.count > start { line.append(Self.blank) } }
    switch packet {
    case .command(let packet):
      if !packet.options.contains(.answer) { line += "(no answer)".utf8 }
    case .response(let packet):
      line += packet.status.name.utf8
    case .event:
      break
    case nil:
      line += "\(bytes.count) byte\(bytes.count == 1 ? "" : "s"): ".utf8
      line += (Hexadecimal.text(bytes.prefix(Self.widest)) + (bytes.count > Self.widest ? " …" : "")).utf8
    }
    if samples.isEmpty {
      for field in fields {
        begin(&line)
        line += field.name.utf8
        line.append(UInt8(ascii: "="))
        Self.append(shortened: field.value, to: &line)
      }
    } else {
      begin(&line)
      for (index, sample) in samples.enumerated() {
        if index > 0 { line += " | ".utf8 }
        sample.append(readable: &line)
      }
    }
    if !remarks.isEmpty {
      begin(&line)
      line += ("(" + remarks.map { "\($0)" }.joined(separator: "; ") + ")").utf8
    }
  }

  /// Longer runs of bytes are cut in a line; ``details`` shows them whole.
  private static let widest = 32

  static func shortened(_ value: FieldValue) -> String { text { append(shortened: value, to: &$0) } }

  private static func append(shortened value: FieldValue, to line: inout [UInt8]) {
    guard case .bytes(let bytes) = value, bytes.count > widest else { return value.append(readable: &line) }
    line += (Hexadecimal.text(bytes.prefix(widest)) + " … (\(bytes.count) bytes)").utf8
  }

  static func text(_ field: SensorField, _ sample: Sample) -> String {
    sample.word(field).map { "\(FieldValue.integer(Int64($0), field.scale))" } ?? "-"
  }

  private static func pad(_ text: String, to width: Int, isRight: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return isRight ? blanks + text : text + blanks
  }
}

extension Sender {
  /// The direction as an arrow: `>` from the host to the robot, `<` from the robot to the host.
  public var mark: String { self == .host ? ">" : "<" }
}
