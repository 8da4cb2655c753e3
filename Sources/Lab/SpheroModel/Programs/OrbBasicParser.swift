// The parser of orbBasic: from a line to operations in the order of execution.

import SpheroProtocol

/// The scanner, the parser and the interpreter throw the error code that ends a program.
extension OrbBasic.ErrorCode: Error {}

/// Scans words, numbers and quoted text of a line, and skips blanks.
struct OrbBasicScanner {
  private var rest: ArraySlice<UInt8>
  /// The rest before the last call of ``word()``, after blanks.
  private var wordStart: ArraySlice<UInt8> = []

  init(_ line: ArraySlice<UInt8>) { rest = line }

  /// The index of the next byte in the text.
  var position: Int { rest.startIndex }

  /// Skips blanks and returns the next byte without consuming it; nil at the end.
  mutating func peek() -> UInt8? {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    return rest.first
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next = peek(), UInt32(next) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Consumes and returns the next character if it is one of several.
  mutating func take(anyOf characters: [Unicode.Scalar]) -> Unicode.Scalar? {
    for character in characters where take(character) { return character }
    return nil
  }

  /// Consumes a run of letters; nil if the next character is not a letter.
  mutating func word() -> String? {
    guard peek() != nil else { return nil }
    wordStart = rest
    let letters = rest.prefix { $0.isLetter }
    rest = rest[letters.endIndex...]
    return letters.isEmpty ? nil : String(decoding: letters, as: UTF8.self)
  }

  mutating func unreadWord() { rest = wordStart }

  mutating func take(word expected: String) -> Bool {
    let start = rest
    if word() == expected { return true }
    rest = start
    return false
  }

  /// Consumes a run of digits; nil if the next character is not a digit. Throws `badParameter` above 2^31.
  mutating func digits() throws(OrbBasic.ErrorCode) -> Int64? {
    guard let next = peek(), next.isDigit else { return nil }
    var value: Int64 = 0
    while let digit = rest.first, digit.isDigit {
      value = value * 10 + Int64(digit - 0x30)
      guard value <= 1 << 31 else { throw .badParameter }
      rest.removeFirst()
    }
    return value
  }

  /// Consumes a number with an optional minus sign; nil if there is neither sign nor digit.
  mutating func number() throws(OrbBasic.ErrorCode) -> Int32? {
    let isNegative = take("-")
    guard let value = try digits() else {
      guard !isNegative else { throw .syntax }
      return nil
    }
    guard let number = Int32(exactly: isNegative ? -value : value) else { throw .badParameter }
    return number
  }

  /// Consumes the number of a line; throws `syntax` without a digit, `badLineNumber` above 65,535.
  mutating func lineNumber() throws(OrbBasic.ErrorCode) -> UInt16 {
    let value: Int64?
    do throws(OrbBasic.ErrorCode) { value = try digits() } catch { throw .badLineNumber }
    guard let value else { throw .syntax }
    guard let number = UInt16(exactly: value) else { throw .badLineNumber }
    return number
  }

  /// Consumes text in quotation marks and returns it without them; nil if the next character is not a quotation mark.
  mutating func quoted() throws(OrbBasic.ErrorCode) -> [UInt8]? {
    guard take("\"") else { return nil }
    let text = rest.prefix { $0 != 0x22 }
    rest = rest[text.endIndex...]
    guard take("\"") else { throw .syntax }
    return Array(text)
  }

  mutating func finish() throws(OrbBasic.ErrorCode) {
    guard peek() == nil else { throw .syntax }
  }

  /// Ends the line before the first apostrophe outside quotation marks, which begins a comment.
  mutating func dropComment() {
    var copy = self
    while let next = copy.peek() {
      guard next != 0x27 else {
        rest = rest[..<copy.position]
        return
      }
      copy.skip()
    }
  }

  /// Reduces the rest to one branch: the text before the next `else` if `holds`, otherwise the text after it.
  ///
  /// Returns false if that branch is missing.
  mutating func choose(_ holds: Bool) -> Bool {
    var copy = self
    while copy.peek() != nil {
      let start = copy.position
      if copy.take(word: "else") {
        rest = holds ? rest[..<start] : copy.rest
        return true
      }
      copy.skip()
    }
    return holds
  }

  /// Skips a word, a quoted text or a character.
  private mutating func skip() {
    if word() != nil { return }
    if take("\"") { rest = rest.drop { $0 != 0x22 } }
    rest = rest.dropFirst()
  }
}

/// An operation of a stack machine; also a syntax error, which takes effect only when the robot executes it.
enum OrbBasicOperation: Hashable, Sendable {
  /// Ends the program.
  case fault(OrbBasic.ErrorCode)
  /// Pushes a number, the value of a variable, or a reading of the robot.
  case number(Int32)
  case value(OrbBasicPlace)
  case systemVariable(SystemVariable)
  /// Replaces the number on top.
  case function(OrbBasicFunction)
  /// Replaces the two numbers on top: arithmetic, or a relation, which gives 1 or 0.
  case binary(Unicode.Scalar)
  /// Stores the number on top.
  case assign(OrbBasicPlace)
  /// Stores the next datum.
  case read(OrbBasicPlace)
  /// Pops a condition and executes one of two branches.
  case branch(then: [OrbBasicOperation], else: [OrbBasicOperation])
  /// Adds bytes to the text of a `print`; or pops a number and adds it as a character or in decimal.
  case text([UInt8])
  case character, decimal
  case print(endsLine: Bool)
  case jump(UInt16, isGosub: Bool)
  /// Pops an index, from 1, and jumps to that line of the list.
  case select([UInt16], isGosub: Bool)
  case data([Int32])
  /// Waits for a value; a limited wait has its time limit and fallback on the stack.
  case input(OrbBasicPlace, isLimited: Bool)
  /// Begins a loop; the first value, the last one and the step are on the stack.
  case loop(OrbBasicPlace)
  case next(OrbBasicPlace)
  /// Executes another statement; its arguments are on the stack.
  case statement(OrbBasicStatement)

