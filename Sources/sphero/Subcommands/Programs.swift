// sphero macro and sphero basic: run a program in the robot from its text.

import SpheroModel
import SpheroProtocol
import SpheroSession
import SpheroTransport

struct ProgramOptions: Sendable {
  var isCheck = false
  var limit: Duration?
  var format = Format.text

  /// The maximum size of a text, far more than the memory of any robot.
  static let maximumBytes = 1_000_000

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.flag("check", nil, &isCheck, "Only look for mistakes; this needs no robot.")
    try line.option(
      "limit", nil, &limit, "Abort it after this time; without it, it runs to its end.")
    try line.option("format", "f", &format, "How to print.")
    try line.conflict("check", "limit", "a text that is only checked takes no time")
  }

  func text(of file: String) async throws -> (name: String, text: String) {
    let text = try await TextFile(
      file, atMost: Self.maximumBytes, advice: "No robot holds so long a program.")
    return (text.name, try text.validText())
  }
}

struct MacroFile: Subcommand {
  static let name = "macro"
  static let abstract = "Runs a macro from a text inside the robot, and prints its markers as they come."
  static let group = VerbGroup.program
  static let examples = [
    "sphero macro dance.macro", "sphero macro dance.macro --check", "sphero macro - --limit 30s",
    "sphero macro dance.macro --store 40",
  ]

  var connection = Connection()
  var file = ""
  var storedID: Int?
  var program = ProgramOptions()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file,
      "A line for each step, like 'roll 80 90' or 'wait time=500'; # begins a comment. - is stdin.")
    // The numbers of user macros.
    try line.option(
      "store", nil, &storedID, as: .range(32...253),
      "Keep it in the robot under this number, for other macros.")
    try program.options(&line)
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    let (macro, storage) = try await read(terminal)
    guard !program.isCheck else { return }
    let printer = TimedPrinter(program.format, kind: "marker", columns: Self.columns, terminal)
    try await connection.withRobot { robot in
      try await robot.run(macro, as: storage, timeLimit: program.limit) { marker in
        try await printer.print([.count(marker.marker), .count(marker.macro), .count(marker.command)])
      }
    }
  }

  /// The columns after the time.
  static let columns = [Column("marker"), Column("macro"), Column("step")]

  private func read(_ terminal: Terminal) async throws -> (Macro, Macro.Storage) {
    let (name, text) = try await program.text(of: file)
    var macro: Macro
    do throws(MacroTextError) { macro = try Macro(text: text) } catch {
      let known = ["macro"] + MacroCommand.all.map(\.name)
      let near = error.code == .unknownStep ? Suggestion.text(for: error.text, among: known) : ""
      throw Failure(
        .badData, "\(name): \(error.description)\(near)",
        advice: "Docs/Programs.md has all steps and the form of the text.")
    }
    if let storedID { macro.id = UInt8(storedID) }
    var storage: Macro.Storage = storedID == nil ? .temporary : .user
    do throws(WireError) {
      let count = try macro.payload().count
      // Longer macros are sent while they run.
      if storedID == nil, count > Macro.maximumTemporaryLength { storage = .stream }
      _ = try macro.requests(as: storage)
      if program.isCheck {
        let steps = macro.commands.count
        let way = storage == .stream ? ", which is sent while it runs" : ""
        await terminal.note(
          "\(name): \(steps) step\(steps == 1 ? "" : "s"), \(count) bytes\(way)", connection)
      }
    } catch {
      throw Failure(.badData, "\(name): \(error.description)", advice: "Shorten it, or leave '--store' out.")
    }
    return (macro, storage)
  }
}

struct BasicFile: Subcommand {
  static let name = "basic"
  static let abstract = "Runs a program in orbBasic inside the robot, and prints what it prints."
  static let group = VerbGroup.program
  static let otherNames = ["orbbasic"]
  static let examples = [
    "sphero basic blink.bas", "sphero basic blink.bas --check", "sphero basic - --limit 30s --format json",
  ]

  var connection = Connection()
  var file = ""
  var program = ProgramOptions()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file, "Lines like '10 print \"hello\"', each with its number. - is stdin.")
    try program.options(&line)
    try connection.options(&line)
  }

  /// The columns after the time.
  static let columns = [Column("text")]

  func run(_ terminal: Terminal) async throws {
    let (name, text) = try await program.text(of: file)
    let basic = try check(text, name)
    guard !program.isCheck else {
      let (lines, bytes) = (basic.lineNumbers.count, basic.text.utf8.count + 1)
      return await terminal.note(
        "\(name): \(lines) line\(lines == 1 ? "" : "s"), \(bytes) bytes", connection)
    }
    let printer = TimedPrinter(program.format, kind: "print", columns: Self.columns, terminal)
    let isText = program.format == .text
    try await connection.withRobot { robot in
      try await robot.run(basic, timeLimit: program.limit) { message in
        let line = message.text.description
        let value = FieldValue.text(line.hasSuffix("\n") ? String(line.dropLast()) : line)
        if isText { try await terminal.print(value.printable) } else { try await printer.print([value]) }
      }
    }
  }

  /// Throws the first error at which a robot would stop.
  private func check(_ text: String, _ name: String) throws -> OrbBasicProgram {
    let advice = "Docs/Programs.md has all statements and names."
    let program: OrbBasicProgram
    do throws(ProgramError) { program = try OrbBasicProgram(text) } catch {
      let place = error.line.map { "line \($0), column 1: " } ?? ""
      throw Failure(.badData, "\(name): \(place)\(error.message)", advice: error.advice)
    }
    if let error = OrbBasicProgram.firstError(in: text) {
      throw Failure(.badData, "\(name): \(error)", advice: advice)
    }
    return program
  }
}

/// Prints records as they arrive, each with the time since the start.
actor TimedPrinter {
  private var records: RecordPrinter
  private let terminal: Terminal
  private let start = Program.time.now

  init(_ format: Format, kind: String, columns: [Column], _ terminal: Terminal) {
    records = RecordPrinter(format, kind: kind, columns: [Column("time", .seconds)] + columns)
    self.terminal = terminal
  }

  func print(_ values: [FieldValue]) async throws {
    try await terminal.print(records.text([.seconds(Program.time.now - start, digits: 3)] + values))
  }
}
