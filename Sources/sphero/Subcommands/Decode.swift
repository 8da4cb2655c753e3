// sphero decode: what recorded bytes mean.

import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroTransport

struct Decode: Subcommand {
  static let name = "decode"
  static let abstract = "Decodes a recording: names every packet and field, or prints its samples."
  static let group = VerbGroup.bytes
  static let otherNames = ["parse", "dissect"]
  static let examples = [
    "sphero decode run.capture", "sphero decode -v dump.hex --from host",
    "echo FF FF 00 52 01 AC | sphero decode --format json",
    "sphero decode stream.bin --mask accel,imu --strict",
    "sphero decode --samples run.capture --format csv",
    "sphero decode --samples stream.bin --mask accel,imu --divisor 4 --low-pass 5",
  ]

  var file: String?
  var sender = Sender.robot
  var input: CaptureFormat?
  var printsSamples = false
  var fields: StreamFields?
  var frames: Whole<PositiveWord>?
  var divisor: Whole<PositiveWord>?
  var bounds = StreamBounds()
  var clocks = StreamClocks()
  var format = Format.text
  var isDetailed = false
  var isStrict = false
  var isQuiet = false
  var printing = SampleOptions()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file, "A capture, hexadecimal text, a dump or raw bytes; - or nothing is stdin.")
    try line.option("from", nil, &sender, "Who sent the bytes, where the recording does not say.")
    try line.option("input", nil, &input, "The form of the recording; detected by default.")
    try line.flag(
      "samples", "s", &printsSamples,
      "Print the sensor samples as 'sphero stream' prints them: the same columns, units and times.")
    try line.option(
      "mask", "m", &fields,
      "The fields of a stream whose request is not in the recording; with '--samples', the columns.")
    try line.option("frames", nil, &frames, "The samples in each packet of such a stream.")
    try line.option(
      "divisor", "d", &divisor, "Such a stream has a sample every divisor/400 s; 20 by default.")
    try bounds.options(&line)
    try line.option("format", "f", &format, "How to print.")
    try clocks.options(&line)
    try line.flag("verbose", "v", &isDetailed, "Print field by field, with the place of each in the payload.")
    try line.flag("strict", nil, &isStrict, "End with 65 where bytes belong to no packet.")
    try line.flag("quiet", "q", &isQuiet, "Print no remarks on stderr.")
    try printing.options(&line)
  }

  func validate() throws(UsageError) {
    if printsSamples {
      if isDetailed { throw UsageError("'--verbose' prints packets; leave out '--samples'") }
      return try printing.validate(fields, divisor: divisor?.value)
    }
    if fields?.hasMotion == true { throw UsageError("'motion' is made of samples: add '--samples'") }
    let used = [
      ("--divisor", divisor != nil), ("--count", bounds.count != nil), ("--for", bounds.time != nil),
      ("--times", !clocks.clocks.isEmpty),
    ]
    if let option = printing.used ?? used.first(where: { $0.1 })?.0 {
      throw UsageError("'\(option)' is for samples: add '--samples'")
    }
  }

  func run(_ terminal: Terminal) async throws {
    let source: InputFile
    do throws(LinkError) { source = try InputFile(file ?? "-") } catch {
      throw Failure(.noInput, error.message, advice: "Name a file that you may read, or - for stdin.")
    }
    if printsSamples {
      _ = try await run(RecordedSamplePrinter(self), of: source, terminal) { try await terminal.print($0) }
    } else {
      _ = try await run(PacketPrinter(self), of: source, terminal) { try await terminal.print($0) }
    }
  }

  /// Where so many bytes are complete, they are printed; at the end of each piece of the input all are.
  private static let blockCount = 1 << 16
  /// Beyond so many bytes, those that were taken go.
  private static let mostKept = 4096

  /// Takes a recording apart.
  ///
  /// - Parameters:
  ///   - start: What makes lines of it.
  ///   - source: The rest of the recording.
  ///   - beginning: What has been read of it already.
  ///   - terminal: Where remarks go.
  ///   - output: Where whole lines go.
  /// - Returns: `start` after the whole recording.
  /// - Throws: ``Failure`` for what makes no sense; what `output` throws.
  func run<Printer: RecordingPrinter>(
    _ start: Printer, of source: InputFile, beginning: [UInt8] = [], _ terminal: Terminal,
    to output: ([UInt8]) async throws -> Void
  ) async throws -> Printer {
    var printer = start
    var reader = CaptureReader(input, from: sender)
    reader.append(beginning)
    var bytes: [UInt8] = []
    var lines: [UInt8] = []
    var malformed: CaptureError?
    var isAtEnd = false
    var remark: String?
    /// Makes lines of what has been read, up to a full block or a remark, without a suspension between them.
    ///
    /// - Returns: Whether there may be more.
    func fill() throws(UsageError) -> Bool {
      while true {
        while try printer.appendNext(to: &lines) {
          remark = printer.takeRemark()
          if remark != nil || lines.count >= Self.blockCount { return true }
        }
        // Not each time: emptying an array takes longer than filling it with a line.
        if bytes.count > Self.mostKept { bytes.removeAll(keepingCapacity: true) }
        let place = bytes.count
        guard let item = reader.next(appendingTo: &bytes, keeping: &malformed) else { return false }
        switch item {
        case .line(let time, let sender):
          let piece = bytes[place...]
          printer.take(piece.span, from: sender, at: time)
        case .annotation(let record): printer.take(record)
        }
      }
    }
    func printLines() async throws {
      while try fill() {
        if lines.count >= Self.blockCount { try await flush() }
        while let text = remark {
          await terminal.note(text, isQuiet: isQuiet)
          remark = printer.takeRemark()
        }
      }
    }
    func flush() async throws {
      if !lines.isEmpty { try await output(lines) }
      lines.removeAll(keepingCapacity: true)
    }
    while !isAtEnd {
      try Task.checkCancellation()
      do {
        if let bytes = try await source.read() { reader.append(bytes) } else { isAtEnd = true }
      } catch let error as LinkError {
        throw Failure(.noInput, error.message, advice: "Check that the file can be read.")
      }
      if isAtEnd { reader.finish() }
      try await printLines()
      if printer.isOver { isAtEnd = true }
      if isAtEnd {
        printer.end()
        try await printLines()
        try printer.appendHeader(to: &lines)
      }
      try await flush()
    }
    if let malformed {
      throw Failure(
        .badData, "\(file ?? "stdin"): \(malformed)",
        advice: "See 'sphero decode --help' for the forms it reads.")
    }
    for remark in printer.remarks { await terminal.note(remark, isQuiet: isQuiet) }
    for loss in printer.losses {
      if isStrict { throw Failure(.badData, loss, advice: "Leave out '--strict' to accept that.") }
      await terminal.note(loss, isQuiet: isQuiet)
    }
    return printer
  }
}

