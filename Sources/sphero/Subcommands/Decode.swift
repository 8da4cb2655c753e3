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
      throw Failure(.noInput, error.description, advice: "Name a file that you may read, or - for stdin.")
    }
    var reader = CaptureReader(input, from: sender)
    var dissector = Dissector(mask: mask ?? [], frames: frames?.value)
    var printer = DissectionPrinter(format: format, isDetailed: isDetailed)
    var malformed: CaptureError?
    var isAtEnd = false
    while !isAtEnd {
      try Task.checkCancellation()
      do {
        if let bytes = try await source.read() { reader.append(bytes) } else { isAtEnd = true }
      } catch let error as LinkError {
        throw Failure(.noInput, error.description, advice: "Check that the file can be read.")
      }
      if isAtEnd { reader.finish() }
      while let line = nextLine(of: &reader, &malformed) {
        for item in dissector.append(line.bytes, from: line.sender, at: line.time) {
          try await print(printer.lines(item), terminal)
        }
      }
    }
    for item in dissector.finish() { try await print(printer.lines(item), terminal) }
    if let malformed {
      throw Failure(
        .badData, "\(file ?? "stdin"): \(malformed)",
        advice: "See 'sphero decode --help' for the forms it reads.")
    }
    try await judge(dissector, terminal)
  }

  /// The next line that can be read; the first error is kept, to be told in the end.
  private func nextLine(of reader: inout CaptureReader, _ malformed: inout CaptureError?) -> CaptureLine? {
    while true {
      do throws(CaptureError) { return try reader.next() } catch { malformed = malformed ?? error }
    }
  }

  private func print(_ lines: [String], _ terminal: Terminal) async throws {
    for line in lines { try await terminal.print(line) }
  }

  /// Tells of losses, which `--strict` does not forgive.
  private func judge(_ dissector: Dissector, _ terminal: Terminal) async throws {
    let statistics = Sender.allCases.map { dissector.statistics(of: $0) }
    let discarded = statistics.reduce(0) { $0 + $1.discarded }
    guard discarded > 0 else { return }
    let wrong = statistics.reduce(0) { $0 + $1.badChecksums }
    let loss =
      "\(discarded) byte\(discarded == 1 ? " belongs" : "s belong") to no packet, \(wrong) checksum\(wrong == 1 ? "" : "s") wrong"
    if isStrict { throw Failure(.badData, loss, advice: "Leave out '--strict' to accept that.") }
    await terminal.note(loss, isQuiet: isQuiet)
  }
}

/// Dissected packets in each format.
struct DissectionPrinter {
  private let format: Format
  private let isDetailed: Bool
  private var records: Records

  init(format: Format, isDetailed: Bool) {
    (self.format, self.isDetailed, records) = (format, isDetailed, Records(format))
  }

  mutating func lines(_ item: Dissection) -> [String] {
    switch format {
    case .text: return [isDetailed ? item.details : item.description]
    case .json: return [item.json]
    case .csv:
      return records.lines([
        Cell(
          name: "time", unit: "s", value: item.time.map { .number($0 / .seconds(1), digits: 6) } ?? .missing),
        Cell(name: "from", value: .text(item.sender.rawValue)),
        Cell(name: "kind", value: .text(item.kind.rawValue)),
        Cell(name: "name", value: item.name.map { .text($0) } ?? .missing),
        Cell(name: "sequence", value: item.sequence.map { .integer(Int($0)) } ?? .missing),
        Cell(name: "meaning", value: .text(item.meaning)), Cell(name: "offset", value: .integer(item.offset)),
        Cell(name: "bytes", value: .text(Hexadecimal.text(item.bytes, separator: ""))),
      ])
    }
  }
}
