// The static check of an orbBasic program.

public import SpheroProtocol

/// An error in the text of a program that does not depend on the values of its variables.
public struct OrbBasicProgramError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the text, counted from 1, including empty lines.
  public let line: Int
  /// The character of the line, counted from 1.
  public let column: Int
  /// The error that a robot would report.
  public let code: OrbBasic.ErrorCode
  /// The next step, with the form of the statement if the line has a known one.
  public let advice: String
  public var description: String { "line \(line), column \(column): \(code.name)" }
}

extension OrbBasicProgram {
  /// Whether a line of the program has an `input` statement.
  public var hasInput: Bool { parsedLines.contains { $0.statement == .input } }

  /// Remarks on what a robot executes without an error, but probably not as the author expects.
  public var remarks: [String] {
    let operations = parsedLines.flatMap { line in
      line.operations.flatMap { $0.withBranches }.map { (number: line.number ?? 0, operation: $0) }
    }
    func isTurning(_ mode: Int32, _ power: Int32) -> Bool { (mode == 1 || mode == 2) && power != 0 }
    func has(_ operation: OrbBasicOperation) -> Bool { operations.contains { $0.operation == operation } }
    var remarks = operations.compactMap { number, operation -> String? in
      guard case .loop(let variable) = operation, !has(.next(variable)) else { return nil }
      return "the loop in the line numbered \(number) has no 'next', and repeats nothing"
    }
    /// The last arguments of the statement at an index, in order; nil if one of them is computed.
    func arguments(_ count: Int, of index: Int) -> [Int32]? {
      // The operations before a statement are its arguments, and a computed one ends with another operation.
      let numbers = operations[..<index].suffix(count).compactMap { _, operation -> Int32? in
        if case .number(let number) = operation { number } else { nil }
      }
      return numbers.count == count ? numbers : nil
    }
    // In the order of the text, each 'basflg' replaces all flags. Flag 8 permits the stop.
    var (permitsStop, movesOn) = (false, false)
    for index in operations.indices {
      var moves = false
      switch operations[index].operation {
      // A computed flag may permit the stop, and a computed speed or mode may move the ball.
      case .statement(.basflg): permitsStop = arguments(1, of: index).map { $0[0] & 8 != 0 } ?? true
      case .statement(.goroll):
        let (mode, speed) = (arguments(1, of: index)?[0], arguments(2, of: index)?[0])
        // Mode 2 only rotates the robot.
        moves = (mode ?? 1) == 1 && speed != 0
      case .statement(.raw):
        moves = arguments(4, of: index).map { isTurning($0[0], $0[1]) || isTurning($0[2], $0[3]) } ?? true
      default: break
      }
      if moves, !permitsStop { movesOn = true }
    }
    if movesOn {
      remarks.append("the ball moves on if the link drops; 'basflg 8' before the first motion prevents that")
    }
    return remarks
  }

  private var parsedLines: [OrbBasicParser] {
    text.split(separator: "\n").map { OrbBasicParser(Array($0.utf8)[...]) }
  }

  /// Finds the first error in a text for `OrbBasicProgram.init(_:)`; see ``errors(in:)``.
  public static func firstError(in text: some StringProtocol) -> OrbBasicProgramError? {
    errors(in: text).first
  }

  /// Finds the errors in a text for `OrbBasicProgram.init(_:)`, at most one for each line and 100 in all.
  ///
  /// Errors that depend on values, such as a division by zero, occur only when the program runs.
  public static func errors(in text: some StringProtocol) -> [OrbBasicProgramError] {
    var errors: [OrbBasicProgramError] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
      .map { Array($0.utf8) }
      .map { (text: $0, parser: OrbBasicParser($0[...])) }
    let numbers = Set(lines.compactMap { $0.parser.number })
    for (index, line) in lines.enumerated() {
      let fault = line.parser.faults.first { fault in fault.target.map { !numbers.contains($0) } ?? true }
      guard let fault else { continue }
      let column = String(decoding: line.text.prefix(fault.position), as: UTF8.self).count + 1
      errors.append(
        OrbBasicProgramError(
          line: index + 1, column: column, code: fault.code,
          advice: advice(line.text, line.parser, fault.code, at: fault.position)))
      guard errors.count < 100 else { break }
    }
    return errors
  }

  /// The advice for a statement at a position that must not follow `then` or `else`.
  private static func adviceForBranch(_ line: [UInt8], _ position: Int) -> String? {
    let before = String(decoding: line[..<position], as: UTF8.self).split(separator: " ").last ?? ""
    let word = String(decoding: line[position...].prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    guard ["then", "else"].contains(before), OrbBasicStatement(rawValue: word)?.isAllowedInIf == false
    else { return nil }
    return "'\(word)' must not follow '\(before)'; write 'goto' and the number of a line that begins with it."
  }

  /// The advice for a word before or at a position that is not a statement.
  private static func adviceForWord(_ line: [UInt8], _ position: Int) -> String {
    let start = (line[..<position].lastIndex { !$0.isLetter } ?? -1) + 1
    let word = line[start...].prefix { $0.isLetter }
    // Only the case differs.
    let near = OrbBasicStatement.allCases.first {
      $0.rawValue.utf8.map { $0 | 0x20 } == word.map { $0 | 0x20 }
    }
    if let near { return "Write '\(near.rawValue)': the case of letters matters." }
    let names = OrbBasicStatement.allCases.map { $0.rawValue }.joined(separator: ", ")
    return (word.isEmpty ? "" : "'\(String(decoding: word, as: UTF8.self))' is not a statement. ")
      + "The statements are \(names)."
  }

  private static func advice(
    _ line: [UInt8], _ parser: OrbBasicParser, _ code: OrbBasic.ErrorCode, at position: Int
  ) -> String {
    if code == .syntax, let advice = adviceForBranch(line, position) { return advice }
    return switch code {
    case .badLineNumber where parser.number != nil: "No line of the program begins with this number."
    case .unknownStatement: adviceForWord(line, position)
    case .syntax where !line.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2):
      "Close the quotation mark."
    case .syntax where parser.number == nil:
      "Begin the line with a number, like 10 \(OrbBasicStatement.rgb.form)."
    default:
      parser.statement.map { "Write '\($0.form)': \($0.meaning)" }
        ?? "Write a statement, or an assignment like A = B + 1."
    }
  }
}
