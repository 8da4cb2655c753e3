// Performs the arithmetic of orbBasic: 32 bits that wrap.

import SpheroProtocol

extension OrbBasicRun {
  /// Joins two numbers by arithmetic, or compares them: 1 where the relation holds, else 0.
  static func join(_ left: Int32, _ sign: Unicode.Scalar, _ right: Int32) throws(OrbBasicFault) -> Int32 {
    switch sign {
    case "+": return left &+ right
    case "-": return left &- right
    case "&": return left & right
    case "|": return left | right
    case "*": return left &* right
    case "/":
      guard right != 0 else { throw OrbBasicFault(.divideByZero) }
      return left.dividedReportingOverflow(by: right).partialValue
    case "%":
      guard right != 0 else { throw OrbBasicFault(.divideByZero) }
      return left.remainderReportingOverflow(dividingBy: right).partialValue
    case "{", "}":
      guard right >= 0 else { throw OrbBasicFault(.badParameter) }
      return sign == "{" ? left << right : left >> right
    default: return holds(left, sign, right) ? 1 : 0
    }
  }

  private static func holds(_ left: Int32, _ sign: Unicode.Scalar, _ right: Int32) -> Bool {
    switch sign {
    case "=": left == right
    case "!": left != right
    case "<": left < right
    default: left > right
    }
  }

  /// Calls a function of the language.
  mutating func call(_ function: OrbBasicFunction, _ value: Int32) throws(OrbBasicFault) -> Int32 {
    switch function {
    case .sqrt:
      guard value >= 0 else { throw OrbBasicFault(.badParameter) }
      return Self.squareRoot(value)
    case .rnd:
      guard value > 0 else { throw OrbBasicFault(.badParameter) }
      return Int32(truncatingIfNeeded: random.next() % UInt64(value)) + 1
    case .abs: return value < 0 ? 0 &- value : value
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