  /// The operation, followed by those of its branches.
  var withBranches: [OrbBasicOperation] {
    guard case .branch(let then, let otherwise) = self else { return [self] }
    return [self] + (then + otherwise).flatMap { $0.withBranches }
  }
}

struct OrbBasicParser {
  /// The number of the line; nil if it is missing or too large.
  private(set) var number: UInt16?
  let isBlank: Bool
  private(set) var operations: [OrbBasicOperation] = []
  /// The last statement that was parsed; nil without one and for an assignment.
  private(set) var statement: OrbBasicStatement?
  /// The errors at bytes of the text, in the order of execution; one with a target applies only if that line does not exist.
  private(set) var faults: [(code: OrbBasic.ErrorCode, target: UInt16?, position: Int)] = []
  private var scanner: OrbBasicScanner
  private var depth = 0

  init(_ line: ArraySlice<UInt8>) {
    scanner = OrbBasicScanner(line)
    scanner.dropComment()
    isBlank = scanner.peek() == nil
    guard !isBlank else { return }
    do throws(OrbBasic.ErrorCode) {
      number = try scanner.lineNumber()
      if scanner.peek() != nil { try statement(isInIf: false) }
    } catch { record(error) }
  }

  private mutating func record(_ code: OrbBasic.ErrorCode) {
    operations.append(.fault(code))
    faults.append((code, nil, scanner.position))
  }

  // MARK: Statements

  private mutating func statement(isInIf: Bool) throws(OrbBasic.ErrorCode) {
    if scanner.take("?") {
      self.statement = .print
      return try print()
    }
    guard let word = scanner.word() else { throw .syntax }
    let statement = OrbBasicStatement(rawValue: word)
    self.statement = statement
    guard let statement else { return try assignment(to: word) }
    guard statement.isAllowedInIf || !isInIf else { throw errorAtWord(.syntax) }
    switch statement {
    case .if: try condition()
    case .for:
      let variable = try loopVariable()
      try expect("=")
      try expression()
      guard scanner.take(word: "to") else { throw .syntax }
      try expression()
      if scanner.take(word: "step") { try expression() } else { operations.append(.number(1)) }
      try finish(.loop(variable))
    case .next: try finish(.next(loopVariable()))
    case .goto, .gosub: try finish(.jump(target(), isGosub: statement == .gosub))
    case .on:
      try expression()
      let isGosub = scanner.take(word: "gosub")
      guard isGosub || scanner.take(word: "goto") else { throw .syntax }
      var targets: [UInt16] = []
      repeat { targets.append(try target()) } while scanner.take(",")
      try finish(.select(targets, isGosub: isGosub))
    case .print: try print()
    case .input:
      let place = try variable()
      let isLimited = scanner.take(",")
      if isLimited { try arguments(2) }
      try finish(.input(place, isLimited: isLimited))
    case .data:
      var values: [Int32] = []
      repeat {
        guard let value = try scanner.number() else { throw .syntax }
        values.append(value)
      } while scanner.take(",")
      try finish(.data(values))
    case .read:
      repeat { operations.append(.read(try variable())) } while scanner.take(",")
      try scanner.finish()
    default:
      try arguments(statement.argumentCount)
      try finish(.statement(statement))
    }
  }

  /// Parses both branches; the errors of the branch that is not executed have no effect.
  private mutating func condition() throws(OrbBasic.ErrorCode) {
    try relation()
    while true {
      let isAnd = scanner.take(word: "and")
      guard isAnd || scanner.take(word: "or") else { break }
      try relation()
      operations.append(.binary(isAnd ? "&" : "|"))
    }
    guard scanner.take(word: "then") else { throw .syntax }
    operations.append(.branch(then: branch(true), else: branch(false)))
  }

