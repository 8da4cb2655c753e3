// sphero plot: draws a recording as one picture.

import SpheroDrawing
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSerial
import SpheroSystem

struct PlotCommand: Subcommand {
  static let name = "plot"
  static let abstract = "Draws a recording as a picture."
  static let group = SubcommandGroup.look
  static let examples = [
    "sphero plot run.capture", "sphero plot run.csv -o run.html", "sphero plot run.capture --euler -o -",
    "sphero plot run.csv --show yaw,path --size 85x120mm -o figure.svg",
    "sphero plot run.csv --start 2s --for 500ms --show accel -o impact.svg",
    "sphero plot run.capture --mask accel --low-pass-factor 0.1 --unfiltered -o filtered.svg",
    "sphero stream --mask all --for 10s --format csv | sphero plot - -o stream.svg",
  ]

  var file: String?
  var output: String?
  var overwrites = false
  var fields: StreamFields?
  var rate = StreamRate(divisor: nil)
  var isQuiet = false
  var size: PictureSize?
  var names: String?
  var start: Duration?
  var duration: Duration?
  var unwraps = false
  var robots: [String] = []
  var printing = SampleOptions()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file,
      "A capture, or the CSV of 'sphero stream' and 'sphero decode --samples'; - is stdin.")
    try line.option(
      "output", "o", &output, as: .file,
      "The picture: SVG, or HTML if the name ends in .html; - is stdout. By default FILE with the ending .svg, or stdout if that is not a terminal."
    )
    try line.flag("force", nil, &overwrites, "Replace an existing picture.")
    try line.option(
      "size", nil, &size,
      "Width, and height if it does not follow from the content. Text has 9 pt, or 7 pt below 127 mm.")
    try line.option(
      "show", nil, &names, as: .list,
      "What to draw, joined by commas: columns like yaw, vectors like accel, attitude for the balls, path for the floor; by default all but wall and arrival."
    )
    try line.option(
      "start", nil, &start, as: .duration(minimum: .zero), "Begin at this time of the recording.")
    try line.option("for", "t", &duration, as: .duration(minimum: .milliseconds(1)), "End after this time.")
    try line.flag(
      "unwrap", nil, &unwraps,
      "Draw angles continuously beyond 180 degrees, instead of breaking the line there.")
    try line.options(
      "robot", nil, &robots, as: .form("name"),
      "Draw this robot of a CSV with several, once for each; by default all.")
    try line.option(
      "mask", "m", &fields, "The fields to draw of a capture; by default those of its first stream.")
    try rate.options(
      &line, "A stream whose request is not in the capture has a sample every divisor/400 s.")
    try line.flag("quiet", "q", &isQuiet, "Print no remarks on stderr.")
    try printing.options(&line)
  }

  func validate() throws(UsageError) {
    guard let file, !file.isEmpty else {
      throw UsageError(
        file == nil ? "there is nothing to draw" : "'' names no file",
        advice: "Name a capture or a CSV file, or - for stdin.")
    }
    if robots.count > PlottedTable.maximumRobots {
      throw UsageError(
        "'--robot' is given \(robots.count) times", advice: "Name at most \(PlottedTable.maximumRobots).")
    }
    if let output { try validate(output: output) }
    let parts = names?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    if let names, parts.contains(where: { $0.allSatisfy { $0 == " " } }) {
      throw String.listError("", in: names, of: "--show", "", advice: "Name columns, like --show yaw,path.")
    }
    // A table needs no other option for its convention; those of a capture are checked when its kind is known.
    var printing = printing
    printing.convention = nil
    try printing.validate(fields, divisor: rate.statedDivisor)
  }

  /// Rejects the name of a picture in another format, with the command that converts a picture to it.
  private func validate(output: String) throws(UsageError) {
    guard let dot = output.lastIndex(of: ".") else { return }
    let ending = output[output.index(after: dot)...].lowercased()
    let isConvertible = ["png", "pdf", "eps", "ps"].contains(ending)
    guard isConvertible || ["jpg", "jpeg", "gif", "webp", "tif", "tiff", "bmp"].contains(ending) else {
      return
    }
    let stem = output[..<dot]
    let target = isConvertible ? output : "\(stem).png"
    let svg = "\(stem).svg".shellWord
    let format = ending == "png" || !isConvertible ? "" : " -f \(ending)"
    // A picture with a size is for a paper, where pixels must have at least 300 dots per inch.
    let resolution = format.isEmpty && size != nil ? " -d 300 -p 300" : ""
    throw UsageError(
      "'\(output)': plot writes SVG or HTML, not \(ending.uppercased())",
      advice:
        "Write \(svg), then convert it: rsvg-convert\(format)\(resolution) -o \(target.shellWord) \(svg)")
  }

  private var path: String { file ?? "-" }
  private var label: String { path == "-" ? "stdin" : path }

  private var selection: PlotSelection {
    var selection = PlotSelection()
    selection.names = names?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
    (selection.start, selection.duration) = (
      start.map { $0 / .seconds(1) }, duration.map { $0 / .seconds(1) }
    )
    selection.unwrapsAngles = unwraps
    return selection
  }

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
    let file = try destination().map {
      ResultFile(
        path: $0, overwrites: overwrites, advice: "Name another file with -o, or add --force.")
    }
    if let file {
      let source = path == "-" ? "/dev/stdin" : path
      if let identity = System.identity(of: file.path), identity == System.identity(of: source) {
        throw UsageError(
          "'\(file.path)' is the recording itself", advice: "Name another file for the picture with -o.")
      }
      try file.check()
    }
    let plots = try await plots(of: InputStream.opened(path), terminal)
    let title = plots.count == 1 ? plots[0].title : label
    let picture = PlotPicture(title: title, plots, size: size ?? .standard)
    if let size = picture.requiredSize {
      throw UsageError(
        "the picture needs more room: at least --size \(size)",
        advice: "Draw less with --show, or give only the width.")
    }
    let name = file?.path.lowercased() ?? ""
    let isPage = name.hasSuffix(".html") || name.hasSuffix(".htm")
    let text = isPage ? picture.html() : picture.svg()
    guard let file else {
      try await StandardStream.output.write(text)
      return
    }
    try file.write(text)
    let count = plots.reduce(0) { $0 + $1.count }
    await terminal.note(
      "\(count) sample\(count == 1 ? " is" : "s are") drawn in \(file.path)", isQuiet: isQuiet)
  }

  private func plots(of source: InputStream, _ terminal: Terminal) async throws -> [Plot] {
    var beginning: [UInt8] = []
    var isAtEnd = false
    // The first line decides the form of the file, or its beginning without a line break.
    while !isAtEnd, beginning.count < 1 << 16, !beginning.contains(0x0A) {
      if let bytes = try await source.nextBytes() { beginning += bytes } else { isAtEnd = true }
    }
    var plots: [Plot]
    if TableReader.isTable(beginning) {
      let given = printing.givenOptions.first { $0 != "--convention" }
      if let option = given ?? (fields == nil ? rate.givenOption : "--mask") {
        throw UsageError("'\(option)' is for captures; \(label) is a table already")
      }
      var table = PlottedTable(label, selection, robots: robots, printing)
      try table.append(beginning)
      while !isAtEnd, !table.isOver, let bytes = try await source.nextBytes() { try table.append(bytes) }
      try table.finish()
      if table.hasSurplusRobots {
        await terminal.note(
          "only the first \(PlottedTable.maximumRobots) robots are drawn; '--robot' selects others",
          isQuiet: isQuiet)
      }
      plots = table.plots
    } else {
      if !robots.isEmpty { throw UsageError("'--robot' is for tables; a capture has one robot") }
      try printing.validate(fields, divisor: rate.statedDivisor)
      var decode = Decode()
      (decode.file, decode.fields, decode.rate, decode.isQuiet) = (path, fields, rate, isQuiet)
      decode.acceptsMalformedLines = true
      (decode.printsSamples, decode.printing) = (true, try await printing.loaded())
      let printer = RecordedSamplePrinter(decode, plot: (label, selection))
      let end = try await decode.run(printer, of: source, beginning: beginning, terminal) { _ in }
      if let failure = end.failure { throw failure }
      plots = end.plot.map { [$0] } ?? []
    }
    guard plots.contains(where: { $0.latest != nil }) else {
      throw Failure(
        .badData, "\(label) holds no samples",
        advice: "Record a stream: 'sphero record' does, and a run with the line 'stream --mask locator'.")
    }
    plots.removeAll { $0.count == 0 }
    guard !plots.isEmpty else {
      throw Failure(
        .badData, "\(label) has no samples in that time", advice: "Choose another --start or --for.")
    }
    guard plots.contains(where: { $0.hasValues }) else {
      throw Failure(
        .badData, "\(label) has no values of these fields",
        advice: "'sphero decode --samples' prints its fields: name some of them, or none.")
    }
    return plots
  }
}

