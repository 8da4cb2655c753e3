// Macros: programs of short commands that run inside the robot, and the requests that transfer them.

/// A program of short commands that runs inside the robot.
///
/// Its bytes are the ID, the flags, the extended flags if ``Flags/extended`` is set, the commands, and 00.
/// Markers and responses state the number of a command, counted from 1 and including comments.
/// Sphero Macros 0.92.
public struct Macro: Message {
  /// The options of a macro, in the byte after its ID.
  public struct Flags: WireFlags {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The robot stops the motors at the end of the macro.
    public static let stopAtEnd = Flags(rawValue: 1 << 0)
    /// The robot ignores drive commands of the host while the macro runs.
    public static let exclusiveDrive = Flags(rawValue: 1 << 1)
    /// The macro ends when the robot stops on ``Settings/TemporaryOptions/stopOnDisconnect``.
    public static let stopOnDisconnect = Flags(rawValue: 1 << 2)
    /// The macro does not start while a host is connected; in the simulator, it also ends when one connects.
    public static let onlyAlone = Flags(rawValue: 1 << 3)
    /// The robot sends marker 0 at the end of the macro.
    public static let markEnd = Flags(rawValue: 1 << 4)
    /// The macro does not keep the robot awake.
    public static let stealth = Flags(rawValue: 1 << 5)
    /// The host cannot abort the macro; for system macros only.
    public static let unkillable = Flags(rawValue: 1 << 6)
    /// The byte ``Macro/extendedFlags`` follows the flags.
    public static let extended = Flags(rawValue: 1 << 7)

    public static let bits: [(flag: Self, name: String)] = [
      (.stopAtEnd, "stopAtEnd"), (.exclusiveDrive, "exclusiveDrive"),
      (.stopOnDisconnect, "stopOnDisconnect"), (.onlyAlone, "onlyAlone"), (.markEnd, "markEnd"),
      (.stealth, "stealth"), (.unkillable, "unkillable"), (.extended, "extended"),
    ]
  }

  /// The ID under which a user macro is stored, 32...253; the requests for other macros ignore it.
  public var id: UInt8 = temporaryID
  /// The options of the macro.
  public var flags: Flags = []
  /// Further flags, which the macro contains only with ``Flags/extended``.
  public var extendedFlags: UInt8 = 0
  /// The steps; those after ``MacroCommand/end`` are ignored.
  public var commands: [MacroCommand] = []

  /// The ID of the temporary macro.
  public static let temporaryID: UInt8 = 255
  /// The ID of the streamed macro.
  public static let streamID: UInt8 = 254

  public init() {}

  public init(id: UInt8 = temporaryID, flags: Flags = [], commands: [MacroCommand]) {
    (self.id, self.flags, self.commands) = (id, flags, commands)
  }

  public init(
    id: UInt8 = temporaryID, flags: Flags = [], @MacroBuilder commands: () -> [MacroCommand]
  ) {
    self.init(id: id, flags: flags, commands: commands())
  }

  /// Decodes a whole macro; an unknown opcode becomes a ``MacroCommand`` with all bytes before the final 00.
  ///
  /// - Throws: ``WireError`` if the last command or the 00 is missing, and for bytes after the end.
  public init(parsing bytes: [UInt8]) throws(WireError) { try self.init(exactly: bytes) }

  /// Visits the ID and the flags; with `isExtended`, also the extended flags, which a text may assign before their flag.
  package mutating func layoutHead(_ wire: inout some Wire, isExtended: Bool = false) throws(WireError) {
    try wire.field("id", &id)
    try wire.field("flags", &flags)
    if flags.contains(.extended) || isExtended { try wire.field("extendedFlags", &extendedFlags) }
  }

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

  /// Where a macro is stored.
  public enum Storage: Hashable, Sendable, CaseIterable {
    /// In RAM, one at a time, up to 1 KB.
    case temporary
    /// In flash under its ID, up to 254 bytes.
    case user
    /// In RAM, of any length: it runs while the host sends it.
    case stream
  }

  /// The maximum number of bytes of a macro in a packet: the longest payload.
  private static let maximumPacketLength = 254
  /// The bytes of RAM for the temporary macro, and for the pending steps of a stream.
  package static let maximumTemporaryLength = 1024

