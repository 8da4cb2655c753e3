// The known steps of macros: control flow, and the system delays and speeds that `MacroStep` explains.

extension Macro {
  /// Sets the delay SD1.
  public struct SetSystemDelay1: MacroStep {
    public static let opcode: UInt8 = 0x01
    /// Milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Sets the delay SD2.
  public struct SetSystemDelay2: MacroStep {
    public static let opcode: UInt8 = 0x02
    /// Milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Sets the speed SPD1.
  public struct SetSystemSpeed1: MacroStep {
    public static let opcode: UInt8 = 0x0F
    /// 0...255.
    public var speed: UInt16 = 0
    public init() {}
    public init(speed: UInt16) { self.speed = speed }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("speed", &speed) }
  }

  /// Sets the speed SPD2.
  public struct SetSystemSpeed2: MacroStep {
    public static let opcode: UInt8 = 0x10
    /// 0...255.
    public var speed: UInt16 = 0
    public init() {}
    public init(speed: UInt16) { self.speed = speed }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("speed", &speed) }
  }

  /// Ends the macro; ``Macro`` adds it after the last command.
  public struct End: MacroStep {
    public static let opcode: UInt8 = 0x00
    public init() {}
  }

  /// Waits.
  public struct Wait: MacroStep {
    public static let opcode: UInt8 = 0x0B
    /// Milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Continues with another macro.
  public struct Goto: MacroStep {
    public static let opcode: UInt8 = 0x0C
    /// Macro ID.
    public var macro: UInt8 = 0
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("macro", &macro) }
  }

  /// Runs another macro and returns; calls cannot be nested.
  public struct Gosub: MacroStep {
    public static let opcode: UInt8 = 0x0D
    /// Macro ID.
    public var macro: UInt8 = 0
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("macro", &macro) }
  }

  /// Puts the robot to sleep.
  public struct Sleep: MacroStep {
    public static let opcode: UInt8 = 0x0E
    /// Duration in milliseconds; 0 until the robot is shaken.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("time", &time) }
  }

  /// Sends ``Macros/Marker``.
  public struct Marker: MacroStep {
    public static let opcode: UInt8 = 0x15
    /// Marker ID; 0 is reserved for the end.
    public var marker: UInt8 = 0
    public init() {}
    public init(marker: UInt8) { self.marker = marker }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("marker", &marker)
    }
  }

  /// Waits until the robot has stopped.
  public struct WaitUntilStopped: MacroStep {
    public static let opcode: UInt8 = 0x19
    /// Timeout in milliseconds.
    public var limit: UInt16 = 0
    public init() {}
    public init(limit: UInt16) { self.limit = limit }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("limit", &limit, .milliseconds)
    }
  }

  /// Ends a streamed macro; ``Macro`` adds it to the last packet.
  public struct StreamEnd: MacroStep {
    public static let opcode: UInt8 = 0x1B
    public init() {}
  }

  /// Starts a loop.
  public struct LoopStart: MacroStep {
    public static let opcode: UInt8 = 0x1E
    /// Number of iterations.
    public var count: UInt8 = 0
    public init() {}
    public init(count: UInt8) { self.count = count }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("count", &count) }
  }

  /// Ends a loop.
  public struct LoopEnd: MacroStep {
    public static let opcode: UInt8 = 0x1F
    public init() {}
  }

  /// Does nothing, but is counted as a command.
  public struct Comment: MacroStep {
    public static let opcode: UInt8 = 0x20
    /// The text, which the robot ignores.
    public var text: WireText = ""
    public init() {}
    public init(text: WireText) { self.text = text }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      var count = UInt16(clamping: text.bytes.count)
      // A longer comment does not fit into the robot's memory for macros.
      try wire.field("count", &count, in: 0...2048)
      try wire.field("text", &text, count: Int(count))
    }
  }

  /// Continues with another macro at the next collision.
  public struct BranchOnCollision: MacroStep {
    public static let opcode: UInt8 = 0x23
    /// Macro ID; 0 disables the branch.
    public var macro: UInt8 = 0
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("macro", &macro) }
  }

  /// Starts a loop with the loop count of ``Macros/SetMacroParameter``.
  public struct LoopStartSystem: MacroStep {
    public static let opcode: UInt8 = 0x24
    public init() {}
  }
}