/// What becomes of the records of a file, which may hold several recordings: lines of text.
protocol RecordingPrinter {
  /// Takes the bytes of a line.
  mutating func take(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?)
  /// Takes a header or a mark.
  mutating func take(_ annotation: CaptureRecord)
  /// Ends the last recording.
  mutating func end()
  /// Appends the next line that is complete, with its end.
  ///
  /// - Returns: Whether there was one.
  mutating func appendNext(to lines: inout [UInt8]) throws(UsageError) -> Bool
  /// Appends the header of a table that has no row, where there are columns.
  mutating func appendHeader(to lines: inout [UInt8]) throws(UsageError)
  /// Whether no more lines are wanted.
  var isOver: Bool { get }
  /// Takes what a person should hear now.
  mutating func takeRemark() -> String?
  /// What a person should hear at the end.
  var remarks: [String] { get }
  /// Sentences about what is missing or makes no sense.
  var losses: [String] { get }
}

/// What the decoders of a file have seen, all recordings taken together.
struct RecordingLosses {
  /// The bytes that belong to no packet.
  private(set) var discarded = 0
  private var wrong = 0
  private var isIncomplete = false

  mutating func note(_ statistics: PacketDecoder.Statistics) {
    discarded += statistics.discarded
    wrong += statistics.badChecksums
  }

  mutating func note(_ annotation: CaptureRecord) {
    if case .mark(let mark) = annotation, mark.kind == .incomplete { isIncomplete = true }
  }

  /// Sentences about what is missing or makes no sense.
  var sentences: [String] {
    var sentences: [String] = []
    if isIncomplete { sentences.append("the capture is incomplete: see where it says so") }
    if discarded > 0 {
      sentences.append(
        "\(discarded) byte\(discarded == 1 ? " belongs" : "s belong") to no packet, "
          + "\(wrong) checksum\(wrong == 1 ? "" : "s") wrong")
    }
    return sentences
  }
}

extension CaptureReader {
  /// The next record that can be read; the first error is kept, reported at the end.
  mutating func next(keeping malformed: inout CaptureError?) -> CaptureRecord? {
    while true {
      do throws(CaptureError) { return try next() } catch { malformed = malformed ?? error }
    }
  }