  // Embedded Swift has no existentials.
  #if !hasFeature(Embedded)
    /// The requests that transfer and start the macro, in order. Await each response before you send the next request.
    ///
    /// A streamed macro starts with its first packet. The robot refuses packets while its buffer of 1 KB is full, so add
    /// markers to the macro and send a packet only when the robot has reached them.
    ///
    /// - Throws: ``WireError`` for the ID of a user macro outside 32...253, a value in a command, or a macro that is too long.
    public func requests(as storage: Storage) throws(WireError) -> [any Command] {
      var list = CommandList()
      try visitRequests(as: storage, &list)
      return list.commands
    }
  #endif

  /// Visits the requests of `requests(as:)`.
  package func visitRequests(as storage: Storage, _ visitor: inout some CommandVisitor) throws(WireError) {
    switch storage {
    case .temporary:
      let bytes = try payload(id: Self.temporaryID, limit: Self.maximumTemporaryLength)
      if bytes.count > Self.maximumPacketLength {
        // A recorded client sends 254 bytes in the first chunk, and at most 253 in the others; the reason is unknown.
        // The abort clears the buffer.
        let cuts = stride(from: Self.maximumPacketLength, to: bytes.count, by: Self.maximumPacketLength - 1)
        visitor.visit(Macros.AbortMacro())
        for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
          visitor.visit(Macros.AppendMacroChunk(chunk: Array(bytes[start..<end])))
        }
      } else {
        visitor.visit(Macros.SaveTemporaryMacro(macro: bytes))
      }
      visitor.visit(Macros.RunMacro(macro: Self.temporaryID))
    case .user:
      guard (32...253).contains(id) else {
        throw .outOfRange(field: "id", value: Int64(id), allowed: 32...253)
      }
      visitor.visit(Macros.SaveMacro(macro: try payload(id: id, limit: Self.maximumPacketLength)))
      visitor.visit(Macros.RunMacro(macro: id))
    case .stream:
      for packet in try streamPackets() { visitor.visit(Macros.SaveMacro(macro: packet)) }
    }
  }

  /// Splits the macro between commands into packets that each begin with the ID and the flags. Only the last one ends
  /// with 00, as those of the only known library that streams macros.
  private func streamPackets() throws(WireError) -> [[UInt8]] {
    var empty = self
    (empty.id, empty.commands) = (Self.streamID, [])
    // ID and flags, without the 00.
    let head = Array(try empty.payload().dropLast())
    var packets = [head]
    let streamEnd = MacroCommand(Macro.StreamEnd())
    let body = commands.prefix { $0 != .end && $0 != streamEnd } + [streamEnd]
    for command in body {
      let bytes = try command.payload()
      let end = command == streamEnd ? [MacroCommand.end.opcode] : []
      let room = Self.maximumPacketLength - head.count
      guard bytes.count <= room else {
        throw .wrongCount(field: command.name, count: bytes.count, allowed: 0...room)
      }
      if packets[packets.count - 1].count + bytes.count + end.count > Self.maximumPacketLength {
        packets.append(head)
      }
      packets[packets.count - 1] += bytes + end
    }
    return packets
  }

  private func payload(id: UInt8, limit: Int) throws(WireError) -> [UInt8] {
    var copy = self
    copy.id = id
    let bytes = try copy.payload()
    guard bytes.count <= limit else {
      throw .wrongCount(field: "macro", count: bytes.count, allowed: 3...limit)
    }
    return bytes
  }
}

/// Builds the commands of a macro from steps, commands and lists of commands, with `if`, `else` and `for`; a loop is
/// unrolled.
@resultBuilder public enum MacroBuilder {
  public static func buildExpression(_ step: some MacroStep) -> [MacroCommand] { [MacroCommand(step)] }
  public static func buildExpression(_ command: MacroCommand) -> [MacroCommand] { [command] }
  public static func buildExpression(_ commands: [MacroCommand]) -> [MacroCommand] { commands }
  public static func buildBlock(_ parts: [MacroCommand]...) -> [MacroCommand] { parts.flatMap { $0 } }
  public static func buildArray(_ parts: [[MacroCommand]]) -> [MacroCommand] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [MacroCommand]?) -> [MacroCommand] { part ?? [] }
  public static func buildEither(first part: [MacroCommand]) -> [MacroCommand] { part }
  public static func buildEither(second part: [MacroCommand]) -> [MacroCommand] { part }
}
