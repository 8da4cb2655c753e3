// A position on the floor, and the heading and distance to it.

public import SpheroOrientation

/// A position on the floor in the frame of the locator, in centimetres.
///
/// y increases along heading 0, x to the right of it (Sphero API 1.50, Configure Locator).
public struct Position: Hashable, Sendable, CustomStringConvertible {
  /// The distance to the right of the origin, in centimetres.
  public var x: Double

  /// The distance ahead of the origin, in centimetres.
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  public var description: String { "(\(x.reading), \(y.reading)) cm" }

  var isFinite: Bool { x.isFinite && y.isFinite }

  func distance(to other: Position) -> Double { length(other.x - x, other.y - y) }

  func moved(along velocity: Position, for time: Double) -> Position {
    Position(x: x + velocity.x * time, y: y + velocity.y * time)
  }
}

/// The heading and the distance from one position on the floor to another.
public struct Aim: Hashable, Sendable, CustomStringConvertible {
  /// The direction: atan2(Δx, Δy); nil if the positions are equal.
  public let heading: Heading?

  /// In centimetres.
  public let distance: Double

  /// Creates the aim from one position at another; nil if a coordinate or the distance is not finite.
  public init?(from start: Position, to end: Position) {
    let right = end.x - start.x
    let ahead = end.y - start.y
    distance = length(right, ahead)
    guard distance.isFinite else { return nil }
    heading = Heading(towardX: right, y: ahead)
  }

  /// Direction and length: `90°, 25 cm`, or the length if there is no direction.
  public var description: String { (heading.map { "\($0), " } ?? "") + "\(distance.reading) cm" }
}

#if !hasFeature(Embedded)
  extension Position: Codable {}
#endif
