// A path as a small text: one place on each line.

public import SpheroOrientation

extension FloorPath {
  /// The most lines of a text; a longer one is refused.
  public static let mostLines = 100_000
  /// How a line of a text is written.
  public static let form = "'x y' in centimetres, to the right and ahead, like '100 -25.5'"

  /// Reads a path from text: a line for each place, `#` begins a comment.
  ///
  /// - Throws: `TextLineError` with the first line that says something else.
  public init(parsing text: some StringProtocol) throws(TextLineError) {
    var points: [Position] = []
    let count = try TextLine.forEach(of: text, subject: "path", atMost: Self.mostLines) {
      line throws(TextLineError) in
      let numbers = line.words.compactMap { Double($0) }
      guard line.words.count == 2, numbers.count == 2, numbers[0].isFinite, numbers[1].isFinite else {
        throw line.error(.unknownLine, "write \(Self.form)")
      }
      guard abs(numbers[0]) <= Self.farthest, abs(numbers[1]) <= Self.farthest else {
        throw line.error(.tooFar, "a coordinate is at most \(Int(Self.farthest)) cm")
      }
      guard points.count < Self.mostPoints - 1 else {
        throw line.error(.tooLong, "a path has at most \(Self.mostPoints - 1) places")
      }
      points.append(Position(x: numbers[0], y: numbers[1]))
    }
    guard let path = FloorPath(points) else {
      throw TextLineError(.empty, subject: "path", line: count, expected: "each line is \(Self.form)")
    }
    self = path
  }
}