/// Reads a table of samples into a plot for each robot that the table names, or into one plot.
struct PlottedTable {
  static let maximumRobots = 8

  private(set) var plots: [Plot] = []
  private(set) var hasSurplusRobots = false
  private var names: [String?] = []
  /// The names of robots that are not drawn, at most ``maximumRobots``; an error message lists them.
  private var skipped: [String] = []
  private var reader = TableReader()
  private var row: [Double?] = []
  private let label: String
  private let selection: PlotSelection
  private let robots: [String]
  private let printing: SampleOptions

  init(_ label: String, _ selection: PlotSelection, robots: [String], _ printing: SampleOptions) {
    (self.label, self.selection, self.robots, self.printing) = (label, selection, robots, printing)
  }

  /// Whether the rest of the table is after the selected time.
  var isOver: Bool {
    // A table without robots has one plot, and given robots have one each.
    let hasAllPlots = names == [nil] || !robots.isEmpty && robots.allSatisfy { names.contains($0) }
    return hasAllPlots && plots.allSatisfy { $0.isOver }
  }

  mutating func append(_ bytes: [UInt8]) throws {
    reader.append(bytes)
    try readRows()
  }

  mutating func finish() throws {
    reader.finish()
    try readRows()
    // A table without rows names no robot.
    if names.isEmpty, skipped.isEmpty { return }
    guard let missing = robots.first(where: { !names.contains($0) }) else { return }
    let found = (names.compactMap { $0 } + skipped).map { "'\($0)'" }
    throw UsageError(
      "\(label) has no robot '\(missing)'",
      advice: found.isEmpty
        ? "Leave out --robot: the table has no column 'robot'."
        : "Its robots are \(found.joined(separator: ", ")).")
  }

