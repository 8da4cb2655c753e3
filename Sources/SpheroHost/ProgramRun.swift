// A program inside the robot: its transfer, its supervision and its end.

package import SpheroProtocol

extension ProgramLanguage {
  package var abort: EncodedRequest {
    switch self {
    case .macro: EncodedRequest(valid: Macros.AbortMacro())
    case .basic: EncodedRequest(valid: OrbBasic.Abort())
    }
  }
}

/// A program as the requests that transfer and start it.
package struct EncodedProgram: Sendable {
  package let language: ProgramLanguage
  private(set) var requests: [EncodedRequest]
  /// The number of a line that a program in BASIC does not have: the robot refuses to execute it while a program runs.
  package var absentLine: UInt16 = 0
  /// Whether a macro is sent while it runs.
  private(set) var isStream = false
  /// Whether the ball may roll after the end of the program.
  package let mayRoll: Bool

  /// The index of the request that starts the program: the first piece of a stream, otherwise the last request.
  fileprivate var startIndex: Int { isStream ? 1 : requests.count - 1 }

  /// The steps that roll the ball or continue in another macro, by opcode.
  private static let rollingSteps: [UInt8] = [
    Macro.Roll.opcode, Macro.RollSystemDelay1.opcode, Macro.RollSystemSpeed1.opcode,
    Macro.RollSystemSpeed2.opcode, Macro.RollLong.opcode, Macro.SetSpeed.opcode, Macro.RawMotors.opcode,
    Macro.Goto.opcode, Macro.Gosub.opcode, Macro.BranchOnCollision.opcode,
  ]

  /// Encodes a macro, as a stream if it is too long for the temporary one; it reports its end, and a lost link ends it.
  ///
  /// - Throws: `WireError` if the macro does not fit the storage.
  package init(_ macro: Macro, as storage: Macro.Storage?) throws(WireError) {
    var macro = macro
    macro.flags.formUnion([.markEnd, .stopOnDisconnect])
    let isLong = try macro.payload().count > Macro.maximumTemporaryLength
    let storage = storage ?? (isLong ? .stream : .temporary)
    var list = RequestList()
    list.visit(Macros.AbortMacro())
    try macro.visitRequests(as: storage, &list)
    (language, requests, isStream) = (.macro, list.requests, storage == .stream)
    mayRoll = macro.commands.contains { Self.rollingSteps.contains($0.opcode) }
    setStartEffect(stopsOnDisconnect: true, runsMacros: false)
  }

  package init(_ program: OrbBasicProgram) {
    var list = RequestList()
    program.visitRequests(&list)
    let lines = program.text.utf8.split(separator: 0x0A).map { Self.code(in: $0) }
    func operands(of statement: String, in lines: some Sequence<[UInt8]>) -> [ArraySlice<UInt8>] {
      lines.compactMap { code in
        let place = code.indices.first { code[$0...].starts(with: statement.utf8) }
        return place.map { code[$0...].dropFirst(statement.utf8.count) }
      }
    }
    func contains(_ statement: String) -> Bool { !operands(of: statement, in: lines).isEmpty }
    // A computed value may lack the flag.
    let flags = operands(of: "basflg", in: lines).map { UInt8(String(decoding: $0, as: UTF8.self)) ?? 0 }
    // The lines that are performed before the ball can move.
    let beginning = lines.prefix { code in
      ["goroll", "raw", "macrun", "if", "goto", "gosub"].allSatisfy { operands(of: $0, in: [code]).isEmpty }
    }
    (language, requests, absentLine) = (.basic, list.requests, program.absentLine)
    let runsMacros = contains("macrun")
    mayRoll = runsMacros || contains("goroll") || contains("raw")
    // The flag 8 permits the stop; each `basflg` replaces all flags.
    let stopsOnDisconnect =
      !operands(of: "basflg", in: beginning).isEmpty && flags.allSatisfy { $0 & 8 != 0 }
    setStartEffect(stopsOnDisconnect: stopsOnDisconnect, runsMacros: runsMacros)
  }

  /// A line without blanks, quoted texts and the comment at its end.
  ///
  /// The robot needs no blanks between words and numbers, so statements are found as parts of this text.
  private static func code(in line: Substring.UTF8View) -> [UInt8] {
    var isQuoted = false
    var code: [UInt8] = []
    for byte in line {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "'") where !isQuoted: return code
      case UInt8(ascii: " "), UInt8(ascii: "\t"): break
      default: if !isQuoted { code.append(byte) }
      }
    }
    return code
  }

  private mutating func setStartEffect(stopsOnDisconnect: Bool, runsMacros: Bool) {
    guard requests.indices.contains(startIndex) else { return }
    requests[startIndex].effect = .runProgram(stopsOnDisconnect: stopsOnDisconnect)
    if mayRoll { requests[startIndex].startedLanguages = [language] + (runsMacros ? [.macro] : []) }
    // The later pieces of a stream start no program.
    for index in requests.indices.dropFirst(startIndex + 1) { requests[index].effect = nil }
  }

  private struct RequestList: CommandVisitor {
    var requests: [EncodedRequest] = []

    mutating func visit(_ command: some Command) {
      if let request = try? EncodedRequest(command) { requests.append(request) }
    }
  }
}

