// A polyline on the floor, and its text format.

public import SpheroOrientation

/// A polyline on the floor, in centimetres.
public struct FloorPath: Hashable, Sendable {
  /// The largest number of points of a path.
  public static let maximumPointCount = 10_000
  /// The maximum absolute coordinate in centimetres, because the locator has 16 bits.
  public static let maximumCoordinate = 32_000.0

  /// The largest number of lines of a text, with blank lines and comments.
  public static let maximumLineCount = 100_000
  /// The format of a line of text.
  public static let form = "'x y' in centimetres, to the right and ahead, like '100 -25.5'"

  /// The points, in centimetres; there is at least one.
  public let points: [Position]
  /// The arc length to each point, in centimetres.
  private let arcLengths: [Double]
  /// The unit vector along the last segment that has a length.
  private let lastDirection: Position

  /// Creates a path; nil unless it has 1 to ``maximumPointCount`` points with coordinates of at most
  /// ``maximumCoordinate`` centimetres.
  public init?(_ points: [Position]) {
    guard !points.isEmpty, points.count <= Self.maximumPointCount else { return nil }
    guard points.allSatisfy({ abs($0.x) <= Self.maximumCoordinate && abs($0.y) <= Self.maximumCoordinate })
    else { return nil }
    self.points = points
    var arcLength = 0.0
    var arcLengths = [arcLength]
    var direction = Position(x: 0, y: 0)
    for (start, end) in zip(points, points.dropFirst()) {
      let length = start.distance(to: end)
      arcLength += length
      arcLengths.append(arcLength)
      if length > 0 { direction = Position(x: (end.x - start.x) / length, y: (end.y - start.y) / length) }
    }
    (self.arcLengths, lastDirection) = (arcLengths, direction)
  }

  /// Parses a path: one point on each line; `#` starts a comment; throws `TextLineError` for the first invalid line.
  public init(parsing text: some StringProtocol) throws(TextLineError) {
    var points: [Position] = []
    let count = try TextLine.forEach(of: text, subject: "path", atMost: Self.maximumLineCount) {
      line throws(TextLineError) in
      let numbers = line.words.compactMap { Double(decimal: $0) }
      guard line.words.count == 2, numbers.count == 2 else {
        throw line.error(.unknownLine, "write \(Self.form)")
      }
      guard abs(numbers[0]) <= Self.maximumCoordinate, abs(numbers[1]) <= Self.maximumCoordinate else {
        throw line.error(.tooFar, "a coordinate is at most \(Int(Self.maximumCoordinate)) cm")
      }
      // `beginning(at:isRelative:)` adds one point.
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

  /// Returns the path that begins at a position and continues along this path, relative to it if `isRelative`;
  /// nil if a coordinate exceeds ``maximumCoordinate`` or there are too many points.
  public func beginning(at start: Position, isRelative: Bool) -> FloorPath? {
    let origin = isRelative ? start : Position(x: 0, y: 0)
    return FloorPath([start] + points.map { Position(x: $0.x + origin.x, y: $0.y + origin.y) })
  }

  /// In centimetres.
  public var length: Double { arcLengths.last ?? 0 }

  /// The last point.
  public var end: Position { points.last ?? Position(x: 0, y: 0) }

  /// Returns the point at an arc length in centimetres, which is clamped to 0...``length``.
  public func position(at arcLength: Double) -> Position {
    let index = segment(at: arcLength)
    guard points.indices.contains(index + 1) else { return end }
    let (start, end) = (points[index], points[index + 1])
    let length = arcLengths[index + 1] - arcLengths[index]
    guard length > 0 else { return end }
    let fraction = clamped((arcLength - arcLengths[index]) / length, 0...1)
    return Position(x: start.x + (end.x - start.x) * fraction, y: start.y + (end.y - start.y) * fraction)
  }

  /// Returns the point at an arc length along the path, extended straight beyond its end.
  func extended(to arcLength: Double) -> Position {
    arcLength <= length ? position(at: arcLength) : end.moved(along: lastDirection, times: arcLength - length)
  }

  /// Returns the distance between the midpoint of a section of the path and the midpoint of its chord.
  func chordDeviation(from start: Double, to end: Double) -> Double {
    let (first, last) = (extended(to: start), extended(to: end))
    let middle = Position(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
    return middle.distance(to: extended(to: (start + end) / 2))
  }

  /// Returns the direction of the path over the 5 centimetres after an arc length, or over the first half of them if the
  /// path returns to the same place; nil at its end.
  func course(at arcLength: Double) -> Heading? {
    let start = position(at: arcLength)
    return start.heading(to: position(at: arcLength + 5)) ?? start.heading(to: position(at: arcLength + 2.5))
  }

  /// Returns the arc length of the point nearest to a position, on the section of length `range` from an arc length.
  func arcLength(nearestTo target: Position, from start: Double, range: Double) -> Double {
    var best = (arcLength: start, distance: target.distance(to: position(at: start)))
    var index = segment(at: start)
    while points.indices.contains(index + 1), arcLengths[index] <= start + range {
      let (first, last) = (points[index], points[index + 1])
      let length = arcLengths[index + 1] - arcLengths[index]
      if length > 0 {
        let along =
          ((target.x - first.x) * (last.x - first.x) + (target.y - first.y) * (last.y - first.y)) / length
        let here = clamped(arcLengths[index] + clamped(along, 0...length), start...(start + range))
        let distance = target.distance(to: position(at: here))
        if distance < best.distance { best = (here, distance) }
      }
      index += 1
    }
    return min(best.arcLength, length)
  }

  /// Returns the index of the segment that contains an arc length, by binary search: each step of the guidance calls it
  /// for every segment within the next half metre, and a path has up to ``maximumPointCount`` points.
  private func segment(at arcLength: Double) -> Int {
    var (low, high) = (0, max(0, arcLengths.count - 2))
    while low < high {
      let middle = (low + high + 1) / 2
      if arcLengths[middle] <= arcLength { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
