// A program in BASIC: its lines, checked, and the requests that bring it into the robot.

/// A program in BASIC.
///
/// Each line is a number, a space and a statement.
/// orbBasic 1.07.
public struct OrbBasicProgram: Hashable, Sendable {
  /// The text: lines, each with a line feed.
  public let text: String
  /// The numbers of the lines, in their order.
  public let lineNumbers: [UInt16]

  /// The longest program that any firmware holds, with the NUL that ends it.
  public static let longest = 4096

  /// Checks a text and takes it, its line ends made line feeds and empty lines left out.
  ///
  /// - Throws: ``ProgramError``.
  public init(_ text: String) throws(ProgramError) {
    var lines: [Substring] = []
    var numbers: [UInt16] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
      .enumerated()
    where line.contains(where: { $0 != " " }) {
      guard !line.utf8.contains(0) else { throw .nul(line: index + 1) }
      guard let number = line.prefix(while: { $0 != " " }).wholeUInt16, number > 0, line.contains(" ") else {
        throw .noNumber(line: index + 1)
      }
      lines.append(line)
      numbers.append(number)
    }
    guard !lines.isEmpty else { throw .empty }
    self.text = lines.map { $0 + "\n" }.joined()
    lineNumbers = numbers
    guard self.text.utf8.count < Self.longest else { throw .tooLong(count: self.text.utf8.count + 1) }
  }

  /// The pieces in which the text is sent, 253 bytes and less; the last ends with the NUL that ends the program.
  public func fragments(area: OrbBasic.Area) -> [OrbBasic.AppendFragment] {
    let bytes = Array(text.utf8) + [0]
    let size = 253
    return stride(from: 0, to: bytes.count, by: size).map { start in
      let piece = bytes[start..<min(start + size, bytes.count)]
      return OrbBasic.AppendFragment(area: area, text: WireText(bytes: Array(piece)))
    }
  }
}

// Embedded Swift has no list of commands of several types; there, a program sends the fragments one by one.
#if !hasFeature(Embedded)
  extension OrbBasicProgram {
    /// The requests that bring the program into the robot and start it, in their order: end, erase, append, execute.
    ///
    /// - Parameters:
    ///   - area: Where it shall lie.
    ///   - line: Where it starts, or nil for its first line.
    /// - Returns: What to send.
    public func requests(area: OrbBasic.Area = .ram, startingAt line: UInt16? = nil) -> [any Command] {
      let start = line ?? lineNumbers.first ?? 0
      let before: [any Command] = [OrbBasic.Abort(), OrbBasic.EraseStorage(area: area)]
      return before + fragments(area: area) + [OrbBasic.Execute(area: area, line: start)]
    }
  }
#endif

extension Substring {
  /// The number that the digits make, or nil where there is anything else.
  fileprivate var wholeUInt16: UInt16? {
    allSatisfy { $0.isASCII && $0.isNumber } ? UInt16(self) : nil
  }
}

/// An error in the text of an ``OrbBasicProgram``; lines of the text count from 1, empty ones too.
@nonexhaustive public enum ProgramError: Error, Hashable, Sendable {
  /// The text has no lines.
  case empty
  /// The line does not begin with a number, 1...65535, and a space.
  case noNumber(line: Int)
  /// The line has a NUL, which would end the program there.
  case nul(line: Int)
  /// The program has `count` bytes with the NUL that ends it, more than ``OrbBasicProgram/longest``.
  case tooLong(count: Int)
}

extension ProgramError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// What is wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .empty: "the program has no lines"
    case .noNumber(let line):
      "line \(line) of the text does not begin with a number, 1...65535, and a space"
    case .nul(let line): "line \(line) of the text has a NUL character"
    case .tooLong(let count):
      "the program has \(count) bytes, but a robot holds \(OrbBasicProgram.longest)"
    }
  }

  /// The line of the text, from 1; nil if the whole program is wrong.
  public var line: Int? {
    switch self {
    case .noNumber(let line), .nul(let line): line
    case .empty, .tooLong: nil
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .empty: "Write a line like '10 end'."
    case .noNumber: "Begin it like '10 end'."
    case .nul: "Leave it out."
    case .tooLong: "Shorten it."
    }
  }
}
