// Programs inside the robot: check, start, stop, and the events that they cause.

import SpheroHost
import SpheroModel
import SpheroProtocol

extension Page {
  /// The program that runs inside the robot.
  struct Program: Sendable {
    var run: ProgramRun?
    /// The row of the text, from 1, of each line number of BASIC.
    var rows: [UInt16: Int] = [:]
    /// The abort of a program whose line was lost.
    private var pendingAbort: EncodedRequest?

    /// Discards the program of a lost line and keeps its abort; returns whether there was a program.
    mutating func loseLine() -> Bool {
      pendingAbort = run?.program.language.abort ?? pendingAbort
      defer { run = nil }
      return run != nil
    }

    mutating func takePendingAbort() -> EncodedRequest? {
      defer { pendingAbort = nil }
      return pendingAbort
    }
  }

  /// The text of a program after two words, `run macro`, as it is.
  static func program(
    _ command: String
  ) throws(PageError) -> (text: String, language: ProgramLanguage) {
    let parts = command.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let language = ProgramLanguage(rawValue: String(parts[1])) else {
      throw PageError("'\(parts.first ?? "")' is followed by macro or basic, and the text of the program")
    }
    return (parts.count > 2 ? String(parts[2]) : "", language)
  }

  /// The result of the check of a text: its errors, and what it contains.
  static func check(_ text: String, in language: ProgramLanguage) -> [UInt8] {
    var errors = ProgramText.errors(in: text, language)
    var summary: String?
    if errors.isEmpty {
      do throws(ProgramTextError) {
        let text = try parse(text, in: language)
        summary = ([text.summary] + text.remarks).joined(separator: "; ")
      } catch { errors = [error] }
    }
    let list = errors.map { error in
      FieldValue.record([
        Field("line", error.line.map { .count($0) } ?? .missing),
        Field("column", error.column.map { .count($0) } ?? .missing),
        Field("message", .text(error.message)), Field("advice", .text(error.advice)),
      ])
    }
    return json(.record([Field("errors", .list(list)), Field("summary", .text(summary))]))
  }

  /// Parses a program that the page can end.
  private static func parse(
    _ text: String, in language: ProgramLanguage
  ) throws(ProgramTextError) -> ProgramText {
    let text = try ProgramText(text, in: language)
    guard case .macro(let macro) = text.program, macro.flags.contains(.unkillable) else { return text }
    throw ProgramTextError(
      message: "a macro with the flag 'unkillable' cannot be stopped", advice: "Leave the flag out.")
  }

  /// Starts a program in place of the current one.
  mutating func run(_ text: String, in language: ProgramLanguage) throws(PageError) {
    guard connection.isOpen else {
      throw PageError("there is no robot that could run it: connect one, or simulate it")
    }
    let checked: ProgramText
    do throws(ProgramTextError) { checked = try Self.parse(text, in: language) } catch {
      let separator = ProgramTextError.separator(after: error.message)
      throw PageError((error.line.map { "line \($0): " } ?? "") + error.message + separator + error.advice)
    }
    let encoded: EncodedProgram
    switch checked.program {
    case .macro(let macro):
      do throws(WireError) { encoded = try EncodedProgram(macro, as: nil) } catch {
        throw PageError(error.description)
      }
    case .basic(let program): encoded = EncodedProgram(program)
    }
    endGuidance(reporting: "replaced by a program")
    endRobotGame()
    release()
    endProgram(reporting: "replaced by another program")
    // The answer to a query of the former program is no answer to this one.
    requests.removeAll(for: .program)
    (program.run, program.rows) = (
      ProgramRun(encoded, at: now), language == .basic ? Self.rows(of: text) : [:]
    )
    stepProgram()
  }

  /// The row of a text, from 1, of each line number of BASIC.
  private static func rows(of text: String) -> [UInt16: Int] {
    var rows: [UInt16: Int] = [:]
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
    for (row, line) in zip(1..., lines) {
      if let number = UInt16(line.prefix { $0.isASCII && $0.isNumber }) { rows[number] = row }
    }
    return rows
  }

  /// Sends the request that is due.
  mutating func stepProgram() {
    guard var run = program.run else { return }
    let action = run.step(at: now)
    program.run = run
    if case .send(let request) = action { send(request, .program) }
  }

