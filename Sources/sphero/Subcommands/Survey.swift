// sphero survey: what a robot decides of the points on which the sources differ.

import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSurvey
import SpheroSystem
import SpheroTransport

struct Survey: Subcommand {
  static let name = "survey"
  static let abstract = "Measures in guided steps what the documents leave open about the robot."
  static let group = VerbGroup.look
  static let examples = [
    "sphero survey", "sphero survey --steps records,count,rate --format json",
    "sphero survey --from survey.capture",
  ]

  var connection = Connection()
  var steps = StepList(SurveyStep.all)
  var letsRoll = false
  var wait = Duration.seconds(60)
  var file: String?
  var format = Format.text

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("steps", nil, &steps, "The steps to take, joined by commas; the others are not tried.")
    try line.flag("roll", nil, &letsRoll, "Let the ball roll even if nobody types an answer.")
    try line.option(
      "wait", nil, &wait, "How long a step waits for the ball to be turned if nobody types.")
    try line.option(
      "from", nil, &file, as: .file, "Judge the capture of an earlier survey; nothing is connected.")
    try line.option("format", "f", &format, "How to print.")
    try connection.options(&line)
    for name in ["port", "capture"] {
      try line.conflict("from", name, "'--from' judges a capture and connects nothing")
    }
  }

  func run(_ terminal: Terminal) async throws {
    if let file {
      let (log, malformed) = try await Self.log(in: file)
      try await print(log, terminal)
      guard let malformed else { return }
      throw Failure(
        .badData, "\(file): \(malformed)", advice: "What could be read was judged; the rest is missing.")
    }
    var connection = connection
    // A survey is made to be kept.
    let capture = connection.captureFile ?? Recorder.freshName(of: Self.name)
    connection.captureFile = capture
    let notebook = SurveyNotebook()
    do {
      try await make(over: connection, notebook, terminal)
    } catch {
      // What was found so far is a result like any other.
      if !notebook.log.isEmpty {
        try? await print(notebook.log, terminal)
        await terminal.note("what crossed the line until then is in \(capture)", connection)
      }
      throw error
    }
    try await print(notebook.log, terminal)
    await terminal.note(
      "all that crossed the line is in \(capture); 'sphero survey --from' reads it", connection)
  }

  /// Performs the steps with the robot at hand.
  private func make(
    over connection: Connection, _ notebook: SurveyNotebook, _ terminal: Terminal
  ) async throws {
    let keyboard = Keyboard()
    let typing = Task { await keyboard.follow() }
    defer { typing.cancel() }
    let person = SurveyPerson(
      answers: keyboard.isTerminal, letsRoll: letsRoll, timeout: wait, nextAnswer: { keyboard.next() })
    let captures = Locked<[CaptureWriter]>([])
    let watch = { (line: any Transport, writers: [CaptureWriter]) -> any Transport in
      captures.withLock { $0 = writers }
      return SurveyTransport(line, to: notebook)
    }
    try await connection.withRobot(adjust: Self.letStream, watch: watch) { robot in
      var run = SurveyRun(robot, notebook: notebook, person: person) { news in
        for capture in captures.withLock({ $0 }) { capture.note(news.mark) }
        if let text = news.text(typed: keyboard.isTerminal) { await terminal.note(text, connection) }
      }
      try await run.perform(steps.steps)
    }
  }

  /// A survey asks for streams as no session would.
  private static func letStream(_ settings: inout Robot.Settings) { settings.endsStrayStreams = false }

  /// Reads the capture of a survey.
  private static func log(in file: String) async throws -> (SurveyLog, CaptureError?) {
    let source: InputFile
    do throws(LinkError) { source = try InputFile(file) } catch {
      throw Failure(.noInput, error.message, advice: "Name the capture of a survey.")
    }
    var reader = CaptureReader(.capture)
    var log = SurveyLog()
    var malformed: CaptureError?
    var isAtEnd = false
    while !isAtEnd {
      do {
        if let bytes = try await source.read() { reader.append(bytes) } else { isAtEnd = true }
      } catch let error as LinkError {
        throw Failure(.noInput, error.message, advice: "Check that the file can be read.")
      }
      if isAtEnd { reader.finish() }
      while let record = reader.next(keeping: &malformed) { log.append(record) }
    }
    guard !log.isEmpty else {
      if let malformed {
        throw Failure(.badData, "\(file): \(malformed)", advice: "Name the capture of a survey.")
      }
      throw Failure(.badData, "\(file) holds no survey", advice: "Make one with 'sphero survey'.")
    }
    return (log, malformed)
  }

  private func print(_ log: SurveyLog, _ terminal: Terminal) async throws {
    var records: RecordPrinter?
    for finding in log.findings {
      if format == .text {
        for line in finding.lines { try await terminal.print(line) }
        continue
      }
      let fields = finding.fields
      var printer = records ?? RecordPrinter(format, kind: "finding", columns: fields.map { Column($0) })
      try await terminal.print(printer.text(fields.map(\.value)))
      records = printer
    }
  }
}

/// Some of the steps of a survey, in their order.
struct StepList: Argument {
  let steps: [SurveyStep]

  init(_ steps: [SurveyStep]) { self.steps = steps }

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ name in SurveyStep.all.contains { $0.name == name } }) else { return nil }
    steps = SurveyStep.all.filter { names.contains($0.name) }
  }

  var argumentText: String? { steps.count == SurveyStep.all.count ? nil : Self.text(steps) }
  static var placeholder: String { "list" }
  static var allowed: String? { text(SurveyStep.all) }
  static var words: [String] { SurveyStep.all.map(\.name) }
  static var isList: Bool { true }
  static func fault(in word: String, of name: String) -> UsageError? {
    ListFault.first(
      in: word, of: name, "is not a step", among: words,
      advice: "The steps are \(words.joined(separator: ", ")).")
  }
  private static func text(_ steps: [SurveyStep]) -> String { steps.map(\.name).joined(separator: ",") }
}

/// Lines that a person types during a survey.
private final class Keyboard: Sendable {
  private let input = try? InputFile("-")
  private let answers = Locked<[SurveyPerson.Answer]>([])
  private let hasEnded = Locked(false)

  /// Whether a person types.
  var isTerminal: Bool { input?.isTerminal ?? false }

  /// What was typed next; after the end of input, as Ctrl-D makes it, all that is left is skipped.
  func next() -> SurveyPerson.Answer? {
    answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? (hasEnded.withLock { $0 } ? .skip : nil)
  }

  /// Reads until the task is cancelled; an empty line is done, one that begins with s skips.
  func follow() async {
    guard let input, isTerminal else { return }
    var line: [UInt8] = []
    while let bytes = try? await input.read() {
      for byte in bytes {
        guard byte == 0x0A else {
          if line.count < 100 { line.append(byte) }
          continue
        }
        let answer: SurveyPerson.Answer = line.first.map { $0 | 0x20 } == UInt8(ascii: "s") ? .skip : .done
        answers.withLock { if $0.count < 100 { $0.append(answer) } }
        line = []
      }
    }
    if !Task.isCancelled { hasEnded.withLock { $0 = true } }
  }
}
