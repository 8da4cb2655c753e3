// Steps of macros that wait, branch, repeat and end.

extension Macro {
  /// Ends the macro; ``Macro`` adds it after the last command.
  public struct End: MacroStep {
    /// 00.
    public static let opcode: UInt8 = 0x00
    public init() {}
  }

  /// Waits.
  public struct Wait: MacroStep {
    /// 0B.
    public static let opcode: UInt8 = 0x0B
    /// Milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Goes on with another macro.
  public struct Goto: MacroStep {
    /// 0C.
    public static let opcode: UInt8 = 0x0C
    /// ID of the macro.
    public var macro: UInt8 = 0
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("macro", &macro)
    }
  }

  /// Runs another macro and comes back; that one may not do so again.
  public struct Gosub: MacroStep {
    /// 0D.
    public static let opcode: UInt8 = 0x0D
    /// ID of the macro.
    public var macro: UInt8 = 0
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("macro", &macro)
    }
  }

  /// Puts the robot to sleep.
  public struct Sleep: MacroStep {
    /// 0E.
    public static let opcode: UInt8 = 0x0E
    /// How long: 0 is until it is shaken. The document prints milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time)
    }
  }

  /// Sends ``Macros/Marker``.
  public struct Marker: MacroStep {
    /// 15.
    public static let opcode: UInt8 = 0x15
    /// The marker; 0 is reserved for the end.
    public var marker: UInt8 = 0
    public init() {}
    public init(marker: UInt8) { self.marker = marker }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("marker", &marker)
    }
  }

  /// Waits until the robot stands.
  public struct WaitUntilStopped: MacroStep {
    /// 19.
    public static let opcode: UInt8 = 0x19
    /// But no longer than this, in milliseconds.
    public var limit: UInt16 = 0
    public init() {}
    public init(limit: UInt16) { self.limit = limit }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("limit", &limit, .milliseconds)
    }
  }

  /// Ends a stream; ``Macro`` adds it to the last piece.
  public struct StreamEnd: MacroStep {
    /// 1B.
    public static let opcode: UInt8 = 0x1B
    public init() {}
  }

  /// Begins a loop.
  public struct LoopStart: MacroStep {
    /// 1E.
    public static let opcode: UInt8 = 0x1E
    /// How often it runs.
    public var count: UInt8 = 0
    public init() {}
    public init(count: UInt8) { self.count = count }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("count", &count)
    }
  }

  /// Ends a loop.
  public struct LoopEnd: MacroStep {
    /// 1F.
    public static let opcode: UInt8 = 0x1F
    public init() {}
  }

  /// Does nothing, but counts as a command.
  public struct Comment: MacroStep {
    /// 20.
    public static let opcode: UInt8 = 0x20
    /// Anything.
    public var text: WireText = ""
    public init() {}
    public init(text: WireText) { self.text = text }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      var count = UInt16(clamping: text.bytes.count)
      // No buffer of the robot holds more.
      try wire.field("count", &count, in: 0...2048)
      try wire.field("text", &text, count: Int(count))
    }
  }

  /// Goes on with another macro at the next impact.
  public struct BranchOnCollision: MacroStep {
    /// 23.
    public static let opcode: UInt8 = 0x23
    /// ID of the macro; 0 ends that.
    public var macro: UInt8 = 0
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("macro", &macro)
    }
  }

  /// Begins a loop with the count of ``Macros/SetMacroParameter``.
  public struct LoopStartSystem: MacroStep {
    /// 24.
    public static let opcode: UInt8 = 0x24
    public init() {}
  }
}
