// The text form of a dissected packet: one line, or one line per field.

extension Dissection: CustomStringConvertible {
  /// One line, like ` 0.000 > Motion.Roll        seq 7   speed=128 heading=90° state=drive`.
  public var description: String { String.text { append(line: &$0) } }

  /// The name, the sequence number and the fields, without the time and the columns of ``description``.
  public var meaning: String { String.text { append(meaning: &$0) } }

  package func append(meaning line: inout [UInt8]) {
    line += title.utf8
    if let sequence { line += " seq \(sequence)".utf8 }
    let end = line.count
    line.append(Self.blank)
    append(summary: &line)
    if line.count == end + 1 { line.removeLast() }
  }

  package func append(line: inout [UInt8]) {
    Self.append(time, sender, title, sequence: sequence, to: &line)
    append(summary: &line)
    while line.last == Self.blank { line.removeLast() }
  }

  /// Appends the columns before the fields: time, direction, name, sequence number.
  package static func append(
    _ time: Duration?, _ sender: Sender, _ title: String, sequence: UInt8?, to line: inout [UInt8]
  ) {
    var start = line.count
    time?.append(digits: 3, to: &line)
    line.pad(from: start, to: 6, alignsRight: true)
    line += " \(sender.mark) ".utf8
    start = line.count
    line += title.utf8
    line.pad(from: start, to: 18)
    line.append(blank)
    start = line.count
    if let sequence { line += "seq \(sequence)".utf8 }
    line.pad(from: start, to: 7)
    line.append(blank)
  }

  private static let blank = UInt8(ascii: " ")

  /// The ``description``, the offset and all bytes of a packet, and a line for each field with its range in the payload;
  /// for discarded bytes the ``description`` only, which shows at most 32 of them.
  public var details: String {
    var lines = [description]
    if kind != .discarded { lines.append("         \(byteCount) from \(offset): \(Hexadecimal.text(bytes))") }
    for field in fields {
      lines.append(Self.row(field.range, field.name, "\(field.value)"))
      for part in field.parts {
        // The parts of a part are on its line.
        let value =
          part.parts.isEmpty ? "\(part.value)" : part.parts.map { "\($0)" }.joined(separator: " ")
        lines.append(Self.row(part.range, "  " + part.name, value))
      }
    }
    for sample in samples {
      for field in sample.fields { lines.append(Self.row(nil, field.name, "\(field.value)")) }
    }
    return lines.joined(separator: "\n")
  }

  private static func row(_ range: Range<Int>?, _ name: String, _ value: String) -> String {
    String.text { line in
      line += "         ".utf8
      if let range {
        let last = range.count > 1 ? "...\(range.upperBound - 1)" : ""
        line += "[\(range.lowerBound)\(last)]".utf8
      }
      line.pad(from: 9, to: 10)
      line.append(blank)
      let start = line.count
      line += name.utf8
      line.pad(from: start, to: 18)
      line += " \(value)".utf8
      while line.last == blank { line.removeLast() }
    }
  }

  private var byteCount: String { "\(bytes.count) byte\(bytes.count == 1 ? "" : "s")" }

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
    func begin(_ line: inout [UInt8]) { if line.count > start { line.append(Self.blank) } }
    switch packet {
    case .command(let packet):
      if !packet.options.contains(.answer) { line += "(no answer)".utf8 }
    case .response(let packet):
      line += packet.status.name.utf8
    case .event:
      break
    case nil:
      line += "\(byteCount): ".utf8
      line += (Hexadecimal.text(bytes.prefix(Self.runLimit)) + (bytes.count > Self.runLimit ? " …" : "")).utf8
    }
    if samples.isEmpty {
      if !fields.isEmpty { begin(&line) }
      Self.append(fields, to: &line)
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

  /// The maximum number of bytes of a run in a line; ``details`` shows all bytes of a packet.
  private static let runLimit = 32

  /// Fields in their units, like `red=255 green=128`; long runs of bytes are truncated.
  static func text(of fields: [FieldDescription]) -> String { String.text { append(fields, to: &$0) } }

  private static func append(_ fields: [FieldDescription], to line: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { line.append(blank) }
      line += field.name.utf8
      line.append(UInt8(ascii: "="))
      append(shortened: field.value, to: &line)
    }
  }

  private static func append(shortened value: FieldValue, to line: inout [UInt8]) {
    guard case .bytes(let bytes) = value, bytes.count > runLimit else { return value.append(readable: &line) }
    line += (Hexadecimal.text(bytes.prefix(runLimit)) + " … (\(bytes.count) bytes)").utf8
  }
}
