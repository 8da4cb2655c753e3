// Programs that run inside the robot: their check, start and stop, and the events that they cause.

import SpheroControls
import SpheroHost
import SpheroModel
import SpheroProtocol

extension Page {
  struct Program: Sendable {
    var run: ProgramRun?
    /// The row of the text, from 1, of each line number of BASIC.
    var rows: [UInt16: Int] = [:]
    /// The abort of a program whose line was lost, for the next line.
    var pendingAbort: EncodedRequest?
  }

  /// Splits a command such as `run macro TEXT`; the text keeps its spaces and line breaks.
  static func programText(
    in command: String
  ) throws(PageError) -> (text: String, language: ProgramLanguage) {
    let parts = command.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let language = ProgramLanguage(rawValue: String(parts[1])) else {
      throw PageError("'\(parts.first ?? "")' is followed by macro or basic, and the text of the program")
    }
    return (parts.count > 2 ? String(parts[2]) : "", language)
  }

  static func check(_ text: String, in language: ProgramLanguage) -> [UInt8] {
    var errors = ProgramText.errors(in: text, language)
    var summary: String?
    if errors.isEmpty {
      do throws(ProgramTextError) {
        let text = try parse(text, in: language)
        summary = ([text.summary] + text.remarks).joined(separator: "; ")
      } catch { errors = [error] }
    }
    let list = errors.map { error -> FieldValue in
      [
        "line": .count(error.line), "column": .count(error.column),
        "message": .text(error.message), "advice": .text(error.advice),
      ]
    }
    return json(["errors": .list(list), "summary": .text(summary)])
  }

  /// Parses a program; throws for one that the page could not stop.
  private static func parse(
    _ text: String, in language: ProgramLanguage
  ) throws(ProgramTextError) -> ProgramText {
    let text = try ProgramText(text, in: language)
    guard case .macro(let macro) = text.program, macro.flags.contains(.unkillable) else { return text }
    throw ProgramTextError(
      message: "a macro with the flag 'unkillable' cannot be stopped", advice: "Leave the flag out.")
  }

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
    // Answers to requests of the former program must not reach the new one.
    requests = requests.filter { $0.value.purpose != .program }
    program.run = ProgramRun(encoded, at: now)
    program.rows = language == .basic ? Self.rows(of: text) : [:]
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

  mutating func stepProgram() {
    guard var run = program.run else { return }
    let request = run.step(at: now)
    program.run = run
    if let request { send(request, .program) }
  }

  mutating func failProgram(_ error: SessionError) {
    if case .superseded = error { return endProgram(reporting: "stopped before it was sent") }
    let lastArrival = conversation?.lastArrival
    if let end = program.run?.handle(error, lastArrival: lastArrival, at: now) { finish(end) }
  }

  /// Reports an event of a program, also of a program that the page did not start.
  mutating func handleProgramEvent(_ packet: EventPacket) {
    let output = program.run.map { $0.output(of: packet, at: now) } ?? ProgramRun.Output(packet)
    switch output {
    case .marker(let marker):
      events.append(["kind": "marker", "marker": .count(marker.marker), "step": .count(marker.command)])
    case .print(let print):
      // The end of the program is already reported, but it prints until the robot executes the abort.
      guard !requests.values.contains(where: { $0.purpose == .abort }) else { return }
      events.append(["kind": "print", "text": .text(print.text.description)])
    case .end(let end): if program.run != nil { finish(end) }
    case nil: break
    }
  }

  mutating func finish(_ end: ProgramRun.End) {
    guard let run = program.run else { return }
    let (language, seconds) = (run.program.language, now - run.start)
    if case .failed = end { abortProgram() } else { program.run = nil }
    switch end {
    case .completed:
      // A macro without `stopAtEnd` leaves the ball rolling.
      stopMotors()
      reportProgramEnd(language, "ended", "the program has ended", seconds: seconds)
    case .stopped(let line, let error):
      stopMotors()
      reportProgramEnd(
        language, "failed", "the program ended with an error in the line numbered \(line): \(error.name)",
        advice: "Correct that line.", row: program.rows[line], seconds: seconds)
    case .aborted:
      reportProgramEnd(language, "stopped", "another client aborted the program", seconds: seconds)
    case .failed(let error):
      reportProgramEnd(language, "failed", error.message, advice: error.advice, seconds: seconds)
    }
  }

  /// Aborts the program and stops the ball; does nothing without a program.
  mutating func endProgram(reporting reason: String) {
    guard let run = program.run else { return }
    abortProgram()
    reportProgramEnd(run.program.language, "stopped", reason, seconds: now - run.start)
  }

  /// Aborts any program that another client or an earlier page has started; the answer then stops the ball.
  mutating func abortForeignPrograms() {
    // While a key is held, the page stops the ball many times in a second.
    guard !requests.values.contains(where: { $0.purpose == .abort }) else { return }
    for language in ProgramLanguage.allCases { send(language.abort, .abort) }
  }

  /// Sends the abort of the program. Its answer stops the ball, because the program could move it again until then.
  private mutating func abortProgram() {
    guard let abort = program.run?.program.language.abort else { return }
    program.run = nil
    send(abort, .abort)
  }

  /// Discards the program of a lost line, which is aborted on the next line.
  mutating func loseProgram() {
    guard let run = program.run else { return }
    (program.run, program.pendingAbort) = (nil, run.program.language.abort)
    reportProgramEnd(run.program.language, "stopped", "the link was lost")
  }

  /// Stops the ball, which an ended program may have left rolling, unless the user drives it.
  mutating func stopMotors() {
    guard stick.drive.speedByte == 0 else { return }
    send(Motion.Roll.stop(on: conversation?.heading), .setting)
  }

  private mutating func reportProgramEnd(
    _ language: ProgramLanguage, _ state: String, _ message: String, advice: String? = nil, row: Int? = nil,
    seconds: Duration? = nil
  ) {
    conversation?.programEnded(language, at: now)
    events.append(
      "program", state: state, message, advice: advice,
      [Field("line", .count(row)), Field("seconds", .seconds(seconds, digits: 1))])
  }

  var programView: FieldValue {
    guard let run = program.run else { return .missing }
    return [
      "language": .text(run.program.language.rawValue),
      "state": .text(run.isRunning ? "running" : "sending"),
      "seconds": .seconds(now - run.start, digits: 1),
    ]
  }
}
