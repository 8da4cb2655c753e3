// Evaluates the expressions and conditions of orbBasic.

import SpheroProtocol

extension OrbBasicRun {
  /// Expressions within expressions: pairs of parentheses and functions.
  static let deepestExpression = 4

  /// Evaluates an expression: `*` `/` `%` `{` `}` before `+` `-` `&` `|`, each from left to right; 32 bits that wrap.
  mutating func expression(_ actions: inout some RobotActions) throws(OrbBasicFault) -> Int32 {
    guard depth <= Self.deepestExpression else { throw OrbBasicFault(.expressionTooComplex) }
    depth += 1
    defer { depth -= 1 }
    var value = try term(&actions)
    while let sign = scanner.take(anyOf: ["+", "-", "&", "|"]) {
      let other = try term(&actions)
      switch sign {
      case "+": value &+= other
      case "-": value &-= other
      case "&": value &= other
      default: value |= other
      }
    }
    return value
  }

  private mutating func term(_ actions: inout some RobotActions) throws(OrbBasicFault) -> Int32 {
    var value = try factor(&actions)
    while let sign = scanner.take(anyOf: ["*", "/", "%", "{", "}"]) {
      let other = try factor(&actions)
      switch sign {
      case "*": value &*= other
      case "/":
        guard other != 0 else { throw OrbBasicFault(.divideByZero) }
        value = value.dividedReportingOverflow(by: other).partialValue
      case "%":
        guard other != 0 else { throw OrbBasicFault(.divideByZero) }
        value = value.remainderReportingOverflow(dividingBy: other).partialValue
      default:
        guard other >= 0 else { throw OrbBasicFault(.badParameter) }
        value = sign == "{" ? value << other : value >> other
      }
    }
    return value
  }

  private mutating func factor(_ actions: inout some RobotActions) throws(OrbBasicFault) -> Int32 {
    if scanner.take("(") {
      let value = try expression(&actions)
      guard scanner.take(")") else { throw OrbBasicFault(.syntax) }
      return value
    }
    if let number = try scanner.number() { return number }
    guard let name = scanner.word() else { throw OrbBasicFault(.syntax) }
    switch name {
    case "sqrt":
      let value = try expression(&actions)
      guard value >= 0 else { throw OrbBasicFault(.badParameter) }
      return Self.squareRoot(value)
    case "rnd":
      let limit = try expression(&actions)
      guard limit > 0 else { throw OrbBasicFault(.badParameter) }
      return Int32(truncatingIfNeeded: random.next() % UInt64(limit)) + 1
    case "abs":
      let value = try expression(&actions)
      return value < 0 ? 0 &- value : value
    case "macstat":
      let status = actions.macroStatus
      return Int32(status.macro) << 16 | Int32(status.command)
    default:
      if let place = try variables.place(name) { return variables.value(place, at: now, &actions) }
      guard let reading = RobotReading.named[name] else { throw OrbBasicFault(.syntax) }
      return actions.read(reading)
    }
  }

  /// Evaluates relations joined by `and` and `or`, from left to right.
  mutating func condition(_ actions: inout some RobotActions) throws(OrbBasicFault) -> Bool {
    var holds = try relation(&actions)
    while true {
      if scanner.take(word: "and") {
        let other = try relation(&actions)
        holds = holds && other
      } else if scanner.take(word: "or") {
        let other = try relation(&actions)
        holds = holds || other
      } else {
        return holds
      }
    }
  }

  private mutating func relation(_ actions: inout some RobotActions) throws(OrbBasicFault) -> Bool {
    let left = try expression(&actions)
    guard let sign = scanner.take(anyOf: ["=", "!", "<", ">"]) else { throw OrbBasicFault(.syntax) }
    let right = try expression(&actions)
    return switch sign {
    case "=": left == right
    case "!": left != right
    case "<": left < right
    default: left > right
    }
  }

  /// The largest integer whose square is not above the value, bit by bit.
  private static func squareRoot(_ value: Int32) -> Int32 {
    var root: Int32 = 0
    var bit: Int32 = 1 << 15
    while bit > 0 {
      let trial = root | bit
      if Int64(trial) * Int64(trial) <= Int64(value) { root = trial }
      bit >>= 1
    }
    return root
  }
}
