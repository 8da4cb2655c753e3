// The dispatch of commands by a table of typed handlers.

public import SpheroProtocol

/// A handler throws the status of its response.
extension Status: Error {}

extension Message {
  init(_ change: (inout Self) -> Void) {
    self.init()
    change(&self)
  }
}

/// The handler of one command; ``RobotModel/Configuration/handlers`` adds handlers to the built-in ones.
public struct CommandHandler: Sendable {
  let id: CommandID
  let run: @Sendable (inout RobotModel, [UInt8]) throws(Status) -> [UInt8]

  /// Makes a handler that executes a command whose payload fits its layout, and returns its response.
  public static func reply<C: Request>(
    to type: C.Type, _ body: @escaping @Sendable (inout RobotModel, C) throws(Status) -> C.Response
  ) -> CommandHandler {
    CommandHandler(id: C.id) { (robot: inout RobotModel, payload: [UInt8]) throws(Status) -> [UInt8] in
      let command: C
      do throws(WireError) { command = try C(request: payload) } catch {
        // A wrong length takes precedence over a wrong value.
        let hasWrongLength = C.describe(payload).remarks.contains { remark in
          switch remark {
          case .truncated, .excess: true
          default: false
          }
        }
        throw hasWrongLength ? Status.badMessageFormat : .badParameter
      }
      let response = try body(&robot, command)
      do throws(WireError) { return try response.payload() } catch { throw .general }
    }
  }

  /// Makes a handler that fills the response of a command without parameters.
  static func fillResponse<C: Request>(
    to type: C.Type, _ body: @escaping @Sendable (inout RobotModel, inout C.Response) -> Void
  ) -> CommandHandler {
    reply(to: type) { robot, _ in C.Response { body(&robot, &$0) } }
  }

  /// Makes a handler that executes a command and acknowledges it.
  public static func acknowledge<C: Request>(
    _ type: C.Type, _ body: @escaping @Sendable (inout RobotModel, C) throws(Status) -> Void
  ) -> CommandHandler where C.Response == Acknowledgement {
    reply(to: type) { (robot: inout RobotModel, command: C) throws(Status) -> Acknowledgement in
      try body(&robot, command)
      return Acknowledgement()
    }
  }

  fileprivate static func status<C: Request>(
    of type: C.Type, _ body: @escaping @Sendable (inout RobotModel, C) -> Status
  ) -> CommandHandler where C.Response == Acknowledgement {
    acknowledge(type) { (robot: inout RobotModel, command: C) throws(Status) in
      let status = body(&robot, command)
      guard status == .ok else { throw status }
    }
  }
}

extension RobotModel {
  static let table: [CommandID: CommandHandler] =
    (coreHandlers + motionHandlers + settingsHandlers + programHandlers).reduce(into: [:]) { $0[$1.id] = $1 }

  mutating func answerAll() {
    while let (command, hasChecksum) = input.next() {
      if hasChecksum {
        answer(command)
      } else {
        statistics.badChecksums += 1
        respond(to: command, .badChecksum, [])
      }
      // A robot that has fallen asleep ignores the commands that follow.
      if isAsleep { return input.reset() }
    }
  }

  private mutating func answer(_ command: CommandPacket) {
    statistics.commands += 1
    if command.options.contains(.resetTimeout) || !configuration.profile.hasTimeoutOption {
      (lastActivity, hasWarnedOfSleep) = (hardware.now, false)
    }
    hardware.heldEvents = []
    let (status, payload) = execute(command)
    if !isAsleep { runPrograms() }
    let events = hardware.heldEvents ?? []
    hardware.heldEvents = nil
    respond(to: command, status, payload)
    // A gap separates the events that a command causes from its response.
    for (index, event) in events.enumerated() {
      hardware.send(
        event, notBefore: hardware.now + configuration.eventGap,
        gap: index == 0 ? configuration.eventGap : Output.spacing)
    }
    if !events.isEmpty { hardware.eventsNotBefore = hardware.now + configuration.eventGap }
    hardware.updateEffort()
  }

