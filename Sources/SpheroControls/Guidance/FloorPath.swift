// A path on the floor: straight pieces from place to place.

import SpheroOrientation

/// A path on the floor in centimetres: straight pieces from place to place.
public struct FloorPath: Hashable, Sendable {
  /// The most places of a path.
  public static let mostPoints = 10_000
  /// The largest coordinate in centimetres: the locator counts in 16 bits.
  public static let farthest = 32_000.0

  /// The places, in their order.
  public let points: [Position]
  /// The way to each place, in centimetres.
  private let ways: [Double]
  /// The direction of the last piece that has a length: one centimetre of it.
  private let lastStep: Position

  /// Creates a path; nil where there is no place, or too many, or one that is too far away or not a number.
  ///
  /// - Parameter points: One to ``mostPoints`` places; no coordinate is beyond ``farthest`` centimetres.
  public init?(_ points: [Position]) {
    guard !points.isEmpty, points.count <= Self.mostPoints else { return nil }
    guard points.allSatisfy({ abs($0.x) <= Self.farthest && abs($0.y) <= Self.farthest }) else { return nil }
    self.points = points
    var way = 0.0
    var ways = [way]
    var step = Position(x: 0, y: 0)
    for (start, end) in zip(points, points.dropFirst()) {
      let length = start.distance(to: end)
      way += length
      ways.append(way)
      if length > 0 { step = Position(x: (end.x - start.x) / length, y: (end.y - start.y) / length) }
    }
    (self.ways, lastStep) = (ways, step)
  }

  /// The path that begins at a place and goes on along this one.
  ///
  /// - Parameters:
  ///   - start: Where it begins.
  ///   - isRelative: Whether the coordinates of this path count from there.
  /// - Returns: The path; nil where it leaves what the locator can count.
  public func beginning(at start: Position, isRelative: Bool) -> FloorPath? {
    let origin = isRelative ? start : Position(x: 0, y: 0)
    return FloorPath([start] + points.map { Position(x: $0.x + origin.x, y: $0.y + origin.y) })
  }

  /// The length in centimetres.
  public var length: Double { ways.last ?? 0 }

  /// The last place.
  public var end: Position { points.last ?? Position(x: 0, y: 0) }

  /// The place after a way from the beginning, in centimetres; a way beyond an end counts as that end.
  public func position(at way: Double) -> Position {
    let index = piece(at: way)
    guard points.indices.contains(index + 1) else { return end }
    let (start, end) = (points[index], points[index + 1])
    let length = ways[index + 1] - ways[index]
    guard length > 0 else { return end }
    let part = clamped((way - ways[index]) / length, 0...1)
    return Position(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
  }

  /// The place after a way along the path, or along its last piece made longer.
  func extended(to way: Double) -> Position {
    way <= length ? position(at: way) : end.moved(along: lastStep, for: way - length)
  }

  /// How far the middle of a stretch lies from the middle of the straight line between its ends.
  func bulge(from start: Double, to end: Double) -> Double {
    let (first, last) = (extended(to: start), extended(to: end))
    let middle = Position(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
    return middle.distance(to: extended(to: (start + end) / 2))
  }

  /// The direction in which the path goes on after a way, over the next centimetres; nil at its end.
  func course(at way: Double) -> Heading? {
    Aim(from: position(at: way), to: position(at: way + 5))?.heading
  }

  /// How far along the path the place nearest to another one is.
  ///
  /// - Parameters:
  ///   - place: The other place.
  ///   - way: Where to begin to search, in centimetres from the beginning; the search never goes back.
  ///   - reach: How far to search.
  /// - Returns: The way in centimetres from the beginning.
  func way(nearest place: Position, from way: Double, reach: Double) -> Double {
    var best = (way: way, distance: place.distance(to: position(at: way)))
    var index = piece(at: way)
    while points.indices.contains(index + 1), ways[index] <= way + reach {
      let (start, end) = (points[index], points[index + 1])
      let length = ways[index + 1] - ways[index]
      if length > 0 {
        let along =
          ((place.x - start.x) * (end.x - start.x) + (place.y - start.y) * (end.y - start.y)) / length
        let here = clamped(ways[index] + clamped(along, 0...length), way...(way + reach))
        let distance = place.distance(to: position(at: here))
        if distance < best.distance { best = (here, distance) }
      }
      index += 1
    }
    return min(best.way, length)
  }

  /// The piece on which a way ends: the last one that begins before.
  private func piece(at way: Double) -> Int {
    var (low, high) = (0, max(0, ways.count - 2))
    while low < high {
      let middle = (low + high + 1) / 2
      if ways[middle] <= way { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
