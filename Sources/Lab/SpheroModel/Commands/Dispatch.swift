// How a command finds what the robot does for it: one table of typed handlers.

public import SpheroProtocol

/// A command that the robot does not execute.
public struct Refusal: Error, Hashable {
  /// What the response says.
  public var status: Status
  /// Refuses a command.
  public init(_ status: Status) { self.status = status }
}

/// What the robot does for one kind of command; ``RobotModel/Configuration/handlers`` takes those of your own.
public struct CommandHandler: Sendable {
  let id: CommandID
  let run: @Sendable (inout RobotModel, [UInt8]) throws(Refusal) -> [UInt8]

  /// Answers a command with a response of its own; a payload that does not fit the command is refused before.
  ///
  /// - Parameters:
  ///   - type: The command.
  ///   - body: What the robot does, and what it answers.
  /// - Returns: The handler.
  public static func reply<C: Request>(
    to type: C.Type, _ body: @escaping @Sendable (inout RobotModel, C) throws(Refusal) -> C.Response
  ) -> CommandHandler {
    CommandHandler(id: C.id) { (robot: inout RobotModel, payload: [UInt8]) throws(Refusal) -> [UInt8] in
      let command: C
      do throws(WireError) { command = try C(request: payload) } catch {
        // A value means nothing where the length is wrong.
        throw Refusal(LengthCheck.allows(C.self, payload.count) ? error.status : .badMessageFormat)
      }
      let response = try body(&robot, command)
      do throws(WireError) { return try response.payload() } catch { throw Refusal(.general) }
    }
  }

  /// Answers a command by saying that it was executed.
  ///
  /// - Parameters:
  ///   - type: The command.
  ///   - body: What the robot does.
  /// - Returns: The handler.
  public static func obey<C: Request>(
    _ type: C.Type, _ body: @escaping @Sendable (inout RobotModel, C) throws(Refusal) -> Void
  ) -> CommandHandler where C.Response == Acknowledgement {
    reply(to: type) { (robot: inout RobotModel, command: C) throws(Refusal) -> Acknowledgement in
      try body(&robot, command)
      return Acknowledgement()
    }
  }
}

extension WireError {
  /// How a robot refuses a payload that has this error.
  fileprivate var status: Status {
    switch self {
    case .truncated, .excess, .wrongCount: .badMessageFormat
    default: .badParameter
    }
  }
}

extension RobotModel {
  private static let handlers: [CommandHandler] =
    coreHandlers + powerHandlers + motionHandlers + sensingHandlers + settingsHandlers + blockHandlers
    + soulHandlers + programHandlers

  private static let table: [CommandID: CommandHandler] = handlers.reduce(into: [:]) { $0[$1.id] = $1 }

  /// The commands that the main application answers, in the order of their IDs.
  public static let knownCommands: [CommandID] = handlers.map { $0.id }.sorted {
    ($0.device, $0.command) < ($1.device, $1.command)
  }

  /// Answers everything heard.
  mutating func answerAll() {
    while let heard = input.next() {
      switch heard {
      case .broken(let command):
        statistics.badChecksums += 1
        respond(to: command, .badChecksum, [])
      case .command(let command): answer(command)
      }
      // Whatever else was heard is slept through.
      if nap != nil { return input.reset() }
    }
  }

  private mutating func answer(_ command: CommandPacket) {
    statistics.commands += 1
    if command.options.contains(.resetTimeout) { (lastActivity, hasWarnedOfSleep) = (machine.now, false) }
    machine.held = []
    let wasAsleep = nap != nil
    let (status, payload) = execute(command)
    if nap == nil, !wasAsleep { runPrograms() }
    let events = machine.held ?? []
    machine.held = nil
    respond(to: command, status, payload)
    // What a command causes comes after its response, and apart from it.
    for (index, event) in events.enumerated() {
      machine.send(
        event, notBefore: machine.now + configuration.eventGap,
        gap: index == 0 ? configuration.eventGap : Output.spacing)
    }
    if !events.isEmpty { machine.eventsNotBefore = machine.now + configuration.eventGap }
    machine.updateEffort()
  }

  private mutating func respond(to command: CommandPacket, _ status: Status, _ payload: [UInt8]) {
    guard command.options.contains(.answer) else { return }
    machine.send(
      .response(ResponsePacket(status: status, sequence: command.sequence, payload: payload)),
      notBefore: machine.now)
  }

  /// Executes a command.
  ///
  /// - Returns: The status of the response, and its payload where that is ok.
  private mutating func execute(_ command: CommandPacket) -> (Status, [UInt8]) {
    if !isInBootloader, let own = configuration.handlers.last(where: { $0.id == command.id }) {
      return run(own, command.payload)
    }
    let refusal =
      isInBootloader
      ? Self.refusalOfBootloader(command.id) : Self.ignorance(of: command.id, by: configuration.profile)
    switch refusal {
    case .unknownDevice?: statistics.badDevices += 1
    case .unknownCommand?: statistics.badCommands += 1
    default: break
    }
    if let refusal { return (refusal, []) }
    guard let handler = (isInBootloader ? Self.bootloaderTable : Self.table)[command.id] else {
      return (.unknownCommand, [])
    }
    return run(handler, command.payload)
  }

  private mutating func run(_ handler: CommandHandler, _ payload: [UInt8]) -> (Status, [UInt8]) {
    do throws(Refusal) { return (.ok, try handler.run(&self, payload)) } catch {
      if error.status == .badMessageFormat { statistics.badLengths += 1 }
      return (error.status, [])
    }
  }

  /// The status with which the main application refuses a command, whatever it says.
  ///
  /// - Parameters:
  ///   - command: Any ID.
  ///   - profile: The kind of robot.
  /// - Returns: nil where it executes the command, or refuses it for what it says or for its own state alone.
  public static func refusal(of command: CommandID, by profile: Profile) -> Status? {
    // Refused in normal mode, which is the only one this robot has.
    ignorance(of: command, by: profile) ?? (command == Diagnostics.ClearCounters.id ? .unsupported : nil)
  }

  /// How the main application says that it does not know a command, or nil where it does.
  private static func ignorance(of command: CommandID, by profile: Profile) -> Status? {
    guard command.device == 0x00 || command.device == 0x02 else { return .unknownDevice }
    return table[command] == nil || profile.unknownCommands.contains(command) ? .unknownCommand : nil
  }

  private static func refusalOfBootloader(_ command: CommandID) -> Status? {
    guard command.device <= 0x01 else { return .unknownDevice }
    return bootloaderTable[command] == nil ? .unknownCommand : nil
  }

  /// The commands that the bootloader answers.
  private static let bootloaderTable: [CommandID: CommandHandler] =
    ([
      .obey(Core.Ping.self) { (_, _) throws(Refusal) in },
      .obey(Bootloader.LeaveBootloader.self) { (robot, _) throws(Refusal) in robot.isInBootloader = false },
      // Page 10h of a robot was recorded as not blank; here none is.
      .reply(to: Bootloader.IsPageBlank.self) { (_, _) throws(Refusal) in .init() },
    ] as [CommandHandler]).reduce(into: [:]) { $0[$1.id] = $1 }

  /// The commands that the bootloader answers, in the order of their IDs.
  public static let bootloaderCommands: [CommandID] = bootloaderTable.keys.sorted {
    ($0.device, $0.command) < ($1.device, $1.command)
  }
}
