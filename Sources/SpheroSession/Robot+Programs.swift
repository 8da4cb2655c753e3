// Programs that run inside the robot: their upload, start, supervision and end.

import SpheroHost
public import SpheroProtocol
import SpheroTransport

/// An error that ends a program inside the robot early.
@nonexhaustive public enum ProgramRunError: Error, Hashable, Sendable {
  /// The time limit was reached, and the program was aborted.
  case timeLimitExceeded
  /// The process was suspended, which aborts the program.
  case suspended
  /// The line of orbBasic with this number ended the program.
  case stopped(line: UInt16, OrbBasic.ErrorCode)
}

extension ProgramRunError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// What went wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .timeLimitExceeded: "the program did not end in time, and was aborted"
    case .suspended: "the program of the robot was aborted, because this process was suspended"
    case .stopped(let line, let error):
      "the program ended with an error in the line numbered \(line): \(error.name)"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .timeLimitExceeded: "Allow more time, or see whether it can end at all."
    case .suspended: "Start it again."
    case .stopped: "Correct that line."
    }
  }
}

extension Robot {
  /// The interval at which the session polls for the end of a program; events report it sooner.
  private static var programPollInterval: Duration { .milliseconds(500) }
  /// The delay before a piece of a stream is sent again to a robot whose buffer is full.
  private static var pieceRetryDelay: Duration { .milliseconds(200) }
  /// The time before each value for `input`, in which the program reaches that statement.
  private static var inputDelay: Duration { .milliseconds(200) }

  /// Runs a macro until it ends.
  ///
  /// A running macro is aborted first. The flag `Macro.Flags.markEnd` is added, which lets the robot report the end;
  /// the session also polls for it. After a cancellation, the time limit or an error,
  /// the session aborts the macro and stops the ball. The flag `Macro.Flags.stopOnDisconnect` is added as well,
  /// which lets the robot do so if the link drops.
  ///
  /// - Parameters:
  ///   - macro: The macro.
  ///   - storage: The memory for it; a macro of more than 1 KB has to be a stream.
  ///   - timeLimit: The maximum duration since the first request; nil for no limit.
  ///   - onMarker: Receives the markers, except that of the end.
  /// - Throws: ``ProgramRunError``; `WireError` if the macro does not fit; as ``send(_:timeout:)``;
  ///   the errors of `onMarker`.
  public func run(
    _ macro: Macro, as storage: Macro.Storage = .temporary, timeLimit: Duration? = nil,
    onMarker: @escaping @Sendable (Macros.Marker) async throws -> Void = { _ in }
  ) async throws {
    var macro = macro
    macro.flags.formUnion([.markEnd, .stopOnDisconnect])
    let requests = try macro.requests(as: storage)
    let markers = events(of: Macros.Marker.self)
    try await untilEnd(timeLimit, aborting: Macros.AbortMacro()) {
      try await self.send(Macros.AbortMacro())
      for request in requests {
        if storage == .stream { try await self.sendPiece(request) } else { try await self.sendAny(request) }
      }
    } watching: {
      for try await marker in markers {
        guard marker.marker != 0 else { return }
        try await onMarker(marker)
      }
    } hasEnded: {
      try await self.send(Macros.GetMacroStatus()).macro == 0
    }
  }

  /// Runs a program in BASIC until it ends.
  ///
  /// A running program is aborted first. A robot reports errors but no normal end: the session polls for it
  /// with the start of a line that the program does not have, which the robot refuses while a program runs.
  /// After a cancellation, the time limit or an error, the session aborts the program and stops the ball.
  /// A program that moves the ball continues after a lost link, unless it contains the statement `basflg 8`.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - timeLimit: The maximum duration since the first request; nil for no limit.
  ///   - inputs: The values for `input`, each sent 200 ms or more after the start and after the previous one. A robot ignores
  ///     a value while no `input` waits, and does not report which statement it executes.
  ///   - onPrint: Receives the output of the program.
  /// - Throws: ``ProgramRunError``; as ``send(_:timeout:)``; the errors of `onPrint`.
  public func run(
    _ program: OrbBasicProgram, timeLimit: Duration? = nil,
    inputs: AsyncStream<Int32> = AsyncStream { $0.finish() },
    onPrint: @escaping @Sendable (OrbBasic.PrintMessage) async throws -> Void = { _ in }
  ) async throws {
    let requests = program.requests()
    let absent = program.absentLine
    let events = events()
    let started = AutoResetEvent()
    try await untilEnd(timeLimit, aborting: OrbBasic.Abort()) {
      for request in requests { try await self.sendAny(request) }
      started.signal()
    } watching: {
      // Cancelled when the program ends; the other tasks report errors of the link.
      async let _: Void = self.submit(inputs, after: started)
      for try await event in events {
        if event.id == OrbBasic.PrintMessage.id,
          let text = try? OrbBasic.PrintMessage(payload: event.payload)
        {
          try await onPrint(text)
        } else if event.id == OrbBasic.ErrorMessage.id,
          let error = try? OrbBasic.ErrorMessage(payload: event.payload)
        {
          if error.line == absent { return }
          // The error of the previous program, which was aborted.
          if error.error == .aborted { continue }
          throw ProgramRunError.stopped(line: error.line, error.error)
        }
      }
    } hasEnded: {
      do {
        try await self.send(OrbBasic.Execute(area: .ram, line: absent))
        return true
      } catch SessionError.refused(_, .failedToExecute) {
        // The program is still running.
        return false
      } catch let error as SessionError where error.isLinkError {
        return false
      }
    }
  }

