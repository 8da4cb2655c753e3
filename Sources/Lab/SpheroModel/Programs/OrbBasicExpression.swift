// The arithmetic of orbBasic, on wrapping 32-bit integers.

import SpheroProtocol

extension OrbBasicRun {
  /// Applies a binary operator of ``OrbBasicOperation/binary(_:)``; a relation gives 1 if it holds, else 0.
  ///
  /// `{` and `}` shift left and right, `!` is unequal; any other sign than those below is `>`.
  static func apply(
    _ sign: Unicode.Scalar, _ left: Int32, _ right: Int32
  ) throws(OrbBasic.ErrorCode) -> Int32 {
    switch sign {
    case "+": return left &+ right
    case "-": return left &- right
    case "&": return left & right
    case "|": return left | right
    case "*": return left &* right
    case "/":
      guard right != 0 else { throw .divideByZero }
      return left.dividedReportingOverflow(by: right).partialValue
    case "%":
      guard right != 0 else { throw .divideByZero }
      return left.remainderReportingOverflow(dividingBy: right).partialValue
    case "{", "}":
      guard right >= 0 else { throw .badParameter }
      return sign == "{" ? left << right : left >> right
    case "=": return left == right ? 1 : 0
    case "!": return left != right ? 1 : 0
    case "<": return left < right ? 1 : 0
    default: return left > right ? 1 : 0
    }
  }

  /// Calls a function; `rnd` returns a random integer from 1 to its argument.
  mutating func call(_ function: OrbBasicFunction, _ value: Int32) throws(OrbBasic.ErrorCode) -> Int32 {
    switch function {
    case .sqrt:
      guard value >= 0 else { throw .badParameter }
      return Self.squareRoot(value)
    case .rnd:
      guard value > 0 else { throw .badParameter }
      return Int32(truncatingIfNeeded: random.next() % UInt64(value)) + 1
    case .abs: return value < 0 ? 0 &- value : value
    }
  }

  /// Returns the largest integer whose square is not above the value.
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
