// A path as a small text: one place on each line.

/// Why a text describes no path: the line, counted from 1, and what stands there.
public struct FloorPathError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong; later versions of the library may have more codes, so a switch has a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `noPlace`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The line is not a place.
    public static let noPlace = Code("noPlace")
    /// The place is farther away than the locator counts.
    public static let tooFar = Code("tooFar")
    /// The text has too many lines or places.
    public static let tooLong = Code("tooLong")
    /// The text has no place at all.
    public static let empty = Code("empty")
  }

  /// What is wrong.
  public let code: Code
  /// The line, counted from 1.
  public let line: Int
  /// What stands there, or the beginning of it.
  public let text: String
  /// What would do.
  public let expected: String
  /// One sentence for people.
  public var description: String {
    code == .empty ? "the path is empty: \(expected)" : "line \(line) of the path says '\(text)': \(expected)"
  }
}

extension FloorPath {
  /// The most lines of a text; a longer one is refused.
  public static let mostLines = 100_000
  /// How a line of a text is written.
  public static let form = "'x y' in centimetres, to the right and ahead, like '100 -25.5'"

  /// Reads a path from text: a line for each place, `#` begins a comment.
  ///
  /// - Throws: ``FloorPathError`` with the first line that says something else.
  public init(parsing text: some StringProtocol) throws(FloorPathError) {
    var points: [Position] = []
    var number = 0
    // A line of Windows ends with CR and LF, which are one character.
    for whole in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      func failure(_ code: FloorPathError.Code, _ expected: String) -> FloorPathError {
        // Control characters of a file are not for a terminal.
        let shown = whole.prefix(80).map { $0.isWholeASCIIText ? $0 : "?" }
        return FloorPathError(code: code, line: number, text: String(shown), expected: expected)
      }
      let words = whole.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "," }
      guard number <= Self.mostLines else {
        throw failure(.tooLong, "a path has at most \(Self.mostLines) lines")
      }
      if words.isEmpty { continue }
      let numbers = words.compactMap { Double(String($0)) }
      guard words.count == 2, numbers.count == 2, numbers[0].isFinite, numbers[1].isFinite else {
        throw failure(.noPlace, "write \(Self.form)")
      }
      guard abs(numbers[0]) <= Self.farthest, abs(numbers[1]) <= Self.farthest else {
        throw failure(.tooFar, "a coordinate is at most \(Int(Self.farthest)) cm")
      }
      guard points.count < Self.mostPoints - 1 else {
        throw failure(.tooLong, "a path has at most \(Self.mostPoints - 1) places")
      }
      points.append(Position(x: numbers[0], y: numbers[1]))
    }
    guard let path = FloorPath(points) else {
      throw FloorPathError(code: .empty, line: number, text: "", expected: "each line is \(Self.form)")
    }
    self = path
  }
}

extension Character {
  /// Whether it is a printable character of ASCII, or a letter of another script.
  fileprivate var isWholeASCIIText: Bool { asciiValue.map { (0x20..<0x7F).contains($0) } ?? isLetter }
}
