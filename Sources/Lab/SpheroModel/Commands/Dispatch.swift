// The dispatch of commands by a table of typed handlers.

public import SpheroProtocol

public struct Refusal: Error, Hashable {
  /// The status of the response.
  public var status: Status

  public init(_ status: Status) { self.status = status }
}

extension Message {
  /// Creates a message with default values, and changes them.
  init(_ change: (inout Self) -> Void) {
    self.init()
    change(&self)
  }
}

/// The handler of one command; ``RobotModel/Configuration/handlers`` adds handlers to the built-in ones.
public struct CommandHandler: Sendable {
  let id: CommandID
  let run: @Sendable (inout RobotModel, [UInt8]) throws(Refusal) -> [UInt8]

  /// Makes a handler that executes a command and returns its response.
  ///
  /// A payload that does not fit the layout of the command is refused before `body` runs.
  public static func reply<C: Request>(
    to type: C.Type, _ body: @escaping @Sendable (inout RobotModel, C) throws(Refusal) -> C.Response
  ) -> CommandHandler {
    CommandHandler(id: C.id) { (robot: inout RobotModel, payload: [UInt8]) throws(Refusal) -> [UInt8] in
      let command: C
      do throws(WireError) { command = try C(request: payload) } catch {
        // A wrong length takes precedence over a wrong value.
        let hasWrongLength = C.describe(payload).remarks.contains { remark in
          switch remark {
          case .truncated, .excess: true
          default: false
          }
        }
        throw Refusal(hasWrongLength ? .badMessageFormat : .badParameter)
      }
      let response = try body(&robot, command)
      do throws(WireError) { return try response.payload() } catch { throw Refusal(.general) }
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
    _ type: C.Type, _ body: @escaping @Sendable (inout RobotModel, C) throws(Refusal) -> Void
  ) -> CommandHandler where C.Response == Acknowledgement {
    reply(to: type) { (robot: inout RobotModel, command: C) throws(Refusal) -> Acknowledgement in
      try body(&robot, command)
      return Acknowledgement()
    }
  }
}

extension RobotModel {
  /// The handlers of the main application.
  static let table: [CommandID: CommandHandler] =
    (coreHandlers + powerHandlers + motionHandlers + sensingHandlers + settingsHandlers + blockHandlers
    + soulHandlers + programHandlers).reduce(into: [:]) { $0[$1.id] = $1 }

  mutating func answerAll() {
    while let item = input.next() {
      switch item {
      case .badChecksum(let command):
        statistics.badChecksums += 1
        respond(to: command, .badChecksum, [])
      case .command(let command): answer(command)
      }
      // A robot that has fallen asleep ignores the commands that follow.
      if nap != nil { return input.reset() }
    }
  }

  private mutating func answer(_ command: CommandPacket) {
    statistics.commands += 1
    if command.options.contains(.resetTimeout) || !configuration.profile.hasTimeoutOption {
      (lastActivity, hasWarnedOfSleep) = (hardware.now, false)
    }
    hardware.heldEvents = []
    let (status, payload) = execute(command)
    if nap == nil { runPrograms() }
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
    do throws(Refusal) {
      return (.ok, try handler(of: command.id).run(&self, command.payload))
    } catch {
      switch error.status {
      case .unknownDevice: statistics.badDevices += 1
      case .unknownCommand: statistics.badCommands += 1
      case .badMessageFormat: statistics.badLengths += 1
      default: break
      }
      return (error.status, [])
    }
  }

  private func handler(of id: CommandID) throws(Refusal) -> CommandHandler {
    guard !isInBootloader else {
      guard id.device <= 0x01 else { throw Refusal(.unknownDevice) }
      guard let handler = Self.bootloaderTable[id] else { throw Refusal(.unknownCommand) }
      return handler
    }
    if let own = configuration.handlers.last(where: { $0.id == id }) { return own }
    return try Self.handler(of: id, by: configuration.profile)
  }

  /// The status with which the main application refuses a command in every state, or nil if it can execute it.
  public static func refusal(of command: CommandID, by profile: Profile) -> Status? {
    do throws(Refusal) { _ = try handler(of: command, by: profile) } catch { return error.status }
    // The handler of this command refuses it in every mode.
    return command == Diagnostics.ClearCounters.id ? .unsupported : nil
  }

  private static func handler(of id: CommandID, by profile: Profile) throws(Refusal) -> CommandHandler {
    guard id.device == 0x00 || id.device == 0x02 else { throw Refusal(.unknownDevice) }
    guard let handler = table[id], !profile.unknownCommands.contains(id) else {
      throw Refusal(.unknownCommand)
    }
    return handler
  }

  static let bootloaderTable: [CommandID: CommandHandler] =
    ([
      .acknowledge(Core.Ping.self) { _, _ in },
      .acknowledge(Bootloader.LeaveBootloader.self) { robot, _ in robot.isInBootloader = false },
      // A recorded robot reports page 10h as not blank; here no page is blank.
      .fillResponse(to: Bootloader.IsPageBlank.self) { _, _ in },
    ] as [CommandHandler]).reduce(into: [:]) { $0[$1.id] = $1 }
}
