// The text format of paths: one point on each line.

public import SpheroOrientation

extension FloorPath {
  public static let maximumLineCount = 100_000
  /// The format of a line.
  public static let form = "'x y' in centimetres, to the right and ahead, like '100 -25.5'"

  /// Parses a path: one point on each line; `#` starts a comment.
  ///
  /// - Throws: ``TextLineError`` for the first invalid line.
  public init(parsing text: some StringProtocol) throws(TextLineError) {
    var points: [Position] = []
    let count = try TextLine.forEach(of: text, subject: "path", atMost: Self.maximumLineCount) {
      line throws(TextLineError) in
      let numbers = line.words.compactMap { Double($0) }
      guard line.words.count == 2, numbers.count == 2, numbers[0].isFinite, numbers[1].isFinite else {
        throw line.error(.unknownLine, "write \(Self.form)")
      }
      guard abs(numbers[0]) <= Self.maximumCoordinate, abs(numbers[1]) <= Self.maximumCoordinate else {
        throw line.error(.tooFar, "a coordinate is at most \(Int(Self.maximumCoordinate)) cm")
      }
      guard points.count < Self.maximumPointCount - 1 else {
        throw line.error(.tooLong, "a path has at most \(Self.maximumPointCount - 1) places")
      }
      points.append(Position(x: numbers[0], y: numbers[1]))
    }
    guard let path = FloorPath(points) else {
      throw TextLineError(.empty, subject: "path", line: count, expected: "each line is \(Self.form)")
    }
    self = path
  }
}