  /// Parses the branch for a condition that holds or does not hold, and moves back to the start.
  private mutating func branch(_ holds: Bool) -> [OrbBasicOperation] {
    let (start, outer) = (scanner, operations)
    defer { (scanner, operations) = (start, outer) }
    operations = []
    guard scanner.choose(holds) else { return [] }
    do throws(OrbBasic.ErrorCode) { try statement(isInIf: true) } catch { record(error) }
    return operations
  }

  private mutating func relation() throws(OrbBasic.ErrorCode) {
    try expression()
    guard let sign = scanner.take(anyOf: ["=", "!", "<", ">"]) else { throw .syntax }
    try expression()
    operations.append(.binary(sign))
  }

  private mutating func assignment(to name: String) throws(OrbBasic.ErrorCode) {
    guard let place = OrbBasicPlace(name) else {
      throw errorAtWord(SystemVariable.named[name] == nil ? .unknownStatement : .syntax)
    }
    try expect("=")
    try expression()
    try finish(.assign(place))
  }

  private mutating func print() throws(OrbBasic.ErrorCode) {
    if let first = scanner.peek(), first != 0x3B {
      try printItem()
      while scanner.take(",") {
        operations.append(.text([0x20]))
        try printItem()
      }
    }
    try finish(.print(endsLine: !scanner.take(";")))
  }

  private mutating func printItem() throws(OrbBasic.ErrorCode) {
    if let text = try scanner.quoted() { return operations.append(.text(text)) }
    let isCharacter = scanner.take("$")
    try expression()
    operations.append(isCharacter ? .character : .decimal)
  }

  private mutating func variable() throws(OrbBasic.ErrorCode) -> OrbBasicPlace {
    guard let name = scanner.word() else { throw .syntax }
    guard name.utf8.count == 1, let place = OrbBasicPlace(name) else { throw errorAtWord(.syntax) }
    return place
  }

  private mutating func loopVariable() throws(OrbBasic.ErrorCode) -> OrbBasicPlace {
    let variable = try variable()
    guard variable != .element else { throw errorAtWord(.syntax) }
    return variable
  }

  /// Parses the number of a line, and records the error that applies if the line does not exist.
  private mutating func target() throws(OrbBasic.ErrorCode) -> UInt16 {
    _ = scanner.peek()
    let position = scanner.position
    let number = try scanner.lineNumber()
    faults.append((.badLineNumber, number, position))
    return number
  }

  private mutating func arguments(_ count: Int) throws(OrbBasic.ErrorCode) {
    for index in 0..<count {
      if index > 0 { try expect(",") }
      try expression()
    }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(OrbBasic.ErrorCode) {
    guard scanner.take(character) else { throw .syntax }
  }

  /// Adds the last operation of a statement, which must end here.
  private mutating func finish(_ operation: OrbBasicOperation) throws(OrbBasic.ErrorCode) {
    try scanner.finish()
    operations.append(operation)
  }

  /// Moves back to the last word, so that an error is recorded there, and returns the error.
  private mutating func errorAtWord(_ code: OrbBasic.ErrorCode) -> OrbBasic.ErrorCode {
    scanner.unreadWord()
    return code
  }

  // MARK: Expressions

  /// Parses an expression: `*` `/` `%` `{` `}` precede `+` `-` `&` `|`, each from left to right.
  private mutating func expression() throws(OrbBasic.ErrorCode) {
    // Four parentheses and functions may be nested.
    guard depth <= 4 else { throw .expressionTooComplex }
    depth += 1
    defer { depth -= 1 }
    try term()
    while let sign = scanner.take(anyOf: ["+", "-", "&", "|"]) {
      try term()
      operations.append(.binary(sign))
    }
  }

  private mutating func term() throws(OrbBasic.ErrorCode) {
    try factor()
    while let sign = scanner.take(anyOf: ["*", "/", "%", "{", "}"]) {
      try factor()
      operations.append(.binary(sign))
    }
  }

  private mutating func factor() throws(OrbBasic.ErrorCode) {
    if scanner.take("(") {
      try expression()
      return try expect(")")
    }
    if let number = try scanner.number() { return operations.append(.number(number)) }
    guard let name = scanner.word() else { throw .syntax }
    if let function = OrbBasicFunction(rawValue: name) {
      try expression()
      operations.append(.function(function))
    } else if let place = OrbBasicPlace(name) {
      operations.append(.value(place))
    } else if let variable = SystemVariable.named[name] {
      operations.append(.systemVariable(variable))
    } else {
      throw errorAtWord(.syntax)
    }
  }
}