  /// The next record that can be read; the bytes of a line are appended to `bytes`.
  fileprivate mutating func next(
    appendingTo bytes: inout [UInt8], keeping malformed: inout CaptureError?
  ) -> Item? {
    while true {
      do throws(CaptureError) { return try next(appendingTo: &bytes) } catch {
        malformed = malformed ?? error
      }
    }
  }
}

/// Names the packets of a file.
private struct PacketPrinter: RecordingPrinter {
  private let mask: SensorMask?
  private let frames: Int?
  private var dissector: Dissector
  private var printer: DissectionPrinter
  /// A header or a mark, after the items that were complete before it.
  private var annotation: CaptureRecord?
  private var lost = RecordingLosses()

  init(_ verb: Decode) {
    (mask, frames) = (verb.fields?.mask, verb.frames?.value)
    dissector = Dissector(mask: mask ?? [], frames: frames)
    printer = DissectionPrinter(format: verb.format, isDetailed: verb.isDetailed)
  }

  mutating func take(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?) {
    dissector.feed(bytes, from: sender, at: time)
  }

  mutating func take(_ annotation: CaptureRecord) {
    self.annotation = annotation
    lost.note(annotation)
    switch annotation {
    case .header: dissector.end()
    // What the old line began, the new one does not go on with.
    case .mark(let mark) where mark.kind == .reconnection: dissector.end()
    case .line, .mark: break
    }
  }

  mutating func end() { dissector.end() }

  mutating func appendNext(to lines: inout [UInt8]) -> Bool {
    if let item = dissector.next() {
      printer.append(item, to: &lines)
    } else if let annotation {
      if case .header(let header) = annotation {
        // Another recording begins, of another conversation.
        for sender in Sender.allCases { lost.note(dissector.statistics(of: sender)) }
        dissector = Dissector(
          mask: mask ?? header.stream?.mask ?? [], frames: frames ?? header.stream?.frames.map { Int($0) })
      }
      printer.append(annotation, to: &lines)
      self.annotation = nil
    } else {
      return false
    }
    lines.append(UInt8(ascii: "\n"))
    return true
  }

  mutating func appendHeader(to lines: inout [UInt8]) { lines += printer.headerLine() }

  var isOver: Bool { false }
  mutating func takeRemark() -> String? { nil }
  var remarks: [String] { [] }

  var losses: [String] {
    var all = lost
    for sender in Sender.allCases { all.note(dissector.statistics(of: sender)) }
    return all.sentences
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
    var line: [UInt8] = []
    append(item, to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  /// The header of a table as a line of its own; empty where there is none, or where it has been printed.
  mutating func headerLine() -> [UInt8] { format == .csv ? rows.headerLine() : [] }

  /// Appends an item.
  mutating func append(_ item: Dissection, to lines: inout [UInt8]) {
    switch format {
    case .text: if isDetailed { lines += item.details.utf8 } else { item.append(line: &lines) }
    case .json: item.append(json: &lines)
    case .csv:
      rows.append(to: &lines) { row in
        row.add(.seconds(item.time))
        row.add(.text(item.sender.rawValue))
        row.add(.text(item.kind.rawValue))
        row.add(.text(item.name))
        row.add(item.sequence.map { .count($0) } ?? .missing)
        row.add(text: { item.append(meaning: &$0) })
        row.add(.count(item.offset))
        row.add(.bytes(item.bytes))
      }
    }
  }

  /// Appends a header or a mark; nothing of a line, whose packets are printed when they are complete.
  mutating func append(_ annotation: CaptureRecord, to lines: inout [UInt8]) {
    let (time, kind, fields): (Duration?, String, [AnnotationField])
    switch annotation {
    case .line: return
    case .header(let header): (time, kind, fields) = (nil, "header", header.fields)
    case .mark(let mark): (time, kind, fields) = (mark.time, mark.kind.rawValue, mark.fields)
    }
    switch format {
    case .text: lines += "\(annotation)".utf8
    case .json:
      let start = [Field("kind", .text(kind)), Field("time", .seconds, .seconds(time))]
      JSON.append(start + fields.map { Field($0.key, $0.value) }, to: &lines)
    case .csv:
      let values: [FieldValue] = [
        .seconds(time), .missing, .text(kind), .missing, .missing,
        .text(fields.map(\.description).joined(separator: " ")), .missing, .missing,
      ]
      rows.append(values, to: &lines)
    }
  }
}
