// A program of short commands that runs inside the robot, and the requests that bring it there.

/// A program of short commands that runs inside the robot.
///
/// Its bytes are ID, flags, extended flags where a flag says so, the commands and 00.
/// Markers and the robot's reports number the commands from 1, comments counted.
/// Sphero Macros 0.92.
public struct Macro: Message {
  /// How a macro runs.
  public struct Flags: WireFlags {
    /// The bits on the wire.
    public var rawValue: UInt8
    /// Takes the bits of the wire.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Stops the motors at the end.
    public static let stopAtEnd = Flags(rawValue: 1 << 0)
    /// Takes no driving commands from outside meanwhile.
    public static let exclusiveDrive = Flags(rawValue: 1 << 1)
    /// Lets ``Settings/TemporaryOptions/stopOnDisconnect`` stop it.
    public static let stopOnDisconnect = Flags(rawValue: 1 << 2)
    /// Does not run while a host is connected.
    public static let onlyAlone = Flags(rawValue: 1 << 3)
    /// Sends marker 0 at the end.
    public static let markEnd = Flags(rawValue: 1 << 4)
    /// Does not keep the robot awake.
    public static let stealth = Flags(rawValue: 1 << 5)
    /// Cannot be ended from outside; for the system's macros alone.
    public static let unkillable = Flags(rawValue: 1 << 6)
    /// A byte of extended flags follows.
    public static let extended = Flags(rawValue: 1 << 7)

    /// The bits that have a name.
    public static let bits: [(flag: Self, name: String)] = [
      (.stopAtEnd, "stopAtEnd"), (.exclusiveDrive, "exclusiveDrive"),
      (.stopOnDisconnect, "stopOnDisconnect"), (.onlyAlone, "onlyAlone"), (.markEnd, "markEnd"),
      (.stealth, "stealth"), (.unkillable, "unkillable"), (.extended, "extended"),
    ]
  }

  /// The ID under which it is stored: 32...253 for one of the user's; of no meaning for the others.
  public var id: UInt8 = temporaryID
  /// How it runs.
  public var flags: Flags = []
  /// More flags; on the wire only with ``Flags/extended``.
  public var extendedFlags: UInt8 = 0
  /// What it does; what stands after ``MacroCommand/end`` is not a part of it.
  public var commands: [MacroCommand] = []

  /// The ID of the temporary macro.
  public static let temporaryID: UInt8 = 255
  /// The ID of the stream.
  public static let streamID: UInt8 = 254

  /// Makes an empty macro.
  public init() {}

  /// Makes a macro of commands.
  public init(id: UInt8 = temporaryID, flags: Flags = [], commands: [MacroCommand]) {
    (self.id, self.flags, self.commands) = (id, flags, commands)
  }

  /// Makes a macro of the commands that a closure lists.
  public init(
    id: UInt8 = temporaryID, flags: Flags = [], @MacroBuilder commands: () -> [MacroCommand]
  ) {
    self.init(id: id, flags: flags, commands: commands())
  }

  /// Reads the bytes of a whole macro.
  ///
  /// An unknown opcode does not lose what stands before it:
  /// it becomes a ``MacroCommand`` with all bytes up to the 00 at the end.
  ///
  /// - Parameter bytes: ID, flags, commands and 00.
  /// - Throws: ``WireError/truncated(field:offset:)`` where the last command or the 00 is missing,
  ///   ``WireError/excess(offset:count:)`` for bytes after the end.
  public init(parsing bytes: [UInt8]) throws(WireError) {
    var reader = Reader(bytes)
    try self.init(from: &reader)
    try reader.finish()
  }

  mutating func layoutHead(_ wire: inout some Wire) throws(WireError) {
    try wire.field("id", &id)
    try wire.field("flags", &flags)
    if flags.contains(.extended) { try wire.field("extendedFlags", &extendedFlags) }
  }

  /// Visits the head, each command, and the 00 at the end.
  public mutating func layout(_ wire: inout some Wire) throws(WireError) {
    try layoutHead(&wire)
    var visited: [MacroCommand] = []
    while true {
      var command = visited.count < commands.count ? commands[visited.count] : .end
      try command.layout(&wire)
      guard command != .end else { break }
      visited.append(command)
    }
    commands = visited
  }
}

/// Lists the commands of a macro.
@resultBuilder public enum MacroBuilder {
  /// One step.
  public static func buildExpression(_ step: some MacroStep) -> [MacroCommand] {
    [MacroCommand(step)]
  }
  /// One command.
  public static func buildExpression(_ command: MacroCommand) -> [MacroCommand] { [command] }
  /// Commands made elsewhere.
  public static func buildExpression(_ commands: [MacroCommand]) -> [MacroCommand] { commands }
  /// One after the other.
  public static func buildBlock(_ parts: [MacroCommand]...) -> [MacroCommand] {
    parts.flatMap { $0 }
  }
  /// The turns of a `for`, each written out.
  public static func buildArray(_ parts: [[MacroCommand]]) -> [MacroCommand] {
    parts.flatMap { $0 }
  }
  /// What an `if` lists, or nothing.
  public static func buildOptional(_ part: [MacroCommand]?) -> [MacroCommand] { part ?? [] }
  /// What an `if` lists.
  public static func buildEither(first part: [MacroCommand]) -> [MacroCommand] { part }
  /// What an `else` lists.
  public static func buildEither(second part: [MacroCommand]) -> [MacroCommand] { part }
}
