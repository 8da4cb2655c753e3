// sphero decode: what recorded bytes mean.

import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroTransport

struct Decode: Subcommand {
  static let name = "decode"
  static let abstract = "Takes a recording apart: names every packet and field."
  static let examples = [
    "sphero decode run.capture", "sphero decode -v dump.hex --from host",
    "echo FF FF 00 52 01 AC | sphero decode --format json",
    "sphero decode stream.bin --mask accel,imu --strict",
  ]

  var file: String?
  var sender = Sender.robot
  var input: CaptureFormat?
  var mask: SensorMask?
  var frames: Whole<PositiveWord>?
  var format = Format.text
  var isDetailed = false
  var isStrict = false
  var isQuiet = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "file", &file, "A capture, hexadecimal text, a dump or raw bytes; - or nothing is stdin.")
    try line.option("from", nil, &sender, "Who sent the bytes, where the recording does not say.")
    try line.option("input", nil, &input, "The form of the recording; found out by itself.")
    try line.option("mask", "m", &mask, "The fields of a stream whose request is not in the recording.")
    try line.option("frames", nil, &frames, "The samples in each packet of such a stream.")
    try line.option("format", "f", &format, "How to print.")
    try line.flag("verbose", "v", &isDetailed, "Print field by field, with the place of each in the payload.")
    try line.flag("strict", nil, &isStrict, "End with 65 where bytes belong to no packet.")
    try line.flag("quiet", "q", &isQuiet, "Leave out remarks on stderr.")
  }

  func run(_ terminal: Terminal) async throws {
    let source: InputFile
    do throws(LinkError) { source = try InputFile(file ?? "-") } catch {
      throw Failure(.noInput, error.message, advice: "Name a file that you may read, or - for stdin.")
    }
    var reader = CaptureReader(input, from: sender)
    var dissection = RecordDissection(mask: mask, frames: frames.map { UInt16(clamping: $0.value) })
    var printer = DissectionPrinter(format: format, isDetailed: isDetailed)
    var malformed: CaptureError?
    var isAtEnd = false
    while !isAtEnd {
      try Task.checkCancellation()
      do {
        if let bytes = try await source.read() { reader.append(bytes) } else { isAtEnd = true }
      } catch let error as LinkError {
        throw Failure(.noInput, error.message, advice: "Check that the file can be read.")
      }
      if isAtEnd { reader.finish() }
      while let record = reader.next(keeping: &malformed) {
        for item in dissection.append(record) { try await print(printer.text(item), terminal) }
        try await print(printer.text(annotation: record), terminal)
      }
    }
    for item in dissection.finish() { try await print(printer.text(item), terminal) }
    if let malformed {
      throw Failure(
        .badData, "\(file ?? "stdin"): \(malformed)",
        advice: "See 'sphero decode --help' for the forms it reads.")
    }
    for loss in dissection.losses {
      if isStrict { throw Failure(.badData, loss, advice: "Leave out '--strict' to accept that.") }
      await terminal.note(loss, isQuiet: isQuiet)
    }
  }

  private func print(_ text: String?, _ terminal: Terminal) async throws {
    if let text { try await terminal.print(text) }
  }
}

extension CaptureReader {
  /// The next record that can be read; the first error is kept, to be told in the end.
  mutating func next(keeping malformed: inout CaptureError?) -> CaptureRecord? {
    while true {
      do throws(CaptureError) { return try next() } catch { malformed = malformed ?? error }
    }
  }
}

/// The dissection of a file that may hold several recordings.
private struct RecordDissection {
  private let mask: SensorMask?
  private let frames: UInt16?
  private var dissector: Dissector
  private var discarded = 0
  private var wrong = 0
  private var isIncomplete = false

  /// Takes the layout of a stream that no header tells of.
  init(mask: SensorMask?, frames: UInt16?) {
    (self.mask, self.frames) = (mask, frames)
    dissector = Dissector(mask: mask ?? [], frames: frames.map { Int($0) })
  }

  mutating func append(_ record: CaptureRecord) -> [Dissection] {
    switch record {
    case .line(let line): return dissector.append(line.bytes, from: line.sender, at: line.time)
    case .mark(let mark):
      if mark.kind == .incomplete { isIncomplete = true }
      return []
    case .header(let header):
      // Another recording begins, of another conversation.
      let items = finish()
      dissector = Dissector(
        mask: mask ?? header.stream?.mask ?? [], frames: (frames ?? header.stream?.frames).map { Int($0) })
      return items
    }
  }

  mutating func finish() -> [Dissection] {
    let items = dissector.finish()
    for sender in Sender.allCases {
      let statistics = dissector.statistics(of: sender)
      discarded += statistics.discarded
      wrong += statistics.badChecksums
    }
    return items
  }

  /// Sentences about what is missing or makes no sense.
  var losses: [String] {
    var losses: [String] = []
    if isIncomplete { losses.append("the capture is incomplete: see where it says so") }
    if discarded > 0 {
      losses.append(
        "\(discarded) byte\(discarded == 1 ? " belongs" : "s belong") to no packet, "
          + "\(wrong) checksum\(wrong == 1 ? "" : "s") wrong")
    }
    return losses
  }
}

/// Dissected packets in each format.
struct DissectionPrinter {
  private let format: Format
  private let isDetailed: Bool
  private var rows: RecordPrinter

  /// The columns of a table, in which the meaning is one text.
  static let columns = [
    Column("time", .seconds), Column("from"), Column("kind"), Column("name"), Column("sequence"),
    Column("meaning"), Column("offset"), Column("bytes"),
  ]

  init(format: Format, isDetailed: Bool) {
    (self.format, self.isDetailed) = (format, isDetailed)
    rows = RecordPrinter(.csv, kind: "", columns: Self.columns)
  }

  mutating func text(_ item: Dissection) -> String {
    switch format {
    case .text: isDetailed ? item.details : item.description
    case .json: item.json
    case .csv:
      rows.text([
        .seconds(item.time), .text(item.sender.rawValue), .text(item.kind.rawValue), .text(item.name),
        item.sequence.map { .count($0) } ?? .missing, .text(item.meaning), .count(item.offset),
        .bytes(item.bytes),
      ])
    }
  }

  /// A header or a mark; nil for a line, whose packets are printed when they are complete.
  mutating func text(annotation record: CaptureRecord) -> String? {
    let (time, kind, fields): (Duration?, String, [AnnotationField])
    switch record {
    case .line: return nil
    case .header(let header): (time, kind, fields) = (nil, "header", header.fields)
    case .mark(let mark): (time, kind, fields) = (mark.time, mark.kind.rawValue, mark.fields)
    }
    switch format {
    case .text: return "\(record)"
    case .json:
      return Sheet.text(
        [Field("time", .seconds, .seconds(time))] + fields.map { Field($0.key, $0.value) }, kind: kind, .json)
    case .csv:
      return rows.text([
        .seconds(time), .missing, .text(kind), .missing, .missing,
        .text(fields.map(\.description).joined(separator: " ")), .missing, .missing,
      ])
    }
  }
}
