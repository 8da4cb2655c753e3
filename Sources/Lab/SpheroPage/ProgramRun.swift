// A program inside the robot: the check of its text, its transfer, its supervision and its end.

import SpheroHost
import SpheroModel
import SpheroProtocol

/// A language of programs inside the robot.
enum ProgramLanguage: String, CaseIterable, Sendable {
  case macro, basic

  /// The command that ends any program of the language.
  var abort: EncodedRequest? {
    switch self {
    case .macro: try? EncodedRequest(Macros.AbortMacro())
    case .basic: try? EncodedRequest(OrbBasic.Abort())
    }
  }
}

/// An error in the text of a program.
struct ProgramTextError: Error, Hashable, Sendable {
  /// The line and the character of the line, counted from 1; nil if the error concerns the whole text.
  var line: Int?
  var column: Int?
  /// A sentence without a full stop.
  let message: String
  /// The next step.
  let advice: String

  init(line: Int? = nil, column: Int? = nil, message: String, advice: String) {
    (self.line, self.column, self.message, self.advice) = (line, column, message, advice)
  }

  fileprivate init(_ error: MacroTextError) {
    let isPlaced = error.code != .empty
    let isNumbered = error.code == .unknownStep && UInt(error.text) != nil
    self.init(
      line: isPlaced ? error.line : nil, column: isPlaced ? error.column : nil, message: error.reason,
      advice: isNumbered
        ? "If this is orbBasic, select it as the language."
        : "Correct this line; the examples show the form of a macro.")
  }

  fileprivate init(_ error: ProgramError) {
    self.init(
      line: error.line, column: error.line.map { _ in 1 }, message: error.message, advice: error.advice)
  }

  fileprivate init(_ error: OrbBasicProgramError) {
    self.init(
      line: error.line, column: error.column, message: error.code.name, advice: error.advice)
  }
}

/// A program as the requests that transfer and start it.
struct PreparedProgram: Sendable {
  let language: ProgramLanguage
  /// What the text contains, like `5 steps, 41 bytes`.
  let summary: String
  /// The requests in order.
  fileprivate let requests: [EncodedRequest]
  /// The number of a line that a program in BASIC does not have.
  fileprivate var absentLine: UInt16 = 0
  /// The row of the text, from 1, of each line number.
  fileprivate var rows: [UInt16: Int] = [:]

  /// The longest text that is examined, far more than the memory of any robot.
  private static let maximumByteCount = 1_000_000

  /// Checks a text and prepares its requests.
  init(_ text: String, in language: ProgramLanguage) throws(ProgramTextError) {
    guard text.utf8.count <= Self.maximumByteCount else {
      throw ProgramTextError(
        message: "the text has \(text.utf8.count) bytes, at most \(Self.maximumByteCount) are read",
        advice: "Shorten it.")
    }
    switch language {
    case .macro: try self.init(macro: text)
    case .basic: try self.init(basic: text)
    }
  }

  /// All errors in a text, of which ``init(_:in:)`` throws the first; each line has at most one.
  static func errors(in text: String, _ language: ProgramLanguage) -> [ProgramTextError] {
    let first: ProgramTextError
    do throws(ProgramTextError) {
      _ = try PreparedProgram(text, in: language)
      return []
    } catch { first = error }
    guard first.line != nil else { return [first] }
    let all =
      switch language {
      case .macro: Macro.errors(in: text).map { ProgramTextError($0) }
      case .basic: OrbBasicProgram.errors(in: text).map { ProgramTextError($0) }
      }
    return ([first] + all.filter { $0.line != first.line }).sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private init(macro text: String) throws(ProgramTextError) {
    var macro: Macro
    do throws(MacroTextError) { macro = try Macro(text: text) } catch { throw ProgramTextError(error) }
    guard !macro.flags.contains(.unkillable) else {
      throw ProgramTextError(
        message: "a macro with the flag 'unkillable' cannot be stopped", advice: "Leave the flag out.")
    }
    macro.flags.formUnion([.markEnd, .stopOnDisconnect])
    var list = RequestList()
    do throws(WireError) {
      let count = try macro.payload().count
      let storage: Macro.Storage = count > Macro.maximumTemporaryLength ? .stream : .temporary
      list.visit(Macros.AbortMacro())
      try macro.visitRequests(as: storage, &list)
      let steps = macro.commands.count
      let way = storage == .stream ? ", sent while it runs" : ""
      summary = "\(steps) step\(steps == 1 ? "" : "s"), \(count) bytes\(way)"
    } catch { throw ProgramTextError(message: error.description, advice: "Shorten the macro.") }
    (language, requests) = (.macro, list.requests)
  }

  private init(basic text: String) throws(ProgramTextError) {
    let program: OrbBasicProgram
    do throws(ProgramError) { program = try OrbBasicProgram(text) } catch { throw ProgramTextError(error) }
    if let error = OrbBasicProgram.firstError(in: text) { throw ProgramTextError(error) }
    var list = RequestList()
    program.visitRequests(&list)
    let count = program.lineNumbers.count
    summary = "\(count) line\(count == 1 ? "" : "s"), \(program.text.utf8.count + 1) bytes"
    (language, requests, absentLine) = (.basic, list.requests, program.absentLine)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
    for (row, line) in zip(1..., lines) {
      if let number = UInt16(line.prefix { $0.isASCII && $0.isNumber }) { rows[number] = row }
    }
  }

  private struct RequestList: CommandVisitor {
    var requests: [EncodedRequest] = []

    mutating func visit(_ command: some Command) {
      if let request = try? EncodedRequest(command) { requests.append(request) }
    }
  }
}

/// A program that runs inside the robot, as a value: the owner sends its requests and passes the answers.
struct ProgramRun: Sendable {
  /// The next action of the owner.
  enum Action: Sendable {
    case wait
    case send(EncodedRequest)
  }

