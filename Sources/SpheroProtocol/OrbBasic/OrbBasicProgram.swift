// BASIC programs: validation of the lines, and the requests that transfer a program to the robot.

/// A BASIC program: each line is a number, a space and a statement (orbBasic 1.07).
public struct OrbBasicProgram: Hashable, Sendable {
  /// The lines, each followed by a line feed.
  public let text: String
  /// The line numbers, in the order of the text.
  public let lineNumbers: [UInt16]

  /// The longest program of any firmware in bytes, including the NUL at its end.
  public static let longest = 4096

  /// Validates a text, converts its line ends to line feeds, and removes lines that are empty or consist of blanks.
  public init(_ text: String) throws(OrbBasicTextError) {
    var lines: [Substring] = []
    var numbers: [UInt16] = []
    let all = text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
    for (row, line) in zip(1..., all) where line.contains(where: { $0 != " " && $0 != "\t" }) {
      if let index = line.firstIndex(of: "\0") {
        throw .nul(line: row, column: line.distance(from: line.startIndex, to: index) + 1)
      }
      // UInt16 would also parse a sign.
      let digits = line.prefix { $0.isASCII && $0.isNumber }
      guard line.dropFirst(digits.count).first == " ", let number = UInt16(digits), number > 0 else {
        throw .missingLineNumber(line: row)
      }
      lines.append(line)
      numbers.append(number)
    }
    guard !lines.isEmpty else { throw .empty }
    self.text = lines.map { $0 + "\n" }.joined()
    lineNumbers = numbers
    guard self.text.utf8.count < Self.longest else { throw .tooLong(count: self.text.utf8.count + 1) }
  }

  // Embedded Swift has no array of commands of several types; there, visit the requests.
  #if !hasFeature(Embedded)
    /// The requests that transfer the program and start it at a line, by default the first: abort, erase, append, execute.
    public func requests(area: OrbBasic.Area = .ram, startingAt line: UInt16? = nil) -> [any Command] {
      var list = CommandList()
      visitRequests(area: area, startingAt: line, &list)
      return list.commands
    }
  #endif

  package func visitRequests(
    area: OrbBasic.Area = .ram, startingAt line: UInt16? = nil, _ visitor: inout some CommandVisitor
  ) {
    visitor.visit(OrbBasic.Abort())
    visitor.visit(OrbBasic.EraseStorage(area: area))
    let bytes = Array(text.utf8) + [0]
    // The limit of ``OrbBasic/AppendFragment/text``.
    let size = 253
    for start in stride(from: 0, to: bytes.count, by: size) {
      let fragment = WireText(bytes: Array(bytes[start...].prefix(size)))
      visitor.visit(OrbBasic.AppendFragment(area: area, text: fragment))
    }
    visitor.visit(OrbBasic.Execute(area: area, line: line ?? lineNumbers.first ?? 0))
  }

  /// The number of a line that the program does not have. A robot refuses to execute this line while a program runs, so
  /// its answer shows whether the program has ended.
  package var absentLine: UInt16 {
    let used = Set(lineNumbers)
    // A program has fewer lines than there are line numbers.
    return (1...UInt16.max).last { !used.contains($0) } ?? .max
  }
}

/// An error in the text of an ``OrbBasicProgram``; lines of the text are counted from 1, including empty ones.
@nonexhaustive public enum OrbBasicTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text has no lines.
  case empty
  /// The line does not begin with a number, 1...65535, and a space.
  case missingLineNumber(line: Int)
  /// The line has a NUL at this character, counted from 1, which would end the program.
  case nul(line: Int, column: Int)
  /// The program has `count` bytes including the NUL at its end, more than ``OrbBasicProgram/longest``.
  case tooLong(count: Int)

  public var description: String { "\(message). \(advice)" }

  public var message: String {
    switch self {
    case .empty: "the program has no lines"
    case .missingLineNumber(let line):
      "line \(line) of the text does not begin with a number, 1...65535, and a space"
    case .nul(let line, _): "line \(line) of the text has a NUL character"
    case .tooLong(let count):
      "the program has \(count) bytes, but a robot holds \(OrbBasicProgram.longest)"
    }
  }

  /// The line of the text, counted from 1; nil if the error concerns the whole program.
  public var line: Int? {
    switch self {
    case .missingLineNumber(let line), .nul(let line, _): line
    case .empty, .tooLong: nil
    }
  }

  /// The character of that line, counted from 1; nil if the error concerns the whole program.
  public var column: Int? {
    if case .nul(_, let column) = self { column } else { line.map { _ in 1 } }
  }

  public var advice: String {
    switch self {
    case .empty: "Write a line like '10 end'."
    case .missingLineNumber: "Begin it with a number, like '10 print 1'."
    case .nul: "Leave it out."
    case .tooLong: "Shorten it."
    }
  }
}
