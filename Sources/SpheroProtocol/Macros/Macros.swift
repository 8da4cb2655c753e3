// Macro messages (DID 02h): transfer and execution of macros, their status and markers.

/// Messages that transfer and run macros: programs inside the robot, without the latency of the link (DID 02h).
///
/// A ``Macro`` is such a program, and a ``MacroCommand`` is one of its steps.
/// An ID of 0 means no macro, 1...31 are system macros, 32...253 are user macros, 254 is the streamed macro,
/// and 255 is the temporary macro. The robot stores up to 16 user macros in 2 KB of flash, and loses them in sleep.
public enum Macros {
  /// Starts a macro; fails while a macro runs, and if no macro has this ID (Sphero API 1.50, "Run Macro").
  public struct RunMacro: Command, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x50)
    /// Macro ID; the temporary macro by default.
    public var macro: UInt8 = 255
    public var effect: RequestEffect? { .runProgram() }
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("macro", &macro) }
  }

  /// Stores a whole macro as the temporary macro and ignores its ID byte; ``RunMacro`` starts it
  /// (Sphero API 1.50, "Save Temporary Macro").
  public struct SaveTemporaryMacro: Command, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x51)
    /// The bytes of a ``Macro``, at most 254.
    public var macro: [UInt8] = [255, 0, 0]
    public init() {}
    public init(macro: [UInt8]) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("macro", &macro, count: 3...254)
    }
  }

  /// Stores a whole macro under its ID, or appends to the streamed macro, which starts automatically
  /// (Sphero API 1.50, "Save Macro").
  ///
  /// Fails for system IDs, for 255, and for an ID that is already stored; ``ReinitMacroExecutive`` erases user macros.
  public struct SaveMacro: Command, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x52)
    /// The bytes of a ``Macro``, at most 254.
    public var macro: [UInt8] = [32, 0, 0]
    public var effect: RequestEffect? { macro.first == Macro.streamID ? .runProgram() : nil }
    public init() {}
    public init(macro: [UInt8]) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("macro", &macro, count: 3...254)
    }
  }

  /// Aborts any macro and erases the user macros (Sphero API 1.50, "Reinit Macro Executive").
  public struct ReinitMacroExecutive: Command {
    public static let id = CommandID(0x02, 0x54)
    public init() {}
  }

  /// The running macro and its current command.
  public struct Position: Message {
    /// Macro ID; 0 if no macro is running.
    public var macro: UInt8 = 0
    /// Number of the current command, from 1; FFFFh if ``AbortMacro`` could not abort the macro.
    public var command: UInt16 = 0
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("macro", &macro)
      try wire.field("command", &command)
    }
  }

  /// Aborts the running macro and reads its position (Sphero API 1.50, "Abort Macro").
  public struct AbortMacro: Command {
    public typealias Response = Position
    public static let id = CommandID(0x02, 0x55)
    public var effect: RequestEffect? { .abortProgram }
    public init() {}
  }

  /// Reads the running macro and its current command (Sphero API 1.50, "Get Macro Status").
  public struct GetMacroStatus: Command {
    public typealias Response = Position
    public static let id = CommandID(0x02, 0x56)
    public init() {}
  }

  /// Sets a parameter of macros (Sphero API 1.50, "Set Macro Parameter").
  public struct SetMacroParameter: Command {
    public static let id = CommandID(0x02, 0x57)
    /// A parameter that macros read.
    public enum Parameter: UInt8, WireNamed, CaseIterable {
      /// The delay SD1 in milliseconds.
      case systemDelay1
      /// The delay SD2 in milliseconds.
      case systemDelay2
      /// The speed SPD1, 0...255.
      case systemSpeed1
      /// The speed SPD2, 0...255.
      case systemSpeed2
      /// The number of iterations of ``Macro/LoopStartSystem``.
      case loopCount
      public static let names: KeyValuePairs<Self, String> = [
        .systemDelay1: "systemDelay1", .systemDelay2: "systemDelay2", .systemSpeed1: "systemSpeed1",
        .systemSpeed2: "systemSpeed2", .loopCount: "loopCount",
      ]
    }
    /// The parameter to set.
    public var parameter = Parameter.systemDelay1
    /// High byte of a delay; the whole value of a speed or of the loop count.
    public var value1: UInt8 = 0
    /// Low byte of a delay.
    public var value2: UInt8 = 0
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

  /// Appends a chunk to the temporary macro; the first chunk begins with ID and flags
  /// (Sphero API 1.50, "Append Macro Chunk").
  ///
  /// Send ``AbortMacro`` before the first chunk to clear the buffer of 1 KB.
  public struct AppendMacroChunk: Command, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x58)
    /// The chunk, at most 254 bytes.
    public var chunk: [UInt8] = [0]
    public init() {}
    public init(chunk: [UInt8]) { self.chunk = chunk }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("chunk", &chunk, count: 1...254)
    }
  }

  /// Reports that a macro has reached a marker, or its end if it has ``Macro/Flags/markEnd``
  /// (Sphero API 1.50).
  public struct Marker: Event {
    public static let id = EventID(0x06)
    /// Marker ID; 0 is the end of the macro.
    public var marker: UInt8 = 0
    /// Macro ID.
    public var macro: UInt8 = 0
    /// Number of the command, from 1, including comments.
    public var command: UInt16 = 0
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("marker", &marker)
      try wire.field("macro", &macro)
      try wire.field("command", &command)
    }
  }
}

/// A language of programs inside the robot; the raw value is its name in commands and output.
package enum ProgramLanguage: String, CaseIterable, Sendable {
  case macro, basic
}
