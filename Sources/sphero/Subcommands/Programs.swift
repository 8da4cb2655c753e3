// sphero program: runs a macro or an orbBasic program in the robot from its text.

import SpheroCapture
import SpheroModel
import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

struct ProgramCommand: Subcommand {
  static let name = "program"
  static let abstract = "Runs a macro or orbBasic text in the robot."
  static let group = SubcommandGroup.program
  static let otherNames = ["macro", "basic", "orbbasic"]
  static let examples = [
    "sphero program dance.macro", "sphero program dance.macro --check",
    "sphero program dance.macro --store 40",
    "sphero program blink.bas", "sphero program - --for 30s --format json",
  ]
  static let sections: KeyValuePairs<String, HelpTable> = [
    "the text": [
      "macro": "A line for each step, like 'roll 80 90' or 'wait time=500'; # begins a comment. "
        + "Markers are printed as they arrive. 'sphero help macros' lists the steps.",
      "orbBasic":
        "The name ends in .bas, or the first line begins with a number or an apostrophe. Lines like '10 print \"hello\"'; their output is printed. "
        + "'sphero help statements' lists the statements. Whole numbers on stdin, one in a line, are the values of 'input' (not in 'sphero run'), "
        + "and are sent at least 200 ms apart.",
    ]
  ]

  static let markerColumns = [Column("marker"), Column("macro"), Column("step")]
  static let printColumns = [Column("text"), Column("ends_line")]

  var connection = Connection()
  var file = ""
  var storedID: Int?
  var isCheck = false
  var limit: Duration?
  var format = Format.text

