// sphero survey: measures what the documents of a robot leave open, its convention, and its offsets at rest.

import SpheroCapture
import SpheroOrientation
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSurvey
import SpheroSystem
import SpheroTransport

struct Survey: Subcommand {
  static let name = "survey"
  static let abstract = "Measures what the documents leave open."
  static let examples = [
    "sphero survey", "sphero survey --steps records,count,rate --format json",
    "sphero survey --from survey.capture", "sphero survey --conventions --poses 6 --format json",
    "sphero survey --offsets ball.json",
  ]

  var connection = Connection()
  var steps = SurveyStep.all
  var letsRoll = false
  /// The time limit of a step, a pose or a measurement; nil for the default of each.
  var wait: Duration?
  var file: String?
  var isProbing = false
  var poses: Int?
  var offsetFile: String?
  var overwrites = false
  var format = Format.text

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option("steps", nil, &steps, "The steps to take, joined by commas; the others are not tried.")
    try line.flag("roll", nil, &letsRoll, "Let the ball roll without a typed confirmation.")
    try line.option(
      "for", "t", &wait,
      "How long a step waits for the ball to be turned without a typed answer: 60 s by default; with '--conventions' "
        + "for each pose, and with '--offsets' for the measurement, 30 s.")
    try line.option(
      "from", nil, &file, as: .file, "Judge the capture of an earlier survey; nothing is connected.")
    try line.flag(
      "conventions", nil, &isProbing,
      "Find out from some poses what quaternion, angles and sensors mean instead; asks for each pose.")
    try line.option(
      "poses", nil, &poses, as: .range(1...255),
      "The poses for '--conventions': four that decide, then any that are different; by default, 5.")
    try line.option(
      "offsets", nil, &offsetFile, as: .newFile,
      "Measure the offsets of accelerometer and gyroscope while the ball lies still instead, and store them in this file for '--calibration'."
    )
    try line.flag("force", nil, &overwrites, "Replace an existing file of '--offsets'.")
    try line.option("format", "f", &format, "How to print.")
    for (name, others) in [
      ("conventions", ["offsets", "steps", "roll", "from"]), ("offsets", ["steps", "roll", "from"]),
    ] {
      for other in others { try line.conflict(name, other, "each measures something else; choose one") }
    }
    for (name, other) in [("poses", "conventions"), ("force", "offsets")] {
      try line.requirement(other, of: name, "for '--\(other)', which is missing")
    }
    try connection.options(&line)
    for name in ["steps", "roll", "for", "port", "capture"] {
      try line.conflict("from", name, "'--from' judges a capture and connects nothing")
    }
  }

  var needsPerson: Bool { offsetFile == nil && file == nil }
  var mayMove: Bool { needsPerson && !isProbing }

  func validate() throws(UsageError) {
    if offsetFile == CalibrationOptions.none {
      throw UsageError("'--offsets none' would be no file for '--calibration'", advice: "Name another file.")
    }
  }

  func run(_ terminal: Terminal) async throws {
    if isProbing { return try await findConventions(terminal) }
    if let offsetFile { return try await measureOffsets(to: offsetFile, terminal) }
    if let file { return try await judge(file, terminal) }
    var connection = connection
    // A survey always has a capture.
    let capture = connection.captureFile ?? Recorder.freshName(of: Self.name)
    connection.captureFile = capture
    let recorder = SurveyRecorder()
    do {
      try await perform(over: connection, recorder, terminal)
    } catch {
      // The steps before the error have findings, too.
      if !recorder.log.isEmpty {
        try? await print(recorder.log, terminal)
        await terminal.note("what crossed the line until then is in \(capture)", connection)
      }
      throw error
    }
    try await print(recorder.log, terminal)
    await terminal.note(
      "all that crossed the line is in \(capture); 'sphero survey --from' reads it", connection)
  }

  private func perform(
    over connection: Connection, _ recorder: SurveyRecorder, _ terminal: Terminal
  ) async throws {
    let keyboard = Keyboard()
    let typing = Task { await keyboard.follow() }
    defer { typing.cancel() }
    let person = SurveyOperator(
      answers: keyboard.isTerminal, letsRoll: letsRoll, timeout: wait ?? .seconds(60),
      nextAnswer: { keyboard.next() })
    var captures: [CaptureWriter] = []
    func keep(_ writers: [CaptureWriter]) { captures = writers }
    func observed(_ line: any Transport, _ time: any TimeSource) -> any Transport {
      SurveyTransport(line, to: recorder, time: time)
    }
    // The steps start streams that the session would end.
    let adjust = { (settings: inout Robot.Settings) in settings.stopsStrayStreams = false }
    try await connection.withRobot(adjust: adjust, onCaptures: keep, wrapping: observed) { robot in
      var run = SurveyRun(robot, recorder: recorder, person: person) { [captures] event in
        for capture in captures { capture.record(event.mark) }
        if let text = event.text(typed: keyboard.isTerminal) { await terminal.note(text, connection) }
      }
      try await run.perform(steps)
    }
  }

  /// Prints the findings of a capture; its first error is a failure, but its other lines count.
  private func judge(_ file: String, _ terminal: Terminal) async throws {
    let advice = "Name the capture of a survey."
    let source = try InputStream.opened(file, advice: advice)
    var reader = CaptureReader(.capture)
    var log = SurveyLog()
    var malformed: CaptureError?
    var losses = RecordingLosses()
    var isAtEnd = false
    while !isAtEnd {
      if let bytes = try await source.nextBytes() { reader.append(bytes) } else { isAtEnd = true }
      if isAtEnd { reader.finish() }
      var hasMore = true
      while hasMore {
        do throws(CaptureError) {
          guard let record = try reader.next() else {
            hasMore = false
            continue
          }
          if let line = record.line { losses.add(line.time) } else { losses.add(record) }
          log.append(record)
        } catch { malformed = malformed ?? error }
      }
    }
    if !log.isEmpty { try await print(log, terminal) }
    for loss in losses.sentences { await terminal.note(loss, connection) }
    if let malformed {
      throw Failure(
        .badData, "\(source.path): \(malformed)",
        advice: log.isEmpty ? advice : "What could be read was judged; the rest is missing.")
    }
    guard !log.isEmpty else {
      throw Failure(.badData, "\(source.path) holds no survey", advice: "Make one with 'sphero survey'.")
    }
  }

  private func print(_ log: SurveyLog, _ terminal: Terminal) async throws {
    let findings = log.findings
    let columns = findings.first?.fields.map { Column($0) } ?? []
    var records = RecordPrinter(format, kind: "finding", columns: columns)
    for finding in findings {
      if format == .text {
        for line in finding.lines { try await terminal.print(line) }
      } else {
        try await terminal.print(records.text(finding.fields.map(\.value)))
      }
    }
  }

  private func measureOffsets(to file: String, _ terminal: Terminal) async throws {
    let result = ResultFile(
      path: file, overwrites: overwrites, advice: "Name another file, or add --force.")
    // The file is also checked before the measurement, which takes some seconds.
    try result.check()
    await terminal.note("let the ball lie still for 4 s", connection)
    var captures: [CaptureWriter] = []
    func keep(_ writers: [CaptureWriter]) { captures = writers }
    let calibration = try await connection.withRobot(onCaptures: keep) { robot in
      let calibration = try await robot.measureOffsets(timeLimit: wait ?? Self.measurementTime)
      calibration.mark(in: captures)
      return calibration
    }
    try await terminal.print(Sheet.text(calibration.fields, kind: "offsets", format))
    try result.write((calibration.storedText ?? "") + "\n")
    await terminal.note(
      "x is right, y ahead and z up, so x and y have other signs than in the columns accel and gyro; "
        + "'--calibration \(file)' subtracts the offsets from samples", connection)
  }
}

