// The text of headers and marks: `#:`, a time, a keyword and `key=value` pairs.

package import SpheroProtocol

/// A `key=value` pair of a header or mark, such as `lines=37` or `reason="the disk is full"`.
package struct AnnotationField: Hashable, Sendable, CustomStringConvertible {
  package let key: String
  package let value: FieldValue
  /// The value in the capture; free text is in quotation marks.
  let text: String

  init(_ key: String, _ text: String, value: FieldValue? = nil) {
    (self.key, self.text, self.value) = (key, text, value ?? .text(text))
  }

  init(_ key: String, quoted text: String) { self.init(key, Self.quoted(text), value: .text(text)) }

  package var description: String { "\(key)=\(text)" }

  /// Text in quotation marks; `"`, `\` and control characters are written as `\"`, `\\` and `\x0A`.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1F}", "\u{7F}": quoted += "\\x" + Hexadecimal.text([UInt8(scalar.value)])
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

private func annotation(_ keywords: [String], _ fields: [AnnotationField]) -> String {
  (["#:"] + keywords + fields.map { $0.description }).joined(separator: " ")
}

extension CaptureHeader: CustomStringConvertible {
  fileprivate static let keyword = "capture"

  package var fields: [AnnotationField] {
    let fields = [
      start.map { AnnotationField("start", $0.description) },
      program.map { AnnotationField("program", quoted: $0) },
      version.map { AnnotationField("version", quoted: $0) },
      port.map { AnnotationField("port", quoted: $0) },
      link.map { AnnotationField("link", quoted: $0) },
      stream.map {
        AnnotationField("mask", "0x\(Hexadecimal.text($0.mask.mask)):0x\(Hexadecimal.text($0.mask.mask2))")
      },
      stream?.divisor.map { AnnotationField("divisor", "\($0)", value: .count($0)) },
      stream?.frames.map { AnnotationField("frames", "\($0)", value: .count($0)) },
    ]
    return fields.compactMap { $0 }
  }

  fileprivate init(_ values: [String: String]) {
    self.init(
      start: values["start"].flatMap { WallTime($0) }, program: values["program"],
      version: values["version"], port: values["port"], link: values["link"])
    func positive(_ key: String) -> UInt16? {
      values[key].flatMap { UInt16($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    if let mask = values["mask"].flatMap({ SensorMask(annotation: $0) }), mask.wordCount > 0 {
      stream = StreamFormat(mask: mask, divisor: positive("divisor"), frames: positive("frames"))
    }
  }

  /// The header as a line of a capture.
  public var description: String { annotation([Self.keyword], fields) }
}

extension CaptureMark: CustomStringConvertible {
  package var fields: [AnnotationField] {
    let fields = [
      duration.map { AnnotationField("duration", $0.text(), value: .seconds($0)) },
      lines.map { AnnotationField("lines", "\($0)", value: .count($0)) },
      reason.map { AnnotationField("reason", quoted: $0) }, name.map { AnnotationField("name", quoted: $0) },
      outcome.map { AnnotationField("outcome", quoted: $0) },
      offsets.map { AnnotationField("offsets", quoted: $0) },
    ]
    return fields.compactMap { $0 }
  }

  fileprivate init(_ kind: Kind, time: Duration?, _ values: [String: String]) {
    self.init(
      kind, time: time, duration: values["duration"].flatMap { LineScanner.time($0) },
      lines: values["lines"].flatMap { UInt32($0) }.flatMap { Int(exactly: $0) }, reason: values["reason"],
      name: values["name"], outcome: values["outcome"], offsets: values["offsets"])
  }

  /// The mark as a line of a capture; the time is rounded to microseconds.
  public var description: String {
    annotation((time.map { [$0.text(digits: 6)] } ?? []) + [kind.rawValue], fields)
  }
}

// MARK: - Reading

extension SensorMask {
  /// Reserved bits are kept, because a robot that is asked for them sends values.
  fileprivate init?(annotation: String) {
    let halves = annotation.split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy({ $0.hasPrefix("0x") }),
      let mask: UInt32 = Hexadecimal.number(halves[0].dropFirst(2)),
      let mask2: UInt32 = Hexadecimal.number(halves[1].dropFirst(2))
    else { return nil }
    self.init(mask: mask, mask2: mask2)
  }
}

extension LineScanner {
  /// The longest value in bytes; longer ones are ignored.
  private static let longestValue = 4_096
  private static let maximumValues = 32

  /// Reads `#: 12.031 incomplete lines=37 reason="..."`; nil for comments and other or malformed annotations.
  mutating func annotation() -> CaptureRecord? {
    skipBlanks()
    guard skip("#"), skip(":") else { return nil }
    skipBlanks()
    let time: Duration?
    do throws(CaptureError) { time = try optionalTime() } catch { return nil }
    skipBlanks()
    guard let keyword = annotationWord() else { return nil }
    var values: [String: String] = [:]
    for _ in 0..<Self.maximumValues {
      skipBlanks()
      guard let key = annotationWord(), skip("=") else { break }
      if let value = annotationValue() { values[key] = values[key] ?? value }
    }
    if keyword == CaptureHeader.keyword { return .header(CaptureHeader(values)) }
    let kind = CaptureMark.Kind.known.first { $0.rawValue == keyword }
    return kind.map { .mark(CaptureMark($0, time: time, values)) }
  }

  /// Letters, digits, `-` and `_`, at most 32 of them.
  private mutating func annotationWord() -> String? {
    let word = text[position...].prefix(32).prefix { byte in
      byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    position = word.endIndex
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
  }

  /// A value in quotation marks, or up to the next blank; nil if it is too long or unterminated.
  private mutating func annotationValue() -> String? {
    var value: [UInt8] = []
    let isQuoted = skip("\"")
    while let byte = peek, isQuoted ? byte != UInt8(ascii: "\"") : !Self.isBlank(byte) {
      position += 1
      if isQuoted, byte == UInt8(ascii: "\\"), let escaped = peek {
        position += 1
        let code = escaped == UInt8(ascii: "x") ? Self.hexadecimalByte(text[position...].prefix(2)) : nil
        if code != nil { position += 2 }
        value.append(code ?? escaped)
      } else {
        value.append(byte)
      }
    }
    if isQuoted, !skip("\"") { return nil }
    return value.count <= Self.longestValue ? String(decoding: value, as: UTF8.self) : nil
  }

}
