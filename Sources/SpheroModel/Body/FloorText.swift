// A floor as a small text: one thing on each line.

/// Why a text describes no floor: the line, counted from 1, and what stands there.
public struct FloorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong; later versions of the library may have more codes, so a switch has a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `unknownLine`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The line describes nothing.
    public static let unknownLine = Code("unknownLine")
    /// The text has too many lines.
    public static let tooManyLines = Code("tooManyLines")
  }

  /// What is wrong.
  public let code: Code
  /// The line, counted from 1.
  public let line: Int
  /// What stands there.
  public let text: String
  /// What would do.
  public let expected: String
  /// One sentence for people.
  public var description: String { "line \(line) of the floor says '\(text)': \(expected)" }
}

extension Floor {
  /// The most lines of a text; a longer one is refused.
  private static let mostLines = 10_000

  /// Every line that a text can have, once: how it is written, and what it means.
  public static let help: [(form: String, text: String)] = [
    ("room W D", "Four walls around the origin: width and depth in metres."),
    ("wall X Y X Y", "A wall from one place to another."),
    (
      "start X Y",
      "Where a robot begins; one line for each. Without one they stand 0.3 m apart, to the right."
    ),
    (
      "grip N",
      "Friction as a fraction of the weight: 0.8 is rubber on wood, as without the line; 0.1 is ice."
    ),
    ("slope X Y", "The part of gravity that points downhill, in m/s²; less than 9.8."),
    ("bounce N", "How much of the speed a wall gives back, 0...1; 0.5 without the line."),
  ]

  /// Reads a floor from text.
  ///
  /// Each line is a word and its numbers, as in ``help``: `room 4 3`, `slope 0 0.3`. `#` begins a comment.
  ///
  /// - Throws: ``FloorError`` with the first line that says something else.
  public init(parsing text: some StringProtocol) throws(FloorError) {
    self.init()
    for (index, whole) in text.lines.enumerated() {
      let line = whole.prefix { $0 != "#" }
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "," }
      guard let keyword = words.first else { continue }
      let numbers = words.dropFirst().compactMap { word in
        Double(String(word)).flatMap { abs($0) <= 1_000 ? $0 : nil }
      }
      func failure(_ code: FloorError.Code, _ expected: String) -> FloorError {
        FloorError(code: code, line: index + 1, text: String(whole.prefix(80)), expected: expected)
      }
      guard index < Self.mostLines else {
        throw failure(.tooManyLines, "a floor has at most \(Self.mostLines) lines")
      }
      guard numbers.count == words.count - 1, apply(String(keyword), numbers) else {
        throw failure(.unknownLine, "write \(Self.help.map { $0.form }.joined(separator: ", "))")
      }
    }
  }

  private mutating func apply(_ keyword: String, _ numbers: [Double]) -> Bool {
    switch (keyword, numbers.count) {
    case ("room", 2):
      guard numbers[0] > 0, numbers[1] > 0 else { return false }
      walls += Floor(width: numbers[0], depth: numbers[1]).walls
    case ("wall", 4):
      walls.append(Wall(from: Planar(numbers[0], numbers[1]), to: Planar(numbers[2], numbers[3])))
    case ("start", 2): starts.append(Planar(numbers[0], numbers[1]))
    case ("grip", 1):
      guard numbers[0] > 0 else { return false }
      grip = numbers[0]
    case ("slope", 2):
      slope = Planar(numbers[0], numbers[1])
      return slope.length < Body.gravity
    case ("bounce", 1):
      guard (0...1).contains(numbers[0]) else { return false }
      bounce = numbers[0]
    default: return false
    }
    return true
  }
}

extension StringProtocol {
  /// The lines of a text file; one of Windows ends its lines with CR and LF, which are one character.
  var lines: [SubSequence] {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }
}
