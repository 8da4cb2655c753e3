// orbBasic events: what a program prints, and what stops it.

extension OrbBasic {
  static func events(_ catalogue: inout some CatalogueVisitor) {
    catalogue.event(PrintMessage.self, "OrbBasic.PrintMessage")
    catalogue.event(ErrorText.self, "OrbBasic.ErrorText")
    catalogue.event(ErrorMessage.self, "OrbBasic.ErrorMessage")
  }

  /// What a `print` statement gives out; a text longer than 32 bytes comes as a warning instead.
  ///
  /// Sphero API 1.50, asynchronous ID 08h.
  public struct PrintMessage: Event {
    /// 08.
    public static let id = EventID(0x08)
    /// The text, with the line feed unless a semicolon held it back.
    public var text: WireText = ""
    /// Makes an empty text.
    public init() {}
    public init(text: WireText) { self.text = text }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("text", &text, count: 0...0xFFFE)
    }
  }

  /// What stopped a program, in words: `Line 30: Divide by zero`.
  ///
  /// Sphero API 1.50, asynchronous ID 09h.
  public struct ErrorText: Event {
    /// 09.
    public static let id = EventID(0x09)
    /// The sentence, with its line feed.
    public var text: WireText = ""
    /// Makes an empty text.
    public init() {}
    public init(text: WireText) { self.text = text }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("text", &text, count: 0...0xFFFE)
    }
  }

  /// What stopped a program, in numbers.
  ///
  /// Sphero API 1.50, asynchronous ID 0Ah; orbBasic 1.07.
  public struct ErrorMessage: Event {
    /// 0A.
    public static let id = EventID(0x0A)
    /// Number of the line.
    public var line: UInt16 = 0
    /// What is wrong with it.
    public var error = ErrorCode.syntax
    /// Makes a syntax error.
    public init() {}
    public init(line: UInt16, error: ErrorCode) { (self.line, self.error) = (line, error) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("line", &line)
      try wire.field("error", &error)
    }
  }

  /// What is wrong with a line; an unknown code is kept as its number.
  public struct ErrorCode: WireCode {
    /// The number on the wire.
    public var rawValue: UInt16
    /// Takes the number of the wire.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// Syntax.
    public static let syntax = ErrorCode(rawValue: 1)
    /// Unknown statement.
    public static let unknownStatement = ErrorCode(rawValue: 2)
    /// More than four `gosub` within each other.
    public static let gosubDepth = ErrorCode(rawValue: 3)
    /// `return` without `gosub`.
    public static let returnWithoutGosub = ErrorCode(rawValue: 4)
    /// `next` without `for`.
    public static let nextWithoutFor = ErrorCode(rawValue: 5)
    /// More than four `for` within each other.
    public static let forDepth = ErrorCode(rawValue: 6)
    /// The step of a `for` leads nowhere.
    public static let badStep = ErrorCode(rawValue: 7)
    /// Division by zero.
    public static let divideByZero = ErrorCode(rawValue: 8)
    /// There is no such line.
    public static let badLineNumber = ErrorCode(rawValue: 9)
    /// The index lies outside the array.
    public static let illegalIndex = ErrorCode(rawValue: 0x0A)
    /// The expression is too complex.
    public static let expressionTooComplex = ErrorCode(rawValue: 0x0B)
    /// A number lies outside its range.
    public static let badParameter = ErrorCode(rawValue: 0x0C)
    /// Ended by a command.
    public static let aborted = ErrorCode(rawValue: 0x0D)
    /// `read` found no more `data`.
    public static let outOfData = ErrorCode(rawValue: 0x0E)

    /// The codes that have a name.
    public static let names: KeyValuePairs<ErrorCode, String> = [
      .syntax: "syntax",
      .unknownStatement: "unknown statement",
      .gosubDepth: "gosub too deep",
      .returnWithoutGosub: "return without gosub",
      .nextWithoutFor: "next without for",
      .forDepth: "for too deep",
      .badStep: "bad step",
      .divideByZero: "divide by zero",
      .badLineNumber: "bad line number",
      .illegalIndex: "illegal index",
      .expressionTooComplex: "expression too complex",
      .badParameter: "bad numeric parameter",
      .aborted: "aborted",
      .outOfData: "out of data",
    ]
  }
}