/// A program that runs inside the robot, as a value: the owner sends its requests and passes the answers.
package struct ProgramRun: Sendable {
  package enum End: Sendable {
    case completed
    /// An error in the line with this number.
    case stopped(line: UInt16, OrbBasic.ErrorCode)
    /// Another request aborted the program.
    case aborted
    case failed(SessionError)
  }

  package enum Output: Sendable {
    /// A marker of a macro, except that of its end.
    case marker(Macros.Marker)
    case print(OrbBasic.PrintMessage)
    case end(End)

    /// Decodes an event of any program; nil if programs do not cause it.
    package init?(_ event: EventPacket) {
      if let marker = Macros.Marker(packet: event) {
        self = marker.marker == 0 ? .end(.completed) : .marker(marker)
      } else if let print = OrbBasic.PrintMessage(packet: event) {
        self = .print(print)
      } else if let error = OrbBasic.ErrorMessage(packet: event) {
        self = .end(error.error == .aborted ? .aborted : .stopped(line: error.line, error.error))
      } else {
        return nil
      }
    }
  }

  /// The interval of the polls for the end; events report it sooner.
  private static let pollInterval = Duration.milliseconds(500)
  /// The delay before a piece of a streamed macro is sent again to a robot whose buffer is full.
  private static let retryDelay = Duration.milliseconds(200)
  /// The time without a packet of the robot after which a running program counts as lost.
  private static let silenceTimeout = Duration.seconds(10)

  package let program: EncodedProgram
  package let start: Duration
  /// When ``step(at:)`` is due; nil while an answer is awaited.
  package private(set) var nextStep: Duration?
  private var index = 0
  /// When the robot confirmed the request before the starting one, so that later events are of this program; nil before.
  private var begun: Duration?
  /// Whether the robot runs the whole program.
  package private(set) var isRunning = false

  package init(_ program: EncodedProgram, at now: Duration) {
    (self.program, start, nextStep) = (program, now, now)
  }

  package mutating func step(at now: Duration) -> EncodedRequest? {
    guard let due = nextStep, due <= now else { return nil }
    nextStep = nil
    guard !isRunning else { return poll }
    return program.requests.indices.contains(index) ? program.requests[index] : nil
  }

  private var poll: EncodedRequest {
    if program.language == .macro { return EncodedRequest(valid: Macros.GetMacroStatus()) }
    var query = EncodedRequest(valid: OrbBasic.Execute(area: .ram, line: program.absentLine))
    // It starts no program.
    query.effect = nil
    return query
  }

  /// Handles the answer to a request; returns the end of the program if there is one.
  package mutating func handle(_ response: ResponsePacket, at now: Duration) -> End? {
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
      if begun == nil, index >= program.startIndex { begun = now }
      isRunning = index >= program.requests.count
      nextStep = isRunning ? now + Self.pollInterval : now
    // The buffer of a streamed macro is full.
    case .failedToExecute where program.isStream: nextStep = now + Self.retryDelay
    default: return .failed(.refused(command: awaitedCommand, status: response.status))
    }
    return nil
  }

  /// Handles a request without an answer; returns the end of the program if there is one.
  ///
  /// Lost answers do not end a running program while packets arrive; `lastArrival` is the time of the last packet.
  package mutating func handle(_ error: SessionError, lastArrival: Duration?, at now: Duration) -> End? {
    guard isRunning, error.isLinkError, now - (lastArrival ?? start) < Self.silenceTimeout else {
      return .failed(error)
    }
    nextStep = now + Self.pollInterval
    return nil
  }

  private var awaitedCommand: String {
    program.requests.indices.contains(index) ? program.requests[index].name : poll.name
  }

  /// Returns what an event reports about the program; nil if another program caused it.
  package func output(of event: EventPacket, at arrival: Duration) -> Output? {
    guard let begun, arrival > begun, let output = Output(event) else { return nil }
    switch output {
    case .end(.stopped(program.absentLine, _)) where program.language == .basic: return .end(.completed)
    // A program in BASIC can run macros.
    case .end(.completed) where program.language == .basic: return nil
    // While a macro runs, these events are of a program in BASIC beside it.
    case .end(.stopped), .end(.aborted): return program.language == .basic ? output : nil
    case .end, .marker, .print: return output
    }
  }
}
