// The records of a capture, their queue, and the errors of their text.

public import SpheroProtocol

/// A line of a capture: bytes that one side sent, with their time.
///
/// Its text is `0.031000 < FF FF 00 07 01 F7`: seconds, `>` for host to robot or `<` for robot to host, bytes.
/// The time is optional. Empty lines and lines that begin with `#` are comments.
public struct CaptureLine: Hashable, Sendable {
  /// Time since the start of the capture, or nil if it was not recorded.
  public var time: Duration?
  public var sender: Sender
  /// Any number of bytes; packets may span lines.
  public var bytes: [UInt8]

  public init(time: Duration? = nil, from sender: Sender, bytes: [UInt8]) {
    (self.time, self.sender, self.bytes) = (time, sender, bytes)
  }
}

extension CaptureLine: CustomStringConvertible {
  /// The line as text; the time is rounded to microseconds.
  public var description: String {
    let start = time.map { $0.text(digits: 6) + " " } ?? ""
    return "\(start)\(sender.mark) \(Hexadecimal.text(bytes))"
  }
}

/// A record of a capture.
///
/// The enum is complete: new kinds of events are kinds of ``CaptureMark``.
public enum CaptureRecord: Hashable, Sendable {
  case line(CaptureLine)
  /// Metadata of a recording; a second header begins another recording.
  case header(CaptureHeader)
  /// An event of the recording or of the connection.
  case mark(CaptureMark)

  /// The line, or nil for a header or a mark.
  public var line: CaptureLine? { if case .line(let line) = self { line } else { nil } }

  fileprivate var time: Duration? {
    switch self {
    case .line(let line): line.time
    case .header: nil
    case .mark(let mark): mark.time
    }
  }
}

extension CaptureRecord: CustomStringConvertible {
  /// The record as a line of text without a line break.
  public var description: String {
    switch self {
    case .line(let line): line.description
    case .header(let header): header.description
    case .mark(let mark): mark.description
    }
  }
}

/// Metadata of a recording.
///
/// Programs that do not know headers read them as comments:
/// `#: capture start=2026-11-21T13:36:46.250000Z program="sphero" version="0.1.0" port="/dev/rfcomm0"`.
public struct CaptureHeader: Hashable, Sendable {
  /// The start of the recording, which is time 0 of its lines.
  public var start: WallTime?
  public var program: String?
  public var version: String?
  /// The port as specified to the recording program.
  public var port: String?
  /// The kind of the link, such as `bluetooth` or `lowEnergy`: the name of a `Port.Kind`.
  public var link: String?
  /// The stream that was active at the start, or nil if there was none or it is unknown.
  public var stream: StreamFormat?

  public init(
    start: WallTime? = nil, program: String? = nil, version: String? = nil, port: String? = nil,
    link: String? = nil, stream: StreamFormat? = nil
  ) {
    (self.start, self.program, self.version, self.port) = (start, program, version, port)
    (self.link, self.stream) = (link, stream)
  }
}

/// An event of a recording or of its connection.
///
/// Programs that do not know marks read them as comments: `#: 12.031000 incomplete lines=37 reason="..."`.
public struct CaptureMark: Hashable, Sendable {
  /// The kind of an event; later versions may add more.
  public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The keyword in the text.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The connection delivered nothing for a while, or was lost.
    public static let gap = Kind(rawValue: "gap")
    /// A new connection to the same robot begins.
    public static let reconnection = Kind(rawValue: "reconnection")
    /// Lines are missing because they could not be written.
    public static let incomplete = Kind(rawValue: "incomplete")
    /// The bytes that were sent last may not have been transmitted.
    public static let unsent = Kind(rawValue: "unsent")
    /// A step of a program, such as a survey, begins or ends.
    public static let step = Kind(rawValue: "step")
    /// The program subtracts the offsets of a calibration from the samples, or has measured these offsets.
    public static let calibration = Kind(rawValue: "calibration")
    /// The kinds that this version reads; all others are comments.
    public static let known: [Kind] = [.gap, .reconnection, .incomplete, .unsent, .step, .calibration]
  }

  /// Time since the start of the recording, or nil if it was not recorded.
  public var time: Duration?
  public var kind: Kind
  public var duration: Duration?
  /// The number of missing lines, of ``Kind/incomplete``.
  public var lines: Int?
  /// The reason, as text for people.
  public var reason: String?
  /// The name of the step, of ``Kind/step``.
  public var name: String?
  /// The outcome of a step that ends, of ``Kind/step``; nil at its beginning.
  public var outcome: String?
  /// The stored text of the offsets, of ``Kind/calibration``.
  public var offsets: String?

  public init(
    _ kind: Kind, time: Duration? = nil, duration: Duration? = nil, lines: Int? = nil, reason: String? = nil,
    name: String? = nil, outcome: String? = nil, offsets: String? = nil
  ) {
    (self.kind, self.time, self.duration) = (kind, time, duration)
    (self.lines, self.reason) = (lines, reason)
    (self.name, self.outcome, self.offsets) = (name, outcome, offsets)
  }
}