  var mayMove: Bool { !isCheck }

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file,
      "The text: orbBasic if its name ends in .bas or its first line begins with a number or an apostrophe, otherwise a macro. - is stdin."
    )
    // The numbers of user macros.
    try line.option(
      "store", nil, &storedID, as: .range(32...253),
      "Run the macro, and keep it in the robot under this number, for other macros.")
    try line.flag("check", nil, &isCheck, "Only look for mistakes; this needs no robot.")
    try line.option("for", "t", &limit, "Abort it after this time; without it, it runs to its end.")
    try line.option("format", "f", &format, "How to print.")
    try line.conflict("check", "for", "a text that is only checked takes no time")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    let file = try await TextFile(
      file, atMost: ProgramText.maximumByteCount, advice: "No robot holds so long a program.")
    let (name, source) = (file.name, try file.validText())
    let language: ProgramLanguage = self.file.hasSuffix(".bas") || Self.isOrbBasic(source) ? .basic : .macro
    guard language == .macro || storedID == nil else {
      throw Failure(
        .usage, "\(name): '--store' keeps macros, and this is orbBasic",
        advice: "Leave '--store' out; 'sphero raw' stores programs by its OrbBasic commands.")
    }
    let text: ProgramText
    do throws(ProgramTextError) { text = try ProgramText(source, in: language) } catch {
      guard isCheck else { throw Self.failure(error, name) }
      let errors = ProgramText.errors(in: source, language)
      for error in errors.dropLast() {
        let failure = Self.failure(error, name)
        let separator = ProgramTextError.separator(after: failure.message)
        await terminal.note(failure.message + separator + (failure.advice ?? ""), connection)
      }
      throw Self.failure(errors.last ?? error, name)
    }
    for remark in text.remarks { await terminal.note("\(name): \(remark)", connection) }
    switch text.program {
    case .macro(var macro):
      if let storedID {
        macro.id = UInt8(storedID)
        do throws(WireError) { _ = try macro.requests(as: .user) } catch {
          throw Failure(.badData, "\(name): \(error)", advice: "Shorten it, or leave '--store' out.")
        }
      }
      if !isCheck { try await run(macro, terminal) }
    case .basic(let program): if !isCheck { try await run(program, terminal) }
    }
    if isCheck { await terminal.note("\(name): \(text.summary)", connection) }
  }

  private static func failure(_ error: ProgramTextError, _ name: String) -> Failure {
    var (message, advice) = ("\(name): \(error)", error.advice)
    if error.isUnknownStep {
      let steps = MacroCommand.all.filter { !$0.isAddedDuringSending }.map(\.name)
      message += Suggestion.text(for: String(error.word.prefix { $0.isLetter }), among: ["macro"] + steps)
      if advice == "Correct the line." {
        advice = "Correct the line; the steps are \(steps.joined(separator: ", "))."
      }
    }
    if error.word.hasPrefix("--") || RunLine.subcommands.contains(where: { $0.name == error.word }) {
      advice =
        "'sphero run' performs a file of commands; a macro has steps like 'rgb 255 0 0', 'roll 80 90' and 'roll 0 0'."
    }
    return Failure(.badData, message, advice: advice)
  }

  /// Whether the first line that is neither blank nor a comment begins with a number, or with the comment of orbBasic.
  static func isOrbBasic(_ text: String) -> Bool {
    for line in text.split(whereSeparator: \.isNewline) {
      guard let first = line.first(where: { $0 != " " && $0 != "\t" }), first != "#" else { continue }
      return ("0"..."9").contains(first) || first == "'"
    }
    return false
  }

  /// A function that prints a record as it arrives, with the time since now as its first value.
  private func printer(
    _ kind: String, _ columns: [Column], _ robot: Robot, _ terminal: Terminal
  ) -> @Sendable ([FieldValue]) async throws -> Void {
    let columns = [Column("time", .seconds)] + columns
    let records = Locked(RecordPrinter(format, kind: kind, columns: columns))
    let start = robot.time.now
    return { values in
      let time = FieldValue.seconds(robot.time.now - start, digits: 3)
      try await terminal.print(records.withLock { $0.text([time] + values) })
    }
  }

  private func run(_ macro: Macro, _ terminal: Terminal) async throws {
    try await connection.withRobot { robot in
      let print = printer("marker", Self.markerColumns, robot, terminal)
      do {
        try await robot.run(macro, as: storedID.map { _ in .user }, timeLimit: limit) { marker in
          try await print([.count(marker.marker), .count(marker.macro), .count(marker.command)])
        }
      } catch let error as SessionError {
        guard case .refused(_, .failedToExecute) = error, let storedID else { throw error }
        throw Failure(
          .refused, error.message,
          advice: "It has a macro with the number \(storedID), or no room: use another number, "
            + "or erase all macros with 'sphero raw Macros.ReinitMacroExecutive'.")
      }
    }
  }

  private func run(_ program: OrbBasicProgram, _ terminal: Terminal) async throws {
    let isText = format == .text
    let (inputs, submission) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(256))
    // Under `sphero run`, stdin contains the commands of the run, such as a stop.
    let readsInput = program.hasInput && file != "-" && connection.session == nil
    if !readsInput { submission.finish() }
    try await connection.withRobot { robot in
      async let _: Void = readsInput ? readInputs(to: submission, terminal) : ()
      let print = printer("print", Self.printColumns, robot, terminal)
      let isLineOpen = Locked(false)
      let outcome = await result {
        try await robot.run(program, timeLimit: limit, inputs: inputs) { message in
          let line = message.text.description
          let endsLine = line.hasSuffix("\n")
          let value = FieldValue.text(endsLine ? String(line.dropLast()) : line)
          guard isText else { return try await print([value, .flag(endsLine)]) }
          isLineOpen.withLock { $0 = !endsLine }
          try await terminal.print(Array((value.printable + (endsLine ? "\n" : "")).utf8))
        }
      }
      if isLineOpen.withLock({ $0 }) {
        do { try await terminal.print("") } catch {
          // The program's own error comes first.
          try outcome.get()
          throw error
        }
      }
      try outcome.get()
    }
  }

  /// Reads the numbers on stdin, and submits them to the program, until stdin ends; an error does not end the program.
  private func readInputs(to submission: AsyncStream<Int32>.Continuation, _ terminal: Terminal) async {
    defer { submission.finish() }
    var hasValue = false
    let advice = "Check what is connected to stdin."
    do {
      let input = try InputStream.opened("-", advice: advice)
      try await input.forEachLine(longest: 100, advice: advice) { line in
        let text = String(decoding: line.bytes, as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace)
        guard case .text = line, let value = words.count == 1 ? Int32(words[0]) : nil else {
          return await terminal.note(
            "'\(text)' is no value for 'input': write a whole number, -2147483648...2147483647", connection)
        }
        while case .dropped = submission.yield(value) { try await Task.sleep(for: .milliseconds(50)) }
        hasValue = true
      }
    } catch is CancellationError { return } catch {
      let failure = Failure(error)
      return await terminal.note(failure.message + (failure.advice.map { ". \($0)" } ?? ""), connection)
    }
    guard !hasValue else { return }
    await terminal.note(
      "stdin has ended without a value: if the program waits for 'input', only Ctrl-C or --for ends it",
      connection)
  }
}
