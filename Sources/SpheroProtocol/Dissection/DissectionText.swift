// A dissected packet as a line of text, and field by field.

extension Dissection: CustomStringConvertible {
  /// One line: time, direction, name, sequence number, and the fields in their units.
  ///
  /// Like ` 0.000 > Motion.Roll        seq 7   speed=128 heading=90° state=drive`.
  public var description: String {
    let start = Self.pad(time.map { $0.text(digits: 3) } ?? "", to: 6, isRight: true)
    let number = sequence.map { "seq \($0)" } ?? ""
    let heading = Self.pad(title, to: 18) + " " + Self.pad(number, to: 7)
    var line = "\(start) \(sender.mark) \(heading) \(summary)"
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The name, the sequence number and the fields, without the time and the columns of ``description``.
  public var meaning: String {
    [title, sequence.map { "seq \($0)" } ?? "", summary].filter { !$0.isEmpty }.joined(separator: " ")
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

  private var summary: String {
    var words: [String] = []
    switch packet {
    case .command(let packet):
      if !packet.options.contains(.answer) { words.append("(no answer)") }
    case .response(let packet):
      words.append(packet.status.name)
    case .event:
      break
    case nil:
      words.append("\(bytes.count) byte\(bytes.count == 1 ? "" : "s"):")
      words.append(Hexadecimal.text(bytes.prefix(Self.widest)) + (bytes.count > Self.widest ? " …" : ""))
    }
    if samples.isEmpty {
      words += fields.map { $0.name + "=" + Self.shortened($0.value) }
    } else {
      let frames = samples.map { sample in
        sample.mask.fields.map { $0.name + "=" + Self.text($0, sample) }.joined(separator: " ")
      }
      words.append(frames.joined(separator: " | "))
    }
    if !remarks.isEmpty { words.append("(" + remarks.map { "\($0)" }.joined(separator: "; ") + ")") }
    return words.joined(separator: " ")
  }

  /// Longer runs of bytes are cut in a line; ``details`` shows them whole.
  private static let widest = 32

  static func shortened(_ value: FieldValue) -> String {
    guard case .bytes(let bytes) = value, bytes.count > widest else { return value.description }
    return Hexadecimal.text(bytes.prefix(widest)) + " … (\(bytes.count) bytes)"
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
