// sphero decode: the packets, fields and samples of recorded bytes.

import SpheroMotion
import SpheroProcess
import SpheroProtocol
import SpheroRecording

struct Decode: Subcommand {
  static let name = "decode"
  static let abstract = "Decodes a recording to packets or samples."
  static let group = SubcommandGroup.look
  static let otherNames = ["parse", "dissect"]
  static let examples = [
    "sphero decode run.capture", "sphero decode -v dump.hex --from host",
    "echo FF FF 00 52 01 AC | sphero decode --format json",
    "sphero decode stream.bin --mask accel,imu --strict",
    "sphero decode --samples run.capture --format csv", "sphero decode --samples run.capture --events",
    "sphero decode --samples stream.bin --mask accel,imu --divisor 4 --low-pass 5",
  ]

  var file: String?
  var sender = Sender.robot
  var input: CaptureFormat?
  var printsSamples = false
  var fields: StreamFields?
  var frames: Int?
  var rate = StreamRate(divisor: nil)
  var bounds = StreamBounds()
  var times: [SampleTime] = []
  var format = Format.text
  var isDetailed = false
  var isStrict = false
  var acceptsMalformedLines = false
  var isQuiet = false
  var printing = SampleOptions()
  var events = EventOptions()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file, "A capture, hexadecimal text, a dump or raw bytes; - or nothing is stdin.")
    try line.option("from", nil, &sender, "Who sent the bytes, where the recording does not say.")
    try line.option("input", nil, &input, "The form of the recording; detected by default.")
    try line.flag(
      "samples", nil, &printsSamples,
      "Print the sensor samples as 'sphero stream' prints them: the same columns, units and times.")
    try line.option(
      "mask", "m", &fields,
      "The fields of a stream whose request is not in the recording; with '--samples', the columns.")
    try line.option(
      "frames", nil, &frames, as: .range(1...65_535),
      "The samples in each packet of such a stream; by default, 1.")
    try rate.options(
      &line,
      "Such a stream has a sample every divisor/400 s; by default, the recorded times determine it, else 20.")
    try bounds.options(&line)
    try line.option("format", "f", &format, "How to print.")
    try times.options(&line)
    try line.flag("verbose", "v", &isDetailed, "Print field by field, with the place of each in the payload.")
    try line.flag(
      "strict", nil, &isStrict,
      "End with 65 where bytes belong to no packet, lines are missing, or times decrease.")
    try line.flag("quiet", "q", &isQuiet, "Print no remarks on stderr.")
    try printing.options(&line)
    try events.options(&line)
  }

  func validate() throws(UsageError) {
    if printsSamples {
      if isDetailed { throw UsageError("'--verbose' prints packets; leave out '--samples'") }
      try events.validate(format)
      return try printing.validate(fields, divisor: rate.statedDivisor)
    }
    if fields?.hasMotion == true { throw UsageError("'motion' is made of samples: add '--samples'") }
    let given = [
      ("--count", bounds.count != nil), ("--for", bounds.time != nil),
      ("--times", !times.isEmpty), ("--events", events.isOn),
    ]
    if let option = printing.givenOptions.first ?? rate.givenOption ?? given.first(where: { $0.1 })?.0 {
      throw UsageError("'\(option)' is for samples: add '--samples'")
    }
    try events.validate(format)
  }

  func run(_ terminal: Terminal) async throws {
    var verb = self
    verb.printing = try await printing.loaded()
    let source = try InputStream.opened(file ?? "-")
    if file == nil, source.isTerminal {
      await terminal.note(
        "the recording is read from the terminal: name a file, or end the input with Ctrl-D", isQuiet: isQuiet
      )
    }
    if printsSamples {
      let printer = try await run(RecordedSamplePrinter(verb), of: source, terminal) {
        try await terminal.print($0)
      }
      if let failure = printer.failure { throw failure }
    } else {
      _ = try await run(DissectionPrinter(self), of: source, terminal) { try await terminal.print($0) }
    }
  }

  /// The number of bytes of output from which they are printed before the piece of input is decoded completely.
  private static let blockSize = 1 << 16

  /// Decodes a recording, of which `beginning` has already been read; passes whole lines to `output`.
  ///
  /// Returns the printer at the end of the recording; throws a ``Failure`` for malformed input.
  func run<Printer: RecordingPrinter>(
    _ start: Printer, of source: InputStream, beginning: [UInt8] = [], _ terminal: Terminal,
    to output: ([UInt8]) async throws -> Void
  ) async throws -> Printer {
    var printer = start
    var reader = CaptureReader(input, from: sender)
    reader.append(beginning)
    var bytes: [UInt8] = []
    var lines: [UInt8] = []
    var malformed = MalformedLines()
    var hasLines = false
    /// Appends lines up to a full block or a remark, and returns whether there may be more.
    ///
    /// It is synchronous, because a suspension takes longer than decoding a line.
    func fill() throws(UsageError) -> Bool {
      while printer.pendingRemarks.isEmpty, lines.count < Self.blockSize {
        if try printer.appendNext(to: &lines) { continue }
        // The bytes are not removed after each line, because emptying an array takes longer than filling it.
        if bytes.count > 4_096 { bytes.removeAll(keepingCapacity: true) }
        let start = bytes.count
        let item: CaptureReader.Item?
        do throws(CaptureError) { item = try reader.next(appendingTo: &bytes) } catch {
          malformed.add(error)
          continue
        }
        switch item {
        case nil: return false
        case .line(let time, let sender):
          hasLines = true
          let line = bytes[start...]
          printer.receive(line.span, from: sender, at: time)
        case .annotation(let record): printer.receive(record)
        }
      }
      return true
    }
    func printLines() async throws {
      var hasMore = true
      while hasMore {
        hasMore = try fill()
        // The lines before a remark precede it where stdout and stderr are one file.
        if lines.count >= Self.blockSize || !printer.pendingRemarks.isEmpty { try await flush() }
        for remark in printer.pendingRemarks { await terminal.note(remark, isQuiet: isQuiet) }
        printer.pendingRemarks = []
      }
    }
    func flush() async throws {
      if !lines.isEmpty { try await output(lines) }
      lines.removeAll(keepingCapacity: true)
    }
    while !printer.isOver, let bytes = try await source.nextBytes() {
      reader.append(bytes)
      try await printLines()
      try await flush()
    }
    if !printer.isOver {
      reader.finish()
      try await printLines()
    }
    printer.end()
    try await printLines()
    try printer.appendHeader(to: &lines)
    try await flush()
    for remark in printer.remarks { await terminal.note(remark, isQuiet: isQuiet) }
    for loss in printer.losses {
      if isStrict { throw Failure(.badData, loss, advice: "Leave out '--strict' to accept that.") }
      await terminal.note(loss, isQuiet: isQuiet)
    }
    if let failure = malformed.failure(of: source.path, isPlotted: acceptsMalformedLines) {
      guard acceptsMalformedLines, hasLines, !malformed.areOfTable else { throw failure }
      await terminal.note(failure.message, isQuiet: isQuiet)
    }
    return printer
  }
}