  /// The end of a program.
  enum End: Sendable {
    case completed
    /// An error in the program, with the row of the text, from 1.
    case stopped(row: Int?, line: UInt16, OrbBasic.ErrorCode)
    case failed(SessionError)
  }

  /// The interval of the polls for the end; events report it sooner.
  private static let pollInterval = Duration.milliseconds(500)
  /// The delay before a piece of a stream is sent again to a robot whose buffer is full.
  private static let retryDelay = Duration.milliseconds(200)

  let program: PreparedProgram
  let start: Duration
  /// When ``step(at:)`` is due; nil while an answer is awaited.
  private(set) var nextStep: Duration?
  /// The index of the next request of the transfer.
  private var index = 0
  /// Whether the robot runs the whole program.
  private(set) var isRunning = false

  init(_ program: PreparedProgram, at now: Duration) { (self.program, start, nextStep) = (program, now, now) }

  /// Returns the request that is due.
  mutating func step(at now: Duration) -> Action {
    guard let due = nextStep, due <= now else { return .wait }
    nextStep = nil
    guard !isRunning else { return poll }
    guard program.requests.indices.contains(index) else { return .wait }
    return .send(program.requests[index])
  }

  private var poll: Action {
    switch program.language {
    case .macro: (try? EncodedRequest(Macros.GetMacroStatus())).map { .send($0) } ?? .wait
    case .basic:
      (try? EncodedRequest(OrbBasic.Execute(area: .ram, line: program.absentLine))).map { .send($0) } ?? .wait
    }
  }

  /// Handles the answer to a request; returns the end of the program if there is one.
  mutating func handle(_ response: ResponsePacket, at now: Duration) -> End? {
    guard isRunning else { return continueTransfer(response, at: now) }
    nextStep = now + Self.pollInterval
    switch (program.language, response.status) {
    case (.macro, .ok):
      return (try? Macros.Position(payload: response.payload))?.macro == 0 ? .completed : nil
    // The robot executes the absent line only if no program runs.
    case (.basic, .ok): return .completed
    case (.basic, .failedToExecute): return nil
    default: return .failed(.refused(command: awaitedCommand, status: response.status))
    }
  }

  private mutating func continueTransfer(_ response: ResponsePacket, at now: Duration) -> End? {
    switch response.status {
    case .ok:
      index += 1
      isRunning = index >= program.requests.count
      nextStep = isRunning ? now + Self.pollInterval : now
    // The buffer of a streamed macro is full.
    case .failedToExecute where awaitedCommand == Macros.SaveMacro.name: nextStep = now + Self.retryDelay
    default: return .failed(.refused(command: awaitedCommand, status: response.status))
    }
    return nil
  }

  /// Handles a request without an answer; returns the end of the program if there is one.
  mutating func handle(_ error: SessionError, at now: Duration) -> End? {
    guard isRunning, error.isLinkError else { return .failed(error) }
    nextStep = now + Self.pollInterval
    return nil
  }

  /// The name of the command whose answer is awaited.
  private var awaitedCommand: String {
    if program.requests.indices.contains(index) { return program.requests[index].name }
    return program.language == .macro ? Macros.GetMacroStatus.name : OrbBasic.Execute.name
  }

  /// Handles an error that the robot reports; returns the end of the program unless another program caused it.
  func handle(_ error: OrbBasic.ErrorMessage) -> End? {
    if error.line == program.absentLine { return isRunning ? .completed : nil }
    // The error of the previous program, which was aborted.
    if error.error == .aborted { return nil }
    return .stopped(row: program.rows[error.line], line: error.line, error.error)
  }
}
