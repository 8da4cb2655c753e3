// Macro commands and events (DID 02h): programs of short commands that run inside the robot.

/// Programs of short commands that run inside the robot, without the link's delays (DID 02h).
///
/// ``Macro`` is such a program and ``MacroCommand`` a step of it; these are the requests that carry and run it.
/// IDs: 0 none, 1...31 the system's, 32...253 the user's (2 KB of flash, 16 macros, forgotten in sleep),
/// 254 the stream, 255 the temporary one.
public enum Macros {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(RunMacro.self, "Macros.RunMacro")
    catalogue.command(SaveTemporaryMacro.self, "Macros.SaveTemporaryMacro")
    catalogue.command(SaveMacro.self, "Macros.SaveMacro")
    catalogue.command(ReinitMacroExecutive.self, "Macros.ReinitMacroExecutive")
    catalogue.command(AbortMacro.self, "Macros.AbortMacro")
    catalogue.command(GetMacroStatus.self, "Macros.GetMacroStatus")
    catalogue.command(SetMacroParameter.self, "Macros.SetMacroParameter")
    catalogue.command(AppendMacroChunk.self, "Macros.AppendMacroChunk")
  }

  static func events(_ catalogue: inout some CatalogueVisitor) {
    catalogue.event(Marker.self, "Macros.Marker")
  }
}

extension Macros {
  /// Starts a macro; fails while one runs, and where there is none with this ID.
  ///
  /// Sphero API 1.50, "Run Macro" (DID 02h, CID 50h).
  public struct RunMacro: Command {
    public static let id = CommandID(0x02, 0x50)
    /// ID of the macro.
    public var macro: UInt8 = 255
    /// Makes the command; the temporary macro.
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("macro", &macro)
    }
  }

  /// Stores a whole macro as the temporary one, whatever its ID byte says; ``RunMacro`` starts it.
  ///
  /// Sphero API 1.50, "Save Temporary Macro" (DID 02h, CID 51h).
  public struct SaveTemporaryMacro: Command {
    public static let id = CommandID(0x02, 0x51)
    /// The bytes of a ``Macro``, at most 254.
    public var macro: [UInt8] = [255, 0, 0]
    /// Makes the command; an empty macro.
    public init() {}
    public init(macro: [UInt8]) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("macro", &macro, count: 3...254)
    }
  }

  /// Stores a whole macro under its ID, or adds a piece to the stream, which starts by itself.
  ///
  /// Fails for IDs of the system, for 255, and for one that is stored already: ``ReinitMacroExecutive`` forgets those.
  /// Sphero API 1.50, "Save Macro" (DID 02h, CID 52h).
  public struct SaveMacro: Command {
    public static let id = CommandID(0x02, 0x52)
    /// The bytes of a ``Macro``, at most 254.
    public var macro: [UInt8] = [32, 0, 0]
    /// Makes the command; an empty macro.
    public init() {}
    public init(macro: [UInt8]) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("macro", &macro, count: 3...254)
    }
  }

  /// Ends any macro and forgets those of the user.
  ///
  /// Sphero API 1.50, "Reinit Macro Executive" (DID 02h, CID 54h).
  public struct ReinitMacroExecutive: Command {
    public static let id = CommandID(0x02, 0x54)
    public init() {}
  }

  /// Ends the macro that runs.
  ///
  /// Sphero API 1.50, "Abort Macro" (DID 02h, CID 55h).
  public struct AbortMacro: Command {
    public static let id = CommandID(0x02, 0x55)
    public init() {}

    /// Where it stood.
    public struct Response: Message {
      /// ID of the macro; 0 where none ran.
      public var macro: UInt8 = 0
      /// Number of the command it stood at; FFFFh where it could not be ended.
      public var command: UInt16 = 0
      /// Makes a response; none ran.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("macro", &macro)
        try wire.field("command", &command)
      }
    }
  }

  /// Reads which macro runs, and where it stands.
  ///
  /// Sphero API 1.50, "Get Macro Status" (DID 02h, CID 56h).
  public struct GetMacroStatus: Command {
    public static let id = CommandID(0x02, 0x56)
    public init() {}

    /// Where it stands.
    public struct Response: Message {
      /// ID of the macro; 0 where none runs.
      public var macro: UInt8 = 0
      /// Number of the command it stands at, from 1.
      public var command: UInt16 = 0
      /// Makes a response; none runs.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("macro", &macro)
        try wire.field("command", &command)
      }
    }
  }

  /// Sets a value that macros use by name.
  ///
  /// Sphero API 1.50, "Set Macro Parameter" (DID 02h, CID 57h).
  public struct SetMacroParameter: Command {
    public static let id = CommandID(0x02, 0x57)
    /// A value that macros use by name.
    public enum Parameter: UInt8, WireNamed, CaseIterable {
      /// SD1.
      case systemDelay1
      /// SD2.
      case systemDelay2
      /// SPD1.
      case systemSpeed1
      /// SPD2.
      case systemSpeed2
      /// How often a loop with the system's count runs.
      case loopCount
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [
        .systemDelay1: "systemDelay1", .systemDelay2: "systemDelay2", .systemSpeed1: "systemSpeed1",
        .systemSpeed2: "systemSpeed2", .loopCount: "loopCount",
      ]
    }
    /// Which value.
    public var parameter = Parameter.systemDelay1
    /// Upper byte of a delay in milliseconds, or the whole value.
    public var value1: UInt8 = 0
    /// Lower byte of a delay.
    public var value2: UInt8 = 0
    /// Makes the command; a delay of zero.
    public init() {}
    public init(parameter: Parameter, value1: UInt8, value2: UInt8 = 0) {
      (self.parameter, self.value1, self.value2) = (parameter, value1, value2)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("parameter", &parameter)
      try wire.field("value1", &value1)
      try wire.field("value2", &value2)
    }
  }

  /// Adds a piece to the temporary macro; the first piece begins with ID and flags.
  ///
  /// Abort before the first piece: then the larger buffer, 1 KB, is clean.
  /// Sphero API 1.50, "Append Macro Chunk" (DID 02h, CID 58h).
  public struct AppendMacroChunk: Command {
    public static let id = CommandID(0x02, 0x58)
    /// The piece, at most 254 bytes.
    public var chunk: [UInt8] = [0]
    /// Makes the command; one byte.
    public init() {}
    public init(chunk: [UInt8]) { self.chunk = chunk }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("chunk", &chunk, count: 1...254)
    }
  }

  /// Tells that a macro has come to a marker or, where it asks for that, to its end.
  ///
  /// Sphero API 1.50, asynchronous ID 06h.
  public struct Marker: Event {
    /// 06.
    public static let id = EventID(0x06)
    /// The marker; 0 is the end of the macro.
    public var marker: UInt8 = 0
    /// ID of the macro.
    public var macro: UInt8 = 0
    /// Number of the command, from 1, comments counted.
    public var command: UInt16 = 0
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("marker", &marker)
      try wire.field("macro", &macro)
      try wire.field("command", &command)
    }
  }
}
