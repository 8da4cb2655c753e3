// Reads an orbBasic program without running it, and finds the first line that a robot would stop at.

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
    var numbers: Set<UInt16> = []
    for line in lines {
      var scanner = OrbBasicScanner(line, 0..<line.count)
      if let number = try? scanner.lineNumber() { numbers.insert(number) }
    }
    for (index, line) in lines.enumerated() {
      var check = OrbBasicLineCheck(line, lineNumbers: numbers)
      guard let code = check.fault() else { continue }
      let column = String(decoding: line.prefix(check.position), as: UTF8.self).count + 1
      return OrbBasicMistake(line: index + 1, column: column, code: code)
    }
    return nil
  }
}

/// Reads one line as the interpreter does, without values.
private struct OrbBasicLineCheck {
  private var scanner: OrbBasicScanner
  private let numbers: Set<UInt16>
  private var depth = 0

  init(_ line: [UInt8], lineNumbers: Set<UInt16>) {
    (scanner, numbers) = (OrbBasicScanner(line, 0..<line.count), lineNumbers)
  }

  /// Where it stands.
  var position: Int { scanner.position }

  /// Why a robot would stop at the line; nil where it would not.
  mutating func fault() -> OrbBasic.ErrorCode? {
    scanner.dropComment()
    do throws(OrbBasicFault) {
      // Nothing but a comment.
      guard scanner.peek() != nil else { return nil }
      _ = try scanner.lineNumber()
      if scanner.peek() != nil { try statement(isInIf: false) }
      return nil
    } catch { return error.code }
  }

  private mutating func statement(isInIf: Bool) throws(OrbBasicFault) {
    if scanner.take("?") { return try print() }
    guard let word = scanner.word() else { throw OrbBasicFault(.syntax) }
    guard let statement = OrbBasicStatement(rawValue: word) else { return try assignment(to: word) }
    guard statement.isAllowedInIf || !isInIf else {
      scanner.returnWord()
      throw OrbBasicFault(.syntax)
    }
    switch statement {
    case .if: return try condition()
    case .for:
      try variable(isLoop: true)
      try expect("=")
      try expression()
      guard scanner.take(word: "to") else { throw OrbBasicFault(.syntax) }
      try expression()
      if scanner.take(word: "step") { try expression() }
    case .next: try variable(isLoop: true)
    case .goto, .gosub: try target()
    case .on:
      try expression()
      guard scanner.take(word: "gosub") || scanner.take(word: "goto") else { throw OrbBasicFault(.syntax) }
      repeat { try target() } while scanner.take(",")
    case .print: return try print()
    case .input:
      try variable()
      if scanner.take(",") { try arguments(2) }
    case .data:
      repeat {
        guard try scanner.number() != nil else { throw OrbBasicFault(.syntax) }
      } while scanner.take(",")
    case .read: repeat { try variable() } while scanner.take(",")
    case .raw: try arguments(4)
    case .rgb, .goroll, .sleep: try arguments(3)
    case .locate: try arguments(2)
    case .delay, .ledColor, .backLED, .heading, .basflg, .macrun: try arguments(1)
    case .return, .end, .rstr, .tron, .troff, .reset, .random, .mackill: break
    }
    try scanner.finish()
  }

  /// Both what is done where the condition holds and what is done where it does not.
  private mutating func condition() throws(OrbBasicFault) {
    repeat {
      try expression()
      guard scanner.take(anyOf: ["=", "!", "<", ">"]) != nil else { throw OrbBasicFault(.syntax) }
      try expression()
    } while scanner.take(word: "and") || scanner.take(word: "or")
    guard scanner.take(word: "then") else { throw OrbBasicFault(.syntax) }
    let start = scanner
    for holds in [true, false] {
      scanner = start
      if scanner.choose(holds) { try statement(isInIf: true) }
    }
  }

  private mutating func assignment(to name: String) throws(OrbBasicFault) {
    guard isPlace(name) else {
      scanner.returnWord()
      throw OrbBasicFault(RobotReading.named[name] == nil ? .unknownStatement : .syntax)
    }
    try expect("=")
    try expression()
    try scanner.finish()
  }

  private func isPlace(_ name: String) -> Bool {
    name.utf8.count == 1 || ["timerA", "timerB", "timerC", "ctrl"].contains(name)
  }

  private mutating func variable(isLoop: Bool = false) throws(OrbBasicFault) {
    let name = scanner.word()
    guard let name, name.utf8.count == 1, !isLoop || (name != "Z" && name != "z") else {
      if name != nil { scanner.returnWord() }
      throw OrbBasicFault(.syntax)
    }
  }

  private mutating func target() throws(OrbBasicFault) {
    guard scanner.peek() != nil else { throw OrbBasicFault(.syntax) }
    let start = scanner
    let number = try scanner.lineNumber()
    guard numbers.contains(number) else {
      scanner = start
      throw OrbBasicFault(.badLineNumber)
    }
  }

  private mutating func print() throws(OrbBasicFault) {
    if let first = scanner.peek(), first != 0x3B {
      repeat { try printItem() } while scanner.take(",")
    }
    _ = scanner.take(";")
    try scanner.finish()
  }

  private mutating func printItem() throws(OrbBasicFault) {
    if try scanner.quoted() != nil { return }
    _ = scanner.take("$")
    try expression()
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(OrbBasicFault) {
    guard scanner.take(character) else { throw OrbBasicFault(.syntax) }
  }

  /// Expressions between commas.
  private mutating func arguments(_ count: Int) throws(OrbBasicFault) {
    try expression()
    for _ in 1..<count {
      try expect(",")
      try expression()
    }
  }

  private mutating func expression() throws(OrbBasicFault) {
    guard depth <= OrbBasicRun.deepestExpression else { throw OrbBasicFault(.expressionTooComplex) }
    depth += 1
    defer { depth -= 1 }
    repeat {
      try factor()
    } while scanner.take(anyOf: ["+", "-", "&", "|", "*", "/", "%", "{", "}"]) != nil
  }

  private mutating func factor() throws(OrbBasicFault) {
    if scanner.take("(") {
      try expression()
      return try expect(")")
    }
    if try scanner.number() != nil { return }
    guard let name = scanner.word() else { throw OrbBasicFault(.syntax) }
    switch name {
    case "sqrt", "rnd", "abs": try expression()
    default:
      guard name == "macstat" || isPlace(name) || RobotReading.named[name] != nil else {
        scanner.returnWord()
        throw OrbBasicFault(.syntax)
      }
    }
  }
}
