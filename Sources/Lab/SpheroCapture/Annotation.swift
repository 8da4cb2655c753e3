// The text of headers and marks: `#:`, a time, a word, and values by key.

package import SpheroProtocol

/// A value after a key, like `lines=37` or `reason="the disk is full"`.
package struct AnnotationField: Hashable, Sendable, CustomStringConvertible {
  /// The key.
  package var key: String
  /// The value as text, without quotation marks.
  package var text: String
  /// Whether the value is text in quotation marks; otherwise it is a word or a number.
  package var isText: Bool
  /// The value for printers.
  package var value: FieldValue

  /// Key and value as a capture has them.
  package var description: String { "\(key)=" + (isText ? AnnotationText.quoted(text) : text) }
}

/// What can stand after a key.
protocol AnnotationValue {
  init?(annotation: String)
  var annotation: String { get }
  static var isText: Bool { get }
  var value: FieldValue { get }
}

extension AnnotationValue {
  static var isText: Bool { false }
  var value: FieldValue { .text(annotation) }
}

/// Visits the keys of a header or a mark: a writer collects the values, a reader fills them in.
protocol AnnotationVisitor {
  mutating func field<Value: AnnotationValue>(_ key: String, _ value: inout Value?)
}

/// A header or a mark, whose keys are said once.
protocol Annotation {
  mutating func layout(_ visitor: inout some AnnotationVisitor)
}

extension CaptureHeader: Annotation {
  /// The word that begins a recording.
  static let word = "capture"

  mutating func layout(_ visitor: inout some AnnotationVisitor) {
    visitor.field("start", &start)
    visitor.field("program", &program)
    visitor.field("version", &version)
    visitor.field("port", &port)
    var (mask, divisor, frames) = (stream?.mask, stream?.divisor, stream?.frames)
    visitor.field("mask", &mask)
    visitor.field("divisor", &divisor)
    visitor.field("frames", &frames)
    stream = mask.map { StreamFormat(mask: $0, divisor: divisor, frames: frames) }
  }
}

extension CaptureMark: Annotation {
  mutating func layout(_ visitor: inout some AnnotationVisitor) {
    visitor.field("duration", &duration)
    visitor.field("lines", &lines)
    visitor.field("reason", &reason)
    visitor.field("name", &name)
    visitor.field("outcome", &outcome)
  }
}

// MARK: - Writing

private struct AnnotationWriter: AnnotationVisitor {
  var fields: [AnnotationField] = []

  mutating func field<Value: AnnotationValue>(_ key: String, _ value: inout Value?) {
    guard let value else { return }
    fields.append(
      AnnotationField(key: key, text: value.annotation, isText: Value.isText, value: value.value))
  }
}

extension Annotation {
  /// The values that are there, in the order of their layout.
  fileprivate var writtenFields: [AnnotationField] {
    var copy = self
    var writer = AnnotationWriter()
    copy.layout(&writer)
    return writer.fields
  }

  fileprivate func text(_ words: [String]) -> String {
    (["#:"] + words + writtenFields.map { $0.description }).joined(separator: " ")
  }
}

extension CaptureHeader: CustomStringConvertible {
  /// The values that are there, by key.
  package var fields: [AnnotationField] { writtenFields }

  /// The header as a line of a capture.
  public var description: String { text([Self.word]) }
}

extension CaptureMark: CustomStringConvertible {
  /// The values that are there, by key, apart from the time.
  package var fields: [AnnotationField] { writtenFields }

  /// The mark as a line of a capture; the time is rounded to microseconds.
  public var description: String { text((time.map { [$0.text(digits: 6)] } ?? []) + [kind.rawValue]) }
}

/// Text in quotation marks, on one line whatever is in it.
package enum AnnotationText {
  /// The text in quotation marks; `"`, `\` and control characters are written as `\"`, `\\` and `\x0A`.
  package static func quoted(_ text: String) -> String {
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

// MARK: - Reading

private struct AnnotationReader: AnnotationVisitor {
  var values: [String: String]

  mutating func field<Value: AnnotationValue>(_ key: String, _ value: inout Value?) {
    value = values[key].flatMap { Value(annotation: $0) }
  }
}

extension CaptureRecord {
  /// Takes the parts of a header or mark; nil for a word of another version.
  init?(word: String, time: Duration?, values: [String: String]) {
    var reader = AnnotationReader(values: values)
    if word == CaptureHeader.word {
      var header = CaptureHeader()
      header.layout(&reader)
      self = .header(header)
    } else if let kind = CaptureMark.Kind.known.first(where: { $0.rawValue == word }) {
      var mark = CaptureMark(kind, time: time)
      mark.layout(&reader)
      self = .mark(mark)
    } else {
      return nil
    }
  }
}

extension String: AnnotationValue {
  init?(annotation: String) { self = annotation }
  var annotation: String { self }
  static var isText: Bool { true }
}

extension WallTime: AnnotationValue {
  init?(annotation: String) { self.init(annotation) }
  var annotation: String { description }
}

extension Duration: AnnotationValue {
  init?(annotation: String) {
    var scanner = LineScanner(Array(annotation.utf8)[...], line: 1)
    guard let time = try? scanner.optionalTime(), scanner.next == nil else { return nil }
    self = time
  }
  var annotation: String { text() }
  var value: FieldValue { .seconds(self) }
}

extension Int: AnnotationValue {
  init?(annotation: String) {
    guard let count = UInt32(annotation), let count = Int(exactly: count) else { return nil }
    self = count
  }
  var annotation: String { "\(self)" }
  var value: FieldValue { .count(self) }
}

extension UInt16: AnnotationValue {
  init?(annotation: String) { self.init(annotation) }
  var annotation: String { "\(self)" }
  var value: FieldValue { .count(self) }
}

extension SensorMask: AnnotationValue {
  /// Reserved bits are kept: a robot that was asked for them sends values.
  init?(annotation: String) {
    let halves = annotation.split(separator: ":", omittingEmptySubsequences: false).map { half in
      half.hasPrefix("0x") ? UInt32(half.dropFirst(2), radix: 16) : nil
    }
    guard halves.count == 2, let mask = halves[0], let mask2 = halves[1] else { return nil }
    self.init(mask: mask, mask2: mask2)
  }
  var annotation: String {
    [mask, mask2].map { mask in
      let digits = String(mask, radix: 16, uppercase: true)
      return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
    }.joined(separator: ":")
  }
}