/// Converts the records of a file, which may contain several recordings, to lines of text.
protocol RecordingPrinter {
  mutating func receive(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?)
  /// Receives a header or a mark.
  mutating func receive(_ annotation: CaptureRecord)
  mutating func end()
  /// Appends the next complete line with its line break; returns whether there was one.
  mutating func appendNext(to lines: inout [UInt8]) throws(UsageError) -> Bool
  mutating func appendHeader(to lines: inout [UInt8]) throws(UsageError)
  /// Whether the last line has been appended before the end of the file.
  var isOver: Bool { get }
  /// The remarks on the lines so far, until they are printed.
  var pendingRemarks: [String] { get set }
  var remarks: [String] { get }
  /// The missing or invalid parts, which `--strict` treats as errors.
  var losses: [String] { get }
}

private struct MalformedLines {
  private var first: CaptureError?
  private var count = 0

  mutating func add(_ error: CaptureError) {
    first = first ?? error
    count += 1
  }

  /// Whether the file begins with words and commas, or with the time, like the header of a table.
  var areOfTable: Bool {
    guard case .unexpected(let seen, _, 1, 1) = first else { return false }
    // The rest of a header of a capture, whose first line is cut, also contains commas.
    return seen.hasPrefix("'time") || seen.contains(",") && !seen.contains("=") && !seen.contains("\"")
  }

  /// The failure that reports the first malformed line and the number of others; nil without one.
  func failure(of name: String, isPlotted: Bool) -> Failure? {
    guard let first else { return nil }
    let others =
      count == 1 ? "" : " (and \(count - 1) more line\(count == 2 ? ", which is" : "s, which are") skipped)"
    let advice =
      switch first {
      case .unexpected(let seen, _, 1, 1) where seen.contains("{\""):
        "This is JSON. 'sphero plot' draws captures, which '--capture' and 'sphero record' keep, and CSV of "
          + "'sphero stream'."
      // Compressed data, or text in UTF-16.
      case .unexpected(_, expected: "a recording", 1, 1):
        "Pipe the output of that command to 'sphero decode -'."
      case .oddDigits("0000000", 1, 1), .wrongOffset:
        "Make the dump with 'xxd', 'hexdump -C' or 'od -A x -t x1', and keep all of its rows."
      case .abbreviatedTooMuch: "'hexdump -Cv', 'od -v' and 'xxd' print all rows."
      case _ where areOfTable && isPlotted:
        "A table needs the column time_s, and commas between columns: print it with '--format csv'."
      case _ where areOfTable:
        "A table needs no decoding; 'sphero plot' draws it as CSV, if it has the column time_s."
      default: "See 'sphero decode --help' for the forms it reads."
      }
    return Failure(.badData, "\(name): \(first)\(others)", advice: advice)
  }
}

