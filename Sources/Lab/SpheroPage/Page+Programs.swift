// Programs inside the robot: check, start, stop, and the events that they cause.

import SpheroHost
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
    let errors = PreparedProgram.errors(in: text, language).map { error in
      FieldValue.record([
        Field("line", error.line.map { .count($0) } ?? .missing),
        Field("column", error.column.map { .count($0) } ?? .missing),
        Field("message", .text(error.message)), Field("advice", .text(error.advice)),
      ])
    }
    let summary = errors.isEmpty ? try? PreparedProgram(text, in: language).summary : nil
    return json(.record([Field("errors", .list(errors)), Field("summary", .text(summary))]))
  }

  /// Starts a program in place of the current one.
  mutating func run(_ text: String, in language: ProgramLanguage) throws(PageError) {
    guard connection.isOpen else {
      throw PageError("there is no robot that could run it: connect one, or simulate it")
    }
    let prepared: PreparedProgram
    do throws(ProgramTextError) { prepared = try PreparedProgram(text, in: language) } catch {
      throw PageError((error.line.map { "line \($0): " } ?? "") + error.message + ". \(error.advice)")
    }
    endGuidance(reporting: "replaced by a program")
    release()
    endProgram(reporting: "replaced by another program")
    (program.run, program.rows) = (ProgramRun(prepared.program, at: now), prepared.rows)
    stepProgram()
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

  /// Reports events that a program causes.
  mutating func handleProgramEvent(_ packet: EventPacket) {
    switch packet.id {
    case Macros.Marker.id:
      guard let marker = try? Macros.Marker(payload: packet.payload) else { return }
      if marker.marker == 0, program.run?.program.language == .macro, program.run?.isRunning == true {
        return finish(.completed)
      }
      guard marker.marker != 0 else { return }
      events.append(
        "marker", [Field("marker", .count(marker.marker)), Field("step", .count(marker.command))])
    case OrbBasic.PrintMessage.id:
      // The output of the previous program, until it is aborted.
      guard program.run?.mayHaveBegun != false,
        let print = try? OrbBasic.PrintMessage(payload: packet.payload)
      else { return }
      events.append("print", [Field("text", .text(print.text.description))])
    case OrbBasic.ErrorMessage.id:
      guard program.run?.program.language == .basic,
        let error = try? OrbBasic.ErrorMessage(payload: packet.payload),
        let end = program.run?.handle(error)
      else { return }
      finish(end)
    default: break
    }
  }

  private mutating func finish(_ end: ProgramRun.End) {
    let seconds = program.run.map { now - $0.start }
    switch end {
    case .completed:
      program.run = nil
      reportProgram("ended", "the program has ended", seconds: seconds)
    case .stopped(let line, let error):
      program.run = nil
      stopMotors()
      reportProgram(
        "failed", "the program ended with an error in the line numbered \(line): \(error.name)",
        advice: "Correct that line.",
        row: program.rows[line], seconds: seconds)
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
    send(Motion.Roll(speed: 0, heading: conversation?.heading ?? 0, state: .stop), .setting)
  }

  private mutating func reportProgram(
    _ state: String, _ message: String, advice: String? = nil, row: Int? = nil, seconds: Duration? = nil
  ) {
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
