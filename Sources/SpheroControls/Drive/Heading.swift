// Directions on the floor: folding, whole degrees for the wire, the shortest turn, and the aim at a place.

/// A direction on the floor in 0..<360 degrees, clockwise seen from above.
///
/// 0 is ahead, 90 right, 180 back, 270 left, all relative to the last aim (Sphero API 1.50, Roll).
/// A yaw angle after the right-hand rule turns the other way: yaw = -heading.
public struct Heading: Hashable, Sendable {
  /// The direction in degrees, 0..<360.
  public let degrees: Double

  /// The direction the robot was last aimed in: 0 degrees.
  public static let ahead = Heading(folding: 0)

  /// Creates a heading from any angle, folded into 0..<360 degrees.
  ///
  /// The result is `nil` if the angle is not a finite number.
  public init?(degrees: Double) {
    guard degrees.isFinite else { return nil }
    self.init(folding: degrees)
  }

  /// Creates a heading from an angle that is known to be finite.
  init(folding degrees: Double) {
    self.degrees = fold(degrees: degrees)
  }

  /// The direction in whole degrees, 0...359, for the wire.
  ///
  /// Rounded half up and folded after rounding, so that 359.6 is 0 and never 360.
  public var wholeDegrees: UInt16 {
    UInt16(degrees.rounded(.toNearestOrAwayFromZero)) % 360
  }

  /// Returns the shortest turn to another heading in degrees, above -180 to 180, clockwise above zero.
  ///
  /// An about-turn goes clockwise.
  public func turn(to other: Heading) -> Double {
    let difference = other.degrees - degrees
    if difference > 180 { return difference - 360 }
    return difference <= -180 ? difference + 360 : difference
  }

  /// Returns this heading turned clockwise by an angle in degrees.
  ///
  /// - Returns: `nil` if the angle is not a finite number.
  public func turned(by degrees: Double) -> Heading? {
    guard degrees.isFinite else { return nil }
    return Heading(folding: self.degrees + fold(degrees: degrees))
  }
}

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
  /// The direction of the way: atan2(Δx, Δy); ahead when the places are the same.
  public let heading: Heading

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
    heading =
      distance > 0 ? Heading(folding: degrees(opposite: right, adjacent: ahead)) : .ahead
  }
}