  private mutating func respond(to command: CommandPacket, _ status: Status, _ payload: [UInt8]) {
    guard command.options.contains(.answer) else { return }
    hardware.send(
      .response(ResponsePacket(status: status, sequence: command.sequence, payload: payload)),
      notBefore: hardware.now)
  }

  /// Executes a command; returns the status of the response, and its payload, which is empty unless the status is ok.
  private mutating func execute(_ command: CommandPacket) -> (Status, [UInt8]) {
    do throws(Status) {
      return (.ok, try handler(of: command.id).run(&self, command.payload))
    } catch {
      switch error {
      case .unknownDevice: statistics.badDevices += 1
      case .unknownCommand: statistics.badCommands += 1
      case .badMessageFormat: statistics.badLengths += 1
      default: break
      }
      return (error, [])
    }
  }

  private func handler(of id: CommandID) throws(Status) -> CommandHandler {
    guard !isInBootloader else {
      guard id.device <= 0x01 else { throw .unknownDevice }
      guard let handler = Self.bootloaderTable[id] else { throw .unknownCommand }
      return handler
    }
    if let own = configuration.handlers.last(where: { $0.id == id }) { return own }
    guard id.device == 0x00 || id.device == 0x02 else { throw .unknownDevice }
    guard let handler = Self.table[id], !configuration.profile.unknownCommands.contains(id) else {
      throw .unknownCommand
    }
    return handler
  }

  static let programHandlers: [CommandHandler] = [
    .status(of: Macros.RunMacro.self) {
      $0.macros.run($1.macro, at: $0.hardware.now, isConnected: $0.hardware.isConnected)
    },
    .status(of: Macros.SaveTemporaryMacro.self) { $0.macros.saveTemporary($1.macro) },
    .status(of: Macros.SaveMacro.self) {
      $0.macros.save($1.macro, at: $0.hardware.now, isConnected: $0.hardware.isConnected)
    },
    .acknowledge(Macros.ReinitMacroExecutive.self) { robot, _ in robot.macros.reinitialize() },
    .reply(to: Macros.AbortMacro.self) { robot, _ in robot.macros.abort() },
    .reply(to: Macros.GetMacroStatus.self) { robot, _ in robot.macros.status },
    .acknowledge(Macros.SetMacroParameter.self) { $0.macros.setParameter($1) },
    .status(of: Macros.AppendMacroChunk.self) { $0.macros.append($1.chunk) },
    .status(of: OrbBasic.EraseStorage.self) { $0.orbBasic.erase($1.area) },
    .status(of: OrbBasic.AppendFragment.self) { $0.orbBasic.append($1.text.bytes, to: $1.area) },
    .status(of: OrbBasic.Execute.self) { $0.orbBasic.execute($1.area, line: $1.line, at: $0.hardware.now) },
    .acknowledge(OrbBasic.Abort.self) { robot, _ in robot.orbBasic.abort(at: robot.hardware.now) },
    .acknowledge(OrbBasic.SubmitInput.self) { $0.orbBasic.submit($1.value, at: $0.hardware.now) },
    .status(of: OrbBasic.CommitToFlash.self) { robot, _ in robot.orbBasic.commitToFlash() },
    .status(of: OrbBasic.CommitToFlashAlias.self) { robot, _ in robot.orbBasic.commitToFlash() },
  ]

  static let bootloaderTable: [CommandID: CommandHandler] =
    ([
      .acknowledge(Core.Ping.self) { _, _ in },
      .acknowledge(Bootloader.LeaveBootloader.self) { robot, _ in robot.isInBootloader = false },
      // A recorded robot reports page 10h as not blank; here no page is blank.
      .fillResponse(to: Bootloader.IsPageBlank.self) { _, _ in },
    ] as [CommandHandler]).reduce(into: [:]) { $0[$1.id] = $1 }
}
