// sphero plot: draws a recording as one picture.

import SpheroDrawing
import SpheroOrientation
import SpheroProcess
import SpheroRecording
import SpheroTransport

struct PlotCommand: Subcommand {
  static let name = "plot"
  static let abstract = "Draws a recording as one picture: series over time, attitude, path on the floor."
  static let group = VerbGroup.bytes
  static let examples = [
    "sphero plot run.capture", "sphero plot run.csv -o run.html", "sphero plot run.capture --euler -o -",
    "sphero plot run.capture --mask accel --low-pass-factor 0.1 --unfiltered -o filtered.svg",
    "sphero stream --mask all --for 10s --format csv | sphero plot - -o run.svg",
  ]

  var file: String?
  var output: String?
  var overwrites = false
  var fields: StreamFields?
  var divisor: Int?
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
      "divisor", "d", &divisor, as: .range(1...65_535),
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
    try printing.validate(fields, divisor: divisor)
  }

  private var path: String { file ?? "-" }
  private var label: String { path == "-" ? "stdin" : path }

  /// The path of the picture; nil is stdout.
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
    if let destination, !overwrites, InputStream.exists(destination) { throw Self.exists(destination) }
    let plot = try await plot(of: InputStream.opened(path), terminal)
    let isPage = destination.map { $0.hasSuffix(".html") || $0.hasSuffix(".htm") } ?? false
    let picture = isPage ? plot.html() : plot.svg()
    guard let destination else {
      try await StandardStream.output.write(picture)
      return
    }
    do throws(LinkError) {
      try LogFile(destination, overwrites: overwrites).write(picture)
    } catch {
      if !overwrites, InputStream.exists(destination) { throw Self.exists(destination) }
      throw Failure(.cannotCreate, error.message, advice: "Choose a file in a folder that you may write to.")
    }
    await terminal.note("\(plot.count) samples are drawn in \(destination)", isQuiet: isQuiet)
  }

  private static func exists(_ path: String) -> Failure {
    Failure(.cannotCreate, "\(path) is already there", advice: "Name another file with -o, or add --force.")
  }

  /// The maximum number of bytes before the first line break that determine the form of the file.
  private static let beginningCount = 1 << 16

  private func plot(of source: InputStream, _ terminal: Terminal) async throws -> Plot {
    var beginning: [UInt8] = []
    var isAtEnd = false
    while !isAtEnd, beginning.count < Self.beginningCount, !beginning.contains(0x0A) {
      if let bytes = try await source.nextBytes() { beginning += bytes } else { isAtEnd = true }
    }
    let plot: Plot?
    if TableReader.isTable(beginning) {
      if let option = printing.firstGiven ?? (fields == nil ? divisor.map { _ in "--divisor" } : "--mask"),
        option != "--convention"
      {
        throw UsageError("'\(option)' is for captures; \(label) is a table already")
      }
      plot = try await tablePlot(beginning, isAtEnd ? nil : source)
    } else {
      var decode = Decode()
      (decode.file, decode.fields, decode.divisor, decode.isQuiet) = (path, fields, divisor, isQuiet)
      (decode.printsSamples, decode.printing) = (true, try await printing.loaded())
      let printer = RecordedSamplePrinter(decode, plotTitle: label)
      plot = try await decode.run(printer, of: source, beginning: beginning, terminal) { _ in }.plot
    }
    guard let plot, plot.count > 0 else {
      throw Failure(
        .badData, "\(label) holds no samples", advice: "Look at it with 'sphero decode \(path)'.")
    }
    return plot
  }

  /// A plot of the rows of a table, of which `source` is the rest; nil if there are no rows.
  private func tablePlot(_ beginning: [UInt8], _ source: InputStream?) async throws -> Plot? {
    var plot: Plot?
    var reader = TableReader()
    func appendRows() throws {
      do throws(TableError) {
        while let row = try reader.next() {
          if plot == nil, let columns = reader.columns {
            plot = Plot(
              title: label, columns: columns, convention: printing.reading, reporting: printing.reporting)
          }
          plot?.append(row)
        }
      } catch {
        throw Failure(
          .badData, "\(label): \(error)",
          advice:
            "Print the table anew with 'sphero stream' or 'sphero decode --samples', each with '--format csv'."
        )
      }
    }
    reader.append(beginning)
    try appendRows()
    while let bytes = try await source?.nextBytes() {
      reader.append(bytes)
      try appendRows()
    }
    reader.finish()
    try appendRows()
    return plot
  }
}