  private mutating func readRows() throws {
    do {
      while try reader.next(into: &row) {
        guard let index = try index(of: reader.robot) else { continue }
        plots[index].append(row)
      }
    } catch let error as TableError {
      throw Failure(
        .badData, "\(label): \(error)",
        advice:
          "Print the table anew with 'sphero stream' or 'sphero decode --samples', each with '--format csv'.")
    }
  }

  /// Returns the index of the plot of a robot, making it if necessary; nil if the robot is not drawn.
  private mutating func index(of robot: String?) throws(UsageError) -> Int? {
    if let index = names.firstIndex(of: robot) { return index }
    if let robot, !robots.isEmpty, !robots.contains(robot) {
      if skipped.count < Self.maximumRobots, !skipped.contains(robot) { skipped.append(robot) }
      return nil
    }
    guard plots.count < Self.maximumRobots else {
      hasSurplusRobots = true
      return nil
    }
    guard let columns = reader.columns else { return nil }
    try selection.validate(columns)
    let hasOwnPicture = robots.count == 1
    let title = robot.map { hasOwnPicture ? "\(label), \($0)" : $0 } ?? label
    guard
      let plot = Plot(
        title: title, columns: columns, convention: printing.robotConvention, reporting: printing.reporting,
        selection: selection)
    else { return nil }
    plots.append(plot)
    names.append(robot)
    return plots.count - 1
  }
}

extension PlotSelection {
  func validate(_ columns: [Column]) throws(UsageError) {
    guard let unknown = unknownName(in: columns) else { return }
    let needed: String? =
      switch unknown {
      case Self.path: "odometer"
      case Self.attitude: "quat"
      default: Self.members(ofGroup: unknown) == nil ? nil : unknown
      }
    if let needed {
      throw UsageError(
        "'\(unknown)' of --show needs columns of '\(needed)', which are missing here",
        advice: needed == "motion"
          ? "Add '--mask motion' where the samples are streamed, or here if the file is a capture."
          : "Stream or record '\(needed)' too, with --mask.")
    }
    let names = columns.filter { $0.name != "time" && !$0.isText }.map { $0.name }
    let groups = StreamFields.valueKind.words.filter { group in
      !names.contains(group)
        && Self.members(ofGroup: group)?.allSatisfy { member in
          names.contains { $0 == member || $0.hasPrefix(member + "_") }
        } == true
    }
    let words = names + groups + pictures(of: columns)
    let synonym = Suggestion.fields(for: unknown).flatMap { words.contains($0) ? $0 : nil }
    let hasEuler = names.contains { $0.hasPrefix("euler_") }
    throw UsageError(
      "'\(unknown)' of --show is neither a column, a group nor a picture"
        + Suggestion.text(for: unknown, synonym: synonym, among: words),
      advice: unknown.hasPrefix("euler_") && !hasEuler
        ? "Add '--euler' where the samples are streamed, or here if the file is a capture."
        : "Choose from \(words.joined(separator: ", ")).")
  }
}

extension PictureSize: Argument {
  init?(argument: String) { self.init(parsing: argument) }
  static let valueKind = ValueKind(
    placeholder: "size", allowed: "like 85x60mm or 85mm, in mm, cm, in, pt or px; 20 mm to 5 m")
}
