// A step of a macro as its bytes: any of those that are known, or one of later firmware.

/// A step of a macro, whatever its kind: its opcode and what follows it.
///
/// A step of which this library knows nothing is kept as its bytes.
public struct MacroCommand: Hashable, Sendable {
  /// The byte that stands for the step.
  public private(set) var opcode: UInt8
  /// What follows it.
  public private(set) var operands: [UInt8]

  /// Takes a step; whether its values can be sent is judged when the macro is encoded.
  public init<S: MacroStep>(_ step: S) {
    var writer = Writer(isJudging: false)
    // A writer that does not judge refuses nothing.
    try? step.write(to: &writer)
    (opcode, operands) = (S.opcode, writer.bytes)
  }

  /// Takes a step as its bytes.
  public init(opcode: UInt8, operands: [UInt8] = []) {
    (self.opcode, self.operands) = (opcode, operands)
  }

  /// The step that ends a macro.
  public static let end = MacroCommand(Macro.End())

  /// The step, where it is of this kind and a robot would take it; else nil.
  public func step<S: MacroStep>(as type: S.Type = S.self) -> S? {
    guard opcode == S.opcode else { return nil }
    var reader = Reader(operands)
    return try? S(from: &reader)
  }

  /// The name of the step, or `unknown`.
  public var name: String { Self.known.names[opcode].map { "\($0)" } ?? "unknown" }

  /// Whether this library does not know the step; a robot aborts there.
  public var isUnknown: Bool { Self.known.names[opcode] == nil }

  /// One of each known step, in the order of their opcodes.
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
  /// Makes the step that ends a macro.
  public init() { self = .end }

  /// The opcode as a field.
  private struct Opcode: WireChoice {
    let rawValue: UInt8
    init(rawValue: UInt8) { self.rawValue = rawValue }
    static var named: [Opcode] { all.map { Opcode(rawValue: $0.opcode) } }
    var knownName: String? { known.names[rawValue].map { "\($0)" } }
    var name: String { knownName ?? FieldValue.unknown(Int64(rawValue)) }
  }

  /// Visits the opcode and what follows it.
  ///
  /// How many bytes belong to an unknown opcode is not known; where one is read, it takes all but the last,
  /// which ends the macro.
  public mutating func layout(_ wire: inout some Wire) throws(WireError) {
    var code = Opcode(rawValue: opcode)
    try wire.field("opcode", &code)
    let isNew = code.rawValue != opcode || wire.remaining != nil
    if isNew { (opcode, operands) = (code.rawValue, []) }
    var walk = Walk(wire: wire, command: self, isNew: isNew)
    Macro.visitSteps(&walk)
    (wire, self) = (walk.wire, walk.command)
    if let error = walk.error { throw error }
    guard !walk.isKnown else { return }
    try wire.field(
      "rest", &operands, count: wire.remaining.map { max(0, $0 - 1) } ?? operands.count)
  }

  /// Walks through the layout of the step that the opcode stands for.
  private struct Walk<W: Wire>: MacroStepVisitor {
    var wire: W
    var command: MacroCommand
    /// Whether there is nothing yet that the layout could begin with.
    let isNew: Bool
    var isKnown = false
    var error: WireError?

    mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString) {
      guard S.opcode == command.opcode else { return }
      isKnown = true
      do throws(WireError) {
        var step = S()
        if !isNew {
          var reader = Reader(command.operands)
          step = try S(from: &reader)
          try reader.finish()
        }
        try step.layout(&wire)
        command = MacroCommand(step)
      } catch { self.error = error }
    }
  }
}

extension MacroCommand {
  /// Name and operands: `roll 80 00 5A 00`; `unknown 2Ah` where the library does not know the step.
  public var description: String {
    let name = isUnknown ? "unknown \(Hexadecimal.text([opcode]))h" : name
    return operands.isEmpty ? name : name + " " + Hexadecimal.text(operands)
  }
}

extension MacroStep {
  /// Name and fields: `roll speed=128 heading=90° delay=0 ms`.
  public var description: String { named(MacroCommand(self).name) }
}
