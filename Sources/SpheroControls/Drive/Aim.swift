// The aim at a place on the floor.

public import SpheroOrientation

/// A place on the floor in the frame of the locator, in centimetres.
///
/// y grows along heading 0, x to its right (Sphero API 1.50, Configure Locator).
public struct Position: Hashable, Sendable {
  /// The distance to the right of the origin, in centimetres.
  public var x: Double

  /// The distance ahead of the origin, in centimetres.
  public var y: Double

  /// Creates a position from its coordinates in centimetres.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// The way from one place on the floor to another.
public struct Aim: Hashable, Sendable {
  /// The direction of the way: atan2(Δx, Δy); `nil` where the places are the same, which is not a direction at all.
  ///
  /// ``Drive/init(_:speed:)`` neither turns nor moves a robot that is there already.
  public let heading: Heading?

  /// The length of the way in centimetres.
  public let distance: Double

  /// Creates the aim from one place at another.
  ///
  /// The result is `nil` if a coordinate is not a finite number, or the way is too long for one.
  public init?(from start: Position, to end: Position) {
    let right = end.x - start.x
    let ahead = end.y - start.y
    distance = length(right, ahead)
    guard distance.isFinite else { return nil }
    heading = Heading(towardX: right, y: ahead)
  }
}

#if !hasFeature(Embedded)
  extension Position: Codable {}
#endif