// MARK: - Stored form

// Embedded Swift has no coders.
#if !hasFeature(Embedded)
  extension CaptureRecord: Codable {
    /// Decodes the text of one record; text with none or several is rejected.
    public init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      var records: [CaptureRecord] = []
      do throws(CaptureError) {
        records = try CaptureReader.records(in: text.utf8, format: .capture)
      } catch { throw decoder.refusal("\(error)") }
      guard let record = records.first, records.count == 1 else {
        throw decoder.refusal("one line, header or mark of a capture is due, not \(records.count)")
      }
      self = record
    }

    /// Encodes the text of the record, with its time rounded to microseconds.
    ///
    /// - Throws: `EncodingError` if the text cannot be read back, for example because of a negative time.
    public func encode(to encoder: any Encoder) throws {
      let records = try? CaptureReader.records(in: description.utf8, format: .capture)
      guard records?.count == 1, records?.first?.description == description else {
        throw EncodingError.invalidValue(
          self,
          .init(codingPath: encoder.codingPath, debugDescription: "no line of the capture format says this"))
      }
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }

  extension CaptureLine: Codable {
    /// Decodes a line of the capture format, such as `"0.031000 < FF FF 00 07 01 F7"`.
    public init(from decoder: any Decoder) throws {
      guard case .line(let line) = try CaptureRecord(from: decoder) else {
        throw decoder.refusal("one line of a capture is due, not a header or a mark")
      }
      self = line
    }

    /// Encodes the text of the line as ``CaptureRecord/encode(to:)`` does.
    public func encode(to encoder: any Encoder) throws { try CaptureRecord.line(self).encode(to: encoder) }
  }
#endif

/// An error in the text of a capture; lines and columns count from 1, columns in bytes.
@nonexhaustive public enum CaptureError: Error, Hashable, Sendable {
  /// The text is `seen` instead of `expected`; both are descriptions.
  case unexpected(_ seen: String, expected: String, line: Int, column: Int)
  case oddDigits(_ digits: String, line: Int, column: Int)
  /// A row of a dump begins at the offset `seen`, but `expected` follows the previous row.
  case wrongOffset(_ seen: Int, expected: Int, line: Int, column: Int)
  /// The rows `*` of a dump stand for more than ``CaptureReader/maximumLineLength`` bytes in total.
  case abbreviatedTooMuch(line: Int, column: Int)
  case lineTooLong(line: Int)
}

extension CaptureError: CustomStringConvertible {
  /// The location and the error, without a full stop.
  public var description: String {
    let (line, column, message) = parts
    return "line \(line), column \(column): \(message)"
  }

  public var line: Int { parts.line }

  public var column: Int { parts.column }

  private var parts: (line: Int, column: Int, message: String) {
    switch self {
    case .unexpected(let seen, let expected, let line, let column):
      (line, column, "expected \(expected), saw \(seen)")
    case .oddDigits(let digits, let line, let column):
      (line, column, "'\(digits)' has an odd number of hexadecimal digits")
    case .wrongOffset(let seen, let due, let line, let column):
      (line, column, "the row begins at \(String(seen, radix: 16)), but \(String(due, radix: 16)) is due")
    case .abbreviatedTooMuch(let line, let column):
      (
        line, column,
        "the rows '*' stand for more than \(CaptureReader.maximumLineLength) bytes: dump all rows, with -v"
      )
    case .lineTooLong(let line):
      (
        line, CaptureReader.maximumLineLength + 1,
        "the line is longer than \(CaptureReader.maximumLineLength) bytes"
      )
    }
  }
}

/// Records that wait for a slow writer; when the queue is full, one mark replaces the new ones and counts them.
package struct CaptureQueue: Sendable {
  /// An estimate of the memory of a record besides its bytes, in bytes.
  private static let overhead = 64
  /// The reason in the mark that replaces records.
  package static let reason = "they were written down too slowly"

  private let capacity: Int
  private var records = Queue<CaptureRecord>()
  private var size = 0
  /// The number of records that marks have replaced.
  package private(set) var droppedCount = 0

  /// Makes an empty queue; `capacity` is in bytes.
  package init(capacity: Int) { self.capacity = capacity }

  package var count: Int { records.count }

  package mutating func append(_ record: CaptureRecord) {
    let cost = Self.cost(of: record)
    guard size + cost > capacity else {
      records.append(record)
      size += cost
      return
    }
    droppedCount += 1
    if case .mark(var mark) = records.last, mark.reason == Self.reason {
      mark.lines = (mark.lines ?? 0) + 1
      records.replaceLast(with: .mark(mark))
    } else {
      let mark = CaptureMark(.incomplete, time: record.time, lines: 1, reason: Self.reason)
      records.append(.mark(mark))
      size += Self.cost(of: .mark(mark))
    }
  }

  package mutating func next() -> CaptureRecord? {
    guard let record = records.popFirst() else { return nil }
    size -= Self.cost(of: record)
    return record
  }

  private static func cost(of record: CaptureRecord) -> Int { overhead + (record.line?.bytes.count ?? 0) }
}
