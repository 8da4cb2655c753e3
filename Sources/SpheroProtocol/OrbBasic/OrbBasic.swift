// orbBasic messages (DID 02h): transfer and execution of BASIC programs, their output and errors.

/// Messages that transfer and run BASIC programs inside the robot (DID 02h); see ``OrbBasicProgram``.
public enum OrbBasic {
  /// A storage area for one program.
  public enum Area: UInt8, WireNamed, CaseIterable {
    /// Lost in sleep; 1 KB, up to 4 KB in newer firmware.
    case ram
    /// Kept in sleep; 4 KB.
    case flash
    public static let names: KeyValuePairs<Self, String> = [.ram: "ram", .flash: "flash"]
  }

  /// Erases the program of an area; required before another program is appended
  /// (Sphero API 1.50, "Erase orbBasic Storage").
  public struct EraseStorage: Command {
    public static let id = CommandID(0x02, 0x60)
    /// Area of the program.
    public var area = Area.ram
    public init() {}
    public init(area: Area) { self.area = area }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("area", &area) }
  }

  /// Appends text to the program of an area (Sphero API 1.50, "Append orbBasic Fragment").
  ///
  /// ``Status/badParameter`` for an unknown area, ``Status/failedToExecute`` if the area is full.
  public struct AppendFragment: Command, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x61)
    /// Area of the program.
    public var area = Area.ram
    /// At most 253 bytes of program text; a NUL ends the program.
    public var text: WireText = ""
    public init() {}
    public init(area: Area, text: WireText) { (self.area, self.text) = (area, text) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("area", &area)
      try wire.field("text", &text, count: 0...253)
    }
  }

  /// Starts the program of an area; fails while a program runs (Sphero API 1.50, "Execute orbBasic Program").
  public struct Execute: Command, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x62)
    /// Area of the program.
    public var area = Area.ram
    /// Number of the first line to execute.
    public var line: UInt16 = 10
    public var effect: RequestEffect? { .runProgram() }
    public init() {}
    public init(area: Area, line: UInt16) { (self.area, self.line) = (area, line) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("area", &area)
      try wire.field("line", &line)
    }
  }

  /// Aborts the running program; also succeeds if none runs (Sphero API 1.50, "Abort orbBasic Program").
  public struct Abort: Command {
    public static let id = CommandID(0x02, 0x63)
    public var effect: RequestEffect? { .abortProgram }
    public init() {}
  }

  /// Sends a value to the program's `input` statement; ignored if no `input` waits
  /// (Sphero API 1.50, "Submit Value To Input Statement").
  public struct SubmitInput: Command, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x64)
    /// Value that the `input` statement assigns.
    public var value: Int32 = 0
    public init() {}
    public init(value: Int32) { self.value = value }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("value", &value) }
  }

  /// Copies the program in RAM to flash; fails while the program in flash runs
  /// (Sphero API 1.50, "Commit RAM Program to Flash").
  public struct CommitToFlash: Command {
    public static let id = CommandID(0x02, 0x65)
    public init() {}
  }

  /// ``CommitToFlash`` under a second ID that a document gives for it (Sphero API quick reference).
  public struct CommitToFlashAlias: Command {
    public static let id = CommandID(0x02, 0x70)
    public init() {}
  }

  /// The output of a `print` statement; for a text longer than 32 bytes, a warning is sent instead
  /// (Sphero API 1.50).
  public struct PrintMessage: Event {
    public static let id = EventID(0x08)
    /// The text, including a line feed unless a semicolon suppressed it.
    public var text: WireText = ""
    public init() {}
    public init(text: WireText) { self.text = text }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("text", &text, count: 0...0xFFFE)
    }
  }

  /// The error that stopped a program, as text like `Line 30: Divide by zero` (Sphero API 1.50).
  public struct ErrorText: Event {
    public static let id = EventID(0x09)
    /// The text, including its line feed.
    public var text: WireText = ""
    public init() {}
    public init(text: WireText) { self.text = text }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("text", &text, count: 0...0xFFFE)
    }
  }

  /// The error that stopped a program, as numbers (Sphero API 1.50; orbBasic 1.07).
  public struct ErrorMessage: Event {
    public static let id = EventID(0x0A)
    /// Number of the line that failed.
    public var line: UInt16 = 0
    /// Cause of the error.
    public var error = ErrorCode.syntax
    public init() {}
    public init(line: UInt16, error: ErrorCode) { (self.line, self.error) = (line, error) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("line", &line)
      try wire.field("error", &error)
    }
  }

  /// An error in a program; unknown codes are kept as their numbers.
  public struct ErrorCode: WireCode {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// The statement has an invalid form.
    public static let syntax = ErrorCode(rawValue: 1)
    /// The first word is not a statement.
    public static let unknownStatement = ErrorCode(rawValue: 2)
    /// More than four nested `gosub`.
    public static let gosubDepth = ErrorCode(rawValue: 3)
    /// No `gosub` is open.
    public static let returnWithoutGosub = ErrorCode(rawValue: 4)
    /// No `for` with this variable is open.
    public static let nextWithoutFor = ErrorCode(rawValue: 5)
    /// More than four nested `for`.
    public static let forDepth = ErrorCode(rawValue: 6)
    /// The step of a `for` never reaches its limit.
    public static let badStep = ErrorCode(rawValue: 7)
    /// The divisor is 0.
    public static let divideByZero = ErrorCode(rawValue: 8)
    /// The line does not exist.
    public static let badLineNumber = ErrorCode(rawValue: 9)
    /// An array index is out of range.
    public static let illegalIndex = ErrorCode(rawValue: 0x0A)
    /// The expression exceeds the interpreter's stack.
    public static let expressionTooComplex = ErrorCode(rawValue: 0x0B)
    /// A number is out of range.
    public static let badParameter = ErrorCode(rawValue: 0x0C)
    /// Aborted by a command.
    public static let aborted = ErrorCode(rawValue: 0x0D)
    /// `read` found no more `data`.
    public static let outOfData = ErrorCode(rawValue: 0x0E)

    public static let names: KeyValuePairs<ErrorCode, String> = [
      .syntax: "syntax", .unknownStatement: "unknown statement", .gosubDepth: "gosub too deep",
      .returnWithoutGosub: "return without gosub", .nextWithoutFor: "next without for",
      .forDepth: "for too deep", .badStep: "bad step", .divideByZero: "divide by zero",
      .badLineNumber: "bad line number", .illegalIndex: "illegal index",
      .expressionTooComplex: "expression too complex", .badParameter: "bad numeric parameter",
      .aborted: "aborted", .outOfData: "out of data",
    ]
  }
}
