// Steps of macros: the protocol of the known steps, their list, and a type for the bytes of any step.

/// A known step of a macro: an opcode, followed by the fields of a message.
///
/// Most steps start an action and wait `delay` milliseconds, 0...255, before the next step.
/// Some take the delay from a system delay (SD1, SD2) or the speed from a system speed (SPD1, SPD2), which
/// ``Macros/SetMacroParameter`` or a step sets. Source: Sphero Macros 0.92.
public protocol MacroStep: Message {
  /// The first byte of the step.
  static var opcode: UInt8 { get }
}

/// Visits the types of steps, as a ``CatalogueVisitor`` visits those of messages.
public protocol MacroStepVisitor {
  /// Visits a step; `name` is its type in lower camel case, like `roll`.
  mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString)
}

extension Macro {
  /// Visits all known steps, in the order of their opcodes.
  public static func visitSteps(_ visitor: inout some MacroStepVisitor) {
    visitor.step(End.self, "end")
    visitor.step(SetSystemDelay1.self, "setSystemDelay1")
    visitor.step(SetSystemDelay2.self, "setSystemDelay2")
    visitor.step(Stabilization.self, "stabilization")
    visitor.step(SetHeading.self, "setHeading")
    visitor.step(Roll.self, "roll")
    visitor.step(RollSystemDelay1.self, "rollSystemDelay1")
    visitor.step(RGB.self, "rgb")
    visitor.step(RGBSystemDelay2.self, "rgbSystemDelay2")
    visitor.step(BackLED.self, "backLED")
    visitor.step(RawMotors.self, "rawMotors")
    visitor.step(Wait.self, "wait")
    visitor.step(Goto.self, "goto")
    visitor.step(Gosub.self, "gosub")
    visitor.step(Sleep.self, "sleep")
    visitor.step(SetSystemSpeed1.self, "setSystemSpeed1")
    visitor.step(SetSystemSpeed2.self, "setSystemSpeed2")
    visitor.step(RollSystemSpeed1.self, "rollSystemSpeed1")
    visitor.step(RollSystemSpeed2.self, "rollSystemSpeed2")
    visitor.step(RotationRate.self, "rotationRate")
    visitor.step(Fade.self, "fade")
    visitor.step(Marker.self, "marker")
    visitor.step(WaitUntilStopped.self, "waitUntilStopped")
    visitor.step(Rotate.self, "rotate")
    visitor.step(StreamEnd.self, "streamEnd")
    visitor.step(RollLong.self, "rollLong")
    visitor.step(LoopStart.self, "loopStart")
    visitor.step(LoopEnd.self, "loopEnd")
    visitor.step(Comment.self, "comment")
    visitor.step(RotateSystemDelay1.self, "rotateSystemDelay1")
    visitor.step(RotateSystemDelay2.self, "rotateSystemDelay2")
    visitor.step(BranchOnCollision.self, "branchOnCollision")
    visitor.step(LoopStartSystem.self, "loopStartSystem")
    visitor.step(SetSpeed.self, "setSpeed")
    visitor.step(ConfigureCollision.self, "configureCollision")
  }
}

/// Any step of a macro, known or unknown, as its opcode and operands.
public struct MacroCommand: Hashable, Sendable {
  /// The first byte of the step.
  public private(set) var opcode: UInt8
  /// The bytes after the opcode.
  public private(set) var operands: [UInt8]

  /// Encodes a step; its values are validated when the macro is encoded.
  public init<S: MacroStep>(_ step: S) {
    var writer = Writer(checksRanges: false)
    // A writer that does not check ranges throws no error.
    try? step.write(to: &writer)
    (opcode, operands) = (S.opcode, writer.bytes)
  }

  /// Creates a step from its bytes, which are not checked.
  public init(opcode: UInt8, operands: [UInt8] = []) { (self.opcode, self.operands) = (opcode, operands) }

  /// The step that ends a macro.
  public static let end = MacroCommand(Macro.End())

  /// Decodes the step; nil if it has another type, or if its operands are not valid.
  public func step<S: MacroStep>(as type: S.Type = S.self) -> S? {
    opcode == S.opcode ? try? S(payload: operands) : nil
  }

  /// The name of the step, or `unknown`.
  public var name: String { Self.known.names[opcode].map { "\($0)" } ?? "unknown" }

  /// Whether the opcode is unknown; a robot aborts the macro at such a step.
  public var isUnknown: Bool { Self.known.names[opcode] == nil }

  /// Whether the library adds the step when it sends a macro, so that the text of a macro omits it.
  package var isAddedDuringSending: Bool { opcode == Macro.End.opcode || opcode == Macro.StreamEnd.opcode }

  /// Each known step with default values, in the order of the opcodes.
  public static var all: [MacroCommand] { known.steps }

  private static let known: Known = {
    var known = Known()
    Macro.visitSteps(&known)
    return known
  }()

  private struct Known: MacroStepVisitor {
    var names: [UInt8: StaticString] = [:]
    var steps: [MacroCommand] = []
    mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString) {
      names[S.opcode] = name
      steps.append(MacroCommand(S()))
    }
  }
}

extension MacroCommand: Message {
  /// Creates the step that ends a macro.
  public init() { self = .end }

  private struct Opcode: WireChoice {
    let rawValue: UInt8
    static var named: [Opcode] { all.map { Opcode(rawValue: $0.opcode) } }
    var knownName: String? { known.names[rawValue].map { "\($0)" } }
    var name: String { knownName ?? FieldValue.unknown(Int64(rawValue)) }
  }

  /// Visits the opcode and the operands; those of an unknown step are all remaining bytes except the last one, which
  /// is the step that ends the macro.
  public mutating func layout(_ wire: inout some Wire) throws(WireError) {
    var code = Opcode(rawValue: opcode)
    try wire.field("opcode", &code)
    // A reader, or another opcode, replaces the operands.
    let isNew = code.rawValue != opcode || wire.remaining != nil
    if isNew { (opcode, operands) = (code.rawValue, []) }
    guard !isUnknown else {
      let count = wire.remaining.map { max(0, $0 - 1) } ?? operands.count
      return try wire.field("rest", &operands, count: count)
    }
    var visitor = LayoutVisitor(wire: wire, command: self, isNew: isNew)
    Macro.visitSteps(&visitor)
    (wire, self) = (visitor.wire, visitor.command)
    if let error = visitor.error { throw error }
  }

  private struct LayoutVisitor<W: Wire>: MacroStepVisitor {
    var wire: W
    var command: MacroCommand
    let isNew: Bool
    var error: WireError?

    mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString) {
      guard S.opcode == command.opcode else { return }
      do throws(WireError) {
        var step = try isNew ? S() : S(exactly: command.operands)
        try step.layout(&wire)
        command = MacroCommand(step)
      } catch { self.error = error }
    }
  }

  /// Name and operands: `roll 80 00 5A 00`; `unknown 2Ah` for an unknown opcode.
  public var description: String {
    let name = isUnknown ? "unknown \(Hexadecimal.text([opcode]))h" : name
    return operands.isEmpty ? name : name + " " + Hexadecimal.text(operands)
  }
}

extension MacroStep {
  /// Name and fields: `roll speed=128 heading=90° delay=0 ms`.
  public var description: String { named(MacroCommand(self).name) }
}