extension RestCalibration {
  var fields: [Field] {
    let rate = rotationRateOffset * (180 / .pi)
    return Axis.allCases.map {
      Field("acceleration_offset_\($0)", .g, .decimal(accelerationOffset[$0], digits: 5))
    }
      + Axis.allCases.map {
        Field("rotation_rate_offset_\($0)", .degreesPerSecond, .decimal(rate[$0], digits: 3))
      }
      + [Field("readings", .count(sampleCount))]
  }
}

extension SurveyStep: ListElement {
  static var noun: String { "step" }
  static var separators: (limits: String, advice: String) { (",", ", ") }
}

private final class Keyboard: Sendable {
  private let input = try? InputStream("-")
  private let state = Locked<(answers: [SurveyOperator.Answer], hasEnded: Bool)>(([], false))

  var isTerminal: Bool { input?.isTerminal ?? false }

  /// Removes and returns the next answer; nil if there is none.
  ///
  /// After the end of input (Ctrl-D), all steps are skipped.
  func next() -> SurveyOperator.Answer? {
    state.withLock { state in
      if !state.answers.isEmpty { return state.answers.removeFirst() }
      return state.hasEnded ? .skip : nil
    }
  }

  /// Reads until the task is cancelled; a line that begins with `s` skips, all others confirm.
  func follow() async {
    guard let input, isTerminal else { return }
    try? await input.forEachLine(longest: 100, advice: "") { line in
      let isSkip = line.bytes.first.map { $0 | 0x20 } == UInt8(ascii: "s")
      let answer: SurveyOperator.Answer = isSkip ? .skip : .done
      state.withLock { if $0.answers.count < 100 { $0.answers.append(answer) } }
    }
    if !Task.isCancelled { state.withLock { $0.hasEnded = true } }
  }
}