  /// Stops the ball, and aborts the macro and the program in BASIC that the robot runs, whichever session started them.
  ///
  /// The ball is stopped first and last, since a program may move it until its abort. Only the last stop must
  /// be confirmed without an error: the firmware may lack a language, and a program may reserve the motors for itself.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func abortPrograms() async throws {
    do {
      let stop = Motion.Roll(speed: 0, heading: conversation.heading ?? 0, state: .stop)
      for command in [stop, AbortAnyMacro(), OrbBasic.Abort()] as [any Command] {
        do { _ = try await send(command) } catch SessionError.refused {}
      }
    } catch {
      // An abort whose answer was lost leaves the ball rolling.
      try? await stop()
      throw error
    }
    try await stop()
  }

  /// `Macros.AbortMacro` with any answer: the position of the macro does not matter, and firmware of API 1.20 has another.
  private struct AbortAnyMacro: Command {
    struct Response: Message {
      var position: [UInt8] = []
      mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("position", &position, count: 0...253)
      }
    }
    static let id = Macros.AbortMacro.id
  }

  private func submit(_ inputs: AsyncStream<Int32>, after started: AutoResetEvent) async throws {
    _ = try await started.wait()
    for await value in inputs {
      try await time.sleep(for: Self.inputDelay)
      try await send(OrbBasic.SubmitInput(value: value))
    }
  }

  /// Starts a program and waits for its end; if anything else ends the wait, the program is aborted.
  private func untilEnd(
    _ timeLimit: Duration?, aborting abort: some Command,
    start: @escaping @Sendable () async throws -> Void,
    watching watch: @escaping @Sendable () async throws -> Void,
    hasEnded: @escaping @Sendable () async throws -> Bool
  ) async throws {
    (programAbort, isProgramAborted) = (abort, false)
    defer { programAbort = nil }
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        let (time, poll) = (time, Self.programPollInterval)
        group.addTask { try await watch() }
        group.addTask {
          try await start()
          repeat { try await time.sleep(for: poll) } while try await !hasEnded()
          // The last events may still be in transit to the watching task.
          try await time.sleep(for: .milliseconds(50))
        }
        if let timeLimit {
          group.addTask {
            try await time.sleep(for: timeLimit)
            throw ProgramRunError.timeLimitExceeded
          }
        }
        defer { group.cancelAll() }
        try await group.next()
        if isProgramAborted { throw ProgramRunError.suspended }
      }
    } catch {
      if case ProgramRunError.stopped = error { throw error }
      // A separate task, because this one may be cancelled.
      await time.start { await self.end(abort) }.value
      throw error
    }
  }

  /// Aborts a program inside the robot, and stops the ball.
  func end(_ abort: any Command) async {
    _ = try? await send(abort, timeout: .milliseconds(200))
    try? await stop()
  }

  /// Sends a request of an upload, or the start that follows it.
  private func sendAny(_ request: any Command) async throws {
    // An upload must not start a program after it was aborted.
    if isProgramAborted { throw ProgramRunError.suspended }
    _ = try await send(request)
  }

  /// Sends a piece of a stream, repeatedly while the robot's buffer is full.
  private func sendPiece(_ request: any Command) async throws {
    while true {
      do { return try await sendAny(request) } catch SessionError.refused(_, .failedToExecute) {
        try await time.sleep(for: Self.pieceRetryDelay)
      }
    }
  }
}
