// sphero plot: a recording as one picture.

import SpheroDrawing
import SpheroOrientation
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroTransport

struct PlotCommand: Subcommand {
  static let name = "plot"
  static let abstract = "Draws a recording as one picture: series over time, attitude, path on the floor."
  static let group = VerbGroup.bytes
  static let examples = [
    "sphero plot run.capture", "sphero plot run.csv -o run.html", "sphero plot run.capture --euler -o -",
    "sphero stream --mask all --for 10s --format csv | sphero plot - -o run.svg",
  ]

  var file: String?
  var output: String?
  var overwrites = false
  var fields: StreamFields?
  var divisor: Whole<PositiveWord>?
  var isQuiet = false
  var printing = SampleOptions()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file,
      "A capture, or the CSV of 'sphero stream' and 'sphero decode --samples'; - is stdin.")
    try line.option(
      "output", "o", &output, as: .file,
      "The picture: SVG, or HTML if the name ends in .html; - is stdout. By default FILE.svg, or stdout if that is not a terminal."
    )
    try line.flag("force", nil, &overwrites, "Replace an existing picture.")
    try line.option(
      "mask", "m", &fields, "The fields to draw of a capture; by default those of its first stream.")
    try line.option(
      "divisor", "d", &divisor,
      "A stream whose request is not in the capture has a sample every divisor/400 s.")
    try line.flag("quiet", "q", &isQuiet, "Print no remarks on stderr.")
    try printing.options(&line)
  }

  func validate() throws(UsageError) {
    guard let file else {
      throw UsageError("there is nothing to draw", advice: "Name a capture or a CSV file, or - for stdin.")
    }
    if file.isEmpty {
      throw UsageError("'' names no file", advice: "Name a capture or a CSV file, or - for stdin.")
    }
    try printing.validate(fields, divisor: divisor?.value)
  }

  private var path: String { file ?? "-" }
  private var label: String { path == "-" ? "stdin" : path }

  /// Where the picture goes; nil is stdout.
  private func destination() throws -> String? {
    if let output { return output == "-" ? nil : output }
    guard StandardStream.output.isTerminal else { return nil }
    guard path != "-" else {
      throw UsageError("the picture has no name", advice: "Name it with -o, like -o run.svg.")
    }
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return path + ".svg" }
    return path.dropLast(name[dot...].count) + ".svg"
  }

  func run(_ terminal: Terminal) async throws {
    let destination = try destination()
    if let destination, !overwrites, InputFile.exists(destination) { throw Self.isThere(destination) }
    let source: InputFile
    do throws(LinkError) { source = try InputFile(path) } catch {
      throw Failure(.noInput, error.message, advice: "Name a file that you may read, or - for stdin.")
    }
    let plot = try await plot(of: source, terminal)
    let isPage = destination.map { $0.hasSuffix(".html") || $0.hasSuffix(".htm") } ?? false
    let picture = isPage ? plot.html() : plot.svg()
    guard let destination else {
      try await StandardStream.output.write(picture)
      return
    }
    do throws(LinkError) {
      try LogFile(destination, overwrites: overwrites).write(picture)
    } catch {
      if !overwrites, InputFile.exists(destination) { throw Self.isThere(destination) }
      throw Failure(.cannotCreate, error.message, advice: "Choose a file in a folder that you may write to.")
    }
    await terminal.note("\(plot.count) samples are drawn in \(destination)", isQuiet: isQuiet)
  }

  private static func isThere(_ path: String) -> Failure {
    Failure(.cannotCreate, "\(path) is already there", advice: "Name another file with -o, or add --force.")
  }

  /// How much of a file tells its form, unless its first line ends before.
  private static let beginningCount = 1 << 16

  private func plot(of source: InputFile, _ terminal: Terminal) async throws -> Plot {
    var beginning: [UInt8] = []
    var isAtEnd = false
    while !isAtEnd, beginning.count < Self.beginningCount, !beginning.contains(0x0A) {
      if let bytes = try await read(source) { beginning += bytes } else { isAtEnd = true }
    }
    let plot: Plot?
    if TableReader.isTable(beginning) {
      if let option = printing.used ?? (fields == nil ? divisor.map { _ in "--divisor" } : "--mask"),
        option != "--convention"
      {
        throw UsageError("'\(option)' is for captures; \(label) is a table already")
      }
      var table = TablePlot(label: label, printing: printing)
      try table.take(beginning)
      while !isAtEnd, let bytes = try await read(source) { try table.take(bytes) }
      try table.finish()
      plot = table.plot
    } else {
      var decode = Decode()
      (decode.file, decode.fields, decode.divisor, decode.isQuiet) = (path, fields, divisor, isQuiet)
      (decode.printsSamples, decode.printing) = (true, printing)
      let printer = RecordedSamplePrinter(decode, plotTitle: label)
      plot = try await decode.run(printer, of: source, beginning: beginning, terminal) { _ in }.plot
    }
    guard let plot, plot.count > 0 else {
      throw Failure(
        .badData, "\(label) holds no samples", advice: "Look at it with 'sphero decode \(path)'.")
    }
    return plot
  }

  private func read(_ source: InputFile) async throws -> [UInt8]? {
    try Task.checkCancellation()
    do { return try await source.read() } catch let error as LinkError {
      throw Failure(.noInput, error.message, advice: "Check that the file can be read.")
    }
  }
}

/// A plot that is made of the rows of a table.
private struct TablePlot {
  let label: String
  let printing: SampleOptions
  private(set) var plot: Plot?
  private var reader = TableReader()

  init(label: String, printing: SampleOptions) { (self.label, self.printing) = (label, printing) }

  mutating func take(_ bytes: [UInt8]) throws {
    reader.append(bytes)
    try takeRows()
  }

  mutating func finish() throws {
    reader.finish()
    try takeRows()
  }

  private mutating func takeRows() throws {
    do throws(TableError) {
      while let row = try reader.next() {
        if plot == nil, let columns = reader.columns {
          plot = Plot(
            title: label, columns: columns, convention: printing.convention?.convention ?? .sphero)
        }
        plot?.append(row)
      }
    } catch {
      throw Failure(
        .badData, "\(label): \(error)",
        advice:
          "Print the table anew with 'sphero stream' or 'sphero decode --samples', each with '--format csv'.")
    }
  }
}