extension SurveyRun.Event {
  var mark: CaptureMark {
    switch self {
    case .began(let step): CaptureMark(.step, name: step.name)
    case .ended(let step, let outcome): CaptureMark(.step, name: step.name, outcome: outcome.rawValue)
    }
  }

  func text(typed: Bool) -> String? {
    switch self {
    case .began(let step):
      if let request = step.instruction {
        return "\(step.name): \(request)\(typed ? " Enter when done, s to skip." : "")"
      }
      let seconds = Int(step.duration / .seconds(1))
      return "\(step.name): \(step.purpose), \(seconds) s\(typed ? "; s and Enter skip it" : "")"
    case .ended(_, .done): return nil
    case .ended(let step, .skipped): return "\(step.name) was skipped"
    case .ended(let step, .abandoned):
      return "\(step.name) was given up: the ball was not turned, or did not lie still"
    }
  }
}

extension SurveyLog {
  /// Appends a record of a capture; the header of another recording restarts the log.
  mutating func append(_ record: CaptureRecord) {
    switch record {
    case .header: self = SurveyLog()
    case .line(let line): append(line.bytes, from: line.sender, at: line.time)
    case .mark(let mark):
      if mark.kind == .incomplete { interrupt() }
      guard mark.kind == .step else { return }
      if let outcome = mark.outcome {
        if let outcome = Outcome(rawValue: outcome) { end(outcome) }
      } else if let name = mark.name {
        begin(name)
      }
    }
  }
}

extension SurveyFinding {
  /// The verdict in words, the answers that it leaves possible, and the reason if it decides nothing.
  private var parts: (verdict: String, sides: [String], why: String?) {
    switch verdict {
    case .decided(let side): ("decided", [side], nil)
    case .undecided(let sides, let why): ("undecided", sides, why)
    case .notMeasured(let why): ("not tried", [], why)
    }
  }

  var fields: [Field] {
    let (verdict, sides, why) = parts
    func text(_ name: String, _ text: String?) -> Field { Field(name, .text(text)) }
    // Only a decision needs no reason.
    let isDecided = why == nil
    return [
      text("question", question), text("verdict", verdict), text("finding", isDecided ? sides.first : nil),
      text("possible", isDecided || sides.isEmpty ? nil : sides.joined(separator: " | ")), text("why", why),
      text("assumed", assumed),
      Field("as_assumed", agrees.map { .flag($0) } ?? .missing),
      text("evidence", evidence.isEmpty ? nil : evidence),
    ]
  }

  var lines: [String] {
    let (verdict, sides, why) = parts
    var text = verdict.padded(to: 11) + question.padded(to: 20)
    text += sides.joined(separator: " or ") + (sides.isEmpty || why == nil ? "" : ": ") + (why ?? "")
    if agrees == false { text += " (assumed: \(assumed))" }
    let shown = evidence.count > 160 ? "\(evidence.prefix(160))..." : evidence
    return evidence.isEmpty ? [text] : [text, "".padded(to: 31) + shown]
  }
}