struct RecordingLosses {
  private(set) var discarded = 0
  private var badChecksums = 0
  private var isIncomplete = false
  private var latest: Duration?
  /// The number of lines whose time is earlier than that of the line before, and the first such pair.
  private var decreases = 0
  private var firstDecrease: (from: Duration, to: Duration)?

  mutating func add(_ time: Duration?) {
    guard let time else { return }
    if let latest, time < latest {
      decreases += 1
      firstDecrease = firstDecrease ?? (latest, time)
    }
    latest = time
  }

  mutating func add(_ statistics: PacketDecoder.Statistics) {
    discarded += statistics.discarded
    badChecksums += statistics.badChecksums
  }

  mutating func add(_ annotation: CaptureRecord) {
    switch annotation {
    case .header: latest = nil
    case .mark(let mark) where mark.kind == .incomplete: isIncomplete = true
    case .mark, .line: break
    }
  }

  var sentences: [String] {
    var sentences: [String] = []
    if isIncomplete {
      sentences.append("the capture is incomplete: its marks 'incomplete' count the missing lines")
    }
    if let firstDecrease {
      let places = decreases == 1 ? "" : " at \(decreases) places, first"
      sentences.append(
        "the times of the lines decrease\(places) from \(firstDecrease.from.text(digits: 6)) s "
          + "to \(firstDecrease.to.text(digits: 6)) s: lines are damaged, in a wrong order, or of another recording"
      )
    }
    if discarded > 0 {
      sentences.append(
        "\(discarded) byte\(discarded == 1 ? " belongs" : "s belong") to no packet, "
          + "with \(badChecksums) false or damaged packet\(badChecksums == 1 ? "" : "s") in them")
    }
    return sentences
  }
}

struct DissectionPrinter: RecordingPrinter {
  var pendingRemarks: [String] = []
  private let verb: Decode
  private var dissector: Dissector
  private var rows: RecordPrinter
  /// A header or a mark, which is printed after the items before it.
  private var annotation: CaptureRecord?
  /// The losses of the earlier recordings of the file, and the errors in the times of the current one.
  private var earlierLosses = RecordingLosses()

  static let columns = [
    Column("time", .seconds), Column("from"), Column("kind"), Column("name"), Column("sequence"),
    Column("meaning"), Column("offset"), Column("bytes"),
  ]

  init(_ verb: Decode) {
    self.verb = verb
    dissector = Dissector(mask: verb.fields?.mask ?? [], frames: verb.frames ?? 1)
    rows = RecordPrinter(.csv, kind: "", columns: Self.columns)
  }

  mutating func receive(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?) {
    earlierLosses.add(time)
    dissector.feed(bytes, from: sender, at: time)
  }

  mutating func receive(_ annotation: CaptureRecord) {
    self.annotation = annotation
    earlierLosses.add(annotation)
    // A packet does not continue on a new line.
    let isStart = if case .mark(let mark) = annotation { mark.kind == .reconnection } else { true }
    if isStart { dissector.end() }
  }

  mutating func end() { dissector.end() }

  mutating func appendNext(to lines: inout [UInt8]) -> Bool {
    if let item = dissector.next() {
      append(item, to: &lines)
    } else if let annotation {
      if case .header(let header) = annotation {
        earlierLosses = totalLosses
        dissector = Dissector(
          mask: verb.fields?.mask ?? header.stream?.mask ?? [],
          frames: verb.frames ?? header.stream?.frames.map { Int($0) } ?? 1)
      }
      append(annotation, to: &lines)
      self.annotation = nil
    } else {
      return false
    }
    lines.append(UInt8(ascii: "\n"))
    return true
  }

  mutating func append(_ item: Dissection, to lines: inout [UInt8]) {
    switch verb.format {
    case .text: if verb.isDetailed { lines += item.details.utf8 } else { item.append(line: &lines) }
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

  private mutating func append(_ annotation: CaptureRecord, to lines: inout [UInt8]) {
    let (time, kind, fields): (Duration?, String, [AnnotationField])
    switch annotation {
    case .line: return
    case .header(let header): (time, kind, fields) = (nil, "header", header.fields)
    case .mark(let mark): (time, kind, fields) = (mark.time, mark.kind.rawValue, mark.fields)
    }
    switch verb.format {
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

  mutating func appendHeader(to lines: inout [UInt8]) {
    if verb.format == .csv { lines += rows.headerLine() }
  }

  private var totalLosses: RecordingLosses {
    var total = earlierLosses
    for sender in Sender.allCases { total.add(dissector.statistics(of: sender)) }
    return total
  }

  var losses: [String] { totalLosses.sentences }
  var isOver: Bool { false }
  var remarks: [String] { [] }
}
