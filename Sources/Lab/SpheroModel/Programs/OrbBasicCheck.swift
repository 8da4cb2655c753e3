// Finds the first place in the text of an orbBasic program at which a robot would stop.

public import SpheroProtocol

/// A place in the text of a program at which a robot would stop, whatever the values of its variables.
public struct OrbBasicMistake: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the text, counted from 1, empty ones too.
  public let line: Int
  /// The character of the line, counted from 1.
  public let column: Int
  /// The error with which a robot would stop.
  public let code: OrbBasic.ErrorCode
  /// One sentence for people.
  public var description: String { "line \(line), column \(column): \(code.name)" }
}

extension OrbBasicProgram {
  /// Finds the first mistake in a text that ``OrbBasicProgram/init(_:)`` takes.
  ///
  /// It looks for statements and names that are unknown, for what is missing or too much, and for lines that
  /// do not exist. What depends on values, as a division by zero, shows only where the program runs.
  ///
  /// - Parameter text: The program.
  /// - Returns: The mistake; nil where there is none.
  public static func mistake(in text: some StringProtocol) -> OrbBasicMistake? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
      .map { Array($0.utf8) }
      .map { (text: $0, parser: OrbBasicParser($0, 0..<$0.count)) }
    let numbers = Set(lines.compactMap { $0.parser.number })
    for (index, line) in lines.enumerated() {
      let fault = line.parser.faults.first { fault in !(fault.target.map { numbers.contains($0) } ?? false) }
      guard let fault else { continue }
      let column = String(decoding: line.text.prefix(fault.position), as: UTF8.self).count + 1
      return OrbBasicMistake(line: index + 1, column: column, code: fault.code)
    }
    return nil
  }
}