  mutating func handleProgram(_ response: ResponsePacket) {
    if let end = program.run?.handle(response, at: now) { finish(end) }
  }

  mutating func failProgram(_ error: SessionError) {
    if case .superseded = error { return endProgram(reporting: "stopped before it was sent") }
    let lastArrival = conversation?.lastArrival
    if let end = program.run?.handle(error, lastArrival: lastArrival, at: now) { finish(end) }
  }

  /// Reports events that a program causes, also one that the page did not start.
  mutating func handleProgramEvent(_ packet: EventPacket) {
    let output =
      program.run.map { $0.output(of: packet, at: now) } ?? ProgramRun.Output(packet)
    switch output {
    case .marker(let marker):
      events.append(
        "marker", [Field("marker", .count(marker.marker)), Field("step", .count(marker.command))])
    case .print(let print):
      // A program prints on until it receives its abort; its end is reported already.
      guard !requests.contains(.abort) else { return }
      events.append("print", [Field("text", .text(print.text.description))])
    case .end(let end): if program.run != nil { finish(end) }
    case nil: break
    }
  }

  private mutating func finish(_ end: ProgramRun.End) {
    let seconds = program.run.map { now - $0.start }
    switch end {
    case .completed:
      program.run = nil
      // A macro without 'flags=stopAtEnd' leaves the ball rolling. A motion of the page continues.
      if conversation?.stops.isEmpty == true { stopMotors() }
      reportProgram("ended", "the program has ended", seconds: seconds)
    case .stopped(let line, let error):
      program.run = nil
      stopMotors()
      reportProgram(
        "failed", "the program ended with an error in the line numbered \(line): \(error.name)",
        advice: "Correct that line.",
        row: program.rows[line], seconds: seconds)
    case .aborted:
      program.run = nil
      reportProgram("stopped", "another client aborted the program", seconds: seconds)
    case .failed(let error):
      abortProgram()
      reportProgram("failed", error.message, advice: error.advice, seconds: seconds)
    }
  }

  /// Aborts the program and stops the ball; does nothing without a program.
  mutating func endProgram(reporting reason: String) {
    guard let seconds = program.run.map({ now - $0.start }) else { return }
    abortProgram()
    reportProgram("stopped", reason, seconds: seconds)
  }

  /// Aborts a program that an earlier page has left in the robot, and stops the ball again.
  mutating func abortForeignPrograms() {
    // A key that is held stops the ball many times in a second.
    guard !requests.contains(.abort) else { return }
    for language in ProgramLanguage.allCases {
      if let abort = language.abort { send(abort, .abort) }
    }
  }

  /// Sends the abort. The ball is stopped after it, because a program that still runs would move it again.
  private mutating func abortProgram() {
    let abort = program.run?.program.language.abort
    program.run = nil
    if let abort { send(abort, .abort) }
  }

  /// Discards the program of a lost line, which is aborted on the next line.
  mutating func loseProgram() {
    if program.loseLine() { reportProgram("stopped", "the link was lost") }
  }

  /// Aborts the program of a lost line.
  mutating func abortLostProgram() {
    if let abort = program.takePendingAbort() { send(abort, .abort) }
  }

  /// Stops what an ended program may have left rolling.
  mutating func stopMotors() {
    send(Motion.Roll.stop(on: conversation?.heading), .setting)
  }

  private mutating func reportProgram(
    _ state: String, _ message: String, advice: String? = nil, row: Int? = nil, seconds: Duration? = nil
  ) {
    conversation?.programEnded(at: now)
    events.append(
      "program",
      [
        Field("state", .text(state)), Field("message", .text(message)), Field("advice", .text(advice)),
        Field("line", row.map { .count($0) } ?? .missing), Field("seconds", .seconds(seconds, digits: 1)),
        Field("weight", .text(state == "failed" ? "warning" : "note")),
      ])
  }

  var programView: FieldValue {
    guard let run = program.run else { return .missing }
    return .record([
      Field("language", .text(run.program.language.rawValue)),
      Field("state", .text(run.isRunning ? "running" : "sending")),
      Field("seconds", .seconds(now - run.start, digits: 1)),
    ])
  }
}
