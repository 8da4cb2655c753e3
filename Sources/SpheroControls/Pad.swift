// The round pad under a finger, and how far the finger pushes from its centre.

public import SpheroOrientation

/// A point on a screen: x grows to the right, y grows downwards, in the unit of the view.
public struct Point: Hashable, Sendable {
  /// The distance to the right of the origin.
  public var x: Double

  /// The distance below the origin.
  public var y: Double

  /// Creates a point from its coordinates.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// The bounds of a round control: a circle, or an ellipse when the sides differ.
///
/// Joystick and colour wheel are both a pad:
/// a point on it is read as a ``Deflection``, and a deflection is drawn as a point.
/// Each axis is measured by its own half side, as in `RKDriveControl` of the Sphero iOS SDK;
/// unlike there, the origin of the bounds counts in both directions.
public struct Pad: Hashable, Sendable {
  /// The point in the middle.
  public let center: Point

  private let halfWidth: Double
  private let halfHeight: Double

  /// Creates a pad from the bounds of a view.
  ///
  /// The result is `nil` if a side is not above zero, or a bound is not a finite number.
  ///
  /// - Parameters:
  ///   - x: The left edge.
  ///   - y: The upper edge.
  ///   - width: The width, above zero.
  ///   - height: The height, above zero.
  public init?(x: Double = 0, y: Double = 0, width: Double, height: Double) {
    let right = x + width
    let bottom = y + height
    guard right.isFinite, bottom.isFinite, x.isFinite, y.isFinite else { return nil }
    halfWidth = width / 2
    halfHeight = height / 2
    guard halfWidth > 0, halfHeight > 0 else { return nil }
    center = Point(x: x + halfWidth, y: y + halfHeight)
  }

  /// The pad around the origin whose rim is 1 away from it.
  public static let unit = Pad()

  private init() { (center, halfWidth, halfHeight) = (Point(x: 0, y: 0), 1, 1) }

  /// Returns how far a point pushes from the centre, held to the rim.
  ///
  /// x = (point.x - center.x) / (width / 2), y = (center.y - point.y) / (height / 2).
  ///
  /// - Returns: `nil` if a coordinate is not a finite number.
  public func deflection(at point: Point) -> Deflection? {
    guard point.x.isFinite, point.y.isFinite else { return nil }
    let right = Self.ratio(of: point.x - center.x, to: halfWidth)
    let ahead = Self.ratio(of: center.y - point.y, to: halfHeight)
    return Deflection(x: right, y: ahead)
  }

  /// Returns the point at which to draw a deflection.
  public func point(at deflection: Deflection) -> Point {
    Point(x: center.x + halfWidth * deflection.x, y: center.y - halfHeight * deflection.y)
  }

  /// Returns the point of the pad for a finger that may have left it.
  ///
  /// A point outside is drawn in to the rim along its own direction,
  /// where the sample of the iOS SDK held it to the square around the circle.
  /// A coordinate that is not a finite number gives the centre.
  public func clamped(_ point: Point) -> Point {
    guard let deflection = deflection(at: point) else { return center }
    return self.point(at: deflection)
  }

  /// A distance from the centre in half sides, finite also where the quotient overflows.
  private static func ratio(of distance: Double, to half: Double) -> Double {
    let limit = Double.greatestFiniteMagnitude
    return max(-limit, min(limit, distance / half))
  }
}

/// A push away from the centre of a round control: a direction and a magnitude of 0...1.
///
/// The frame is the pad as the hand sees it: +x to the right, +y ahead (up on the screen).
public struct Deflection: Hashable, Sendable {
  /// The part to the right, -1...1.
  public let x: Double

  /// The part ahead, -1...1.
  public let y: Double

  /// The distance from the centre: min(1, √(x² + y²)), exactly 1 on the rim and beyond.
  public let magnitude: Double

  /// No push at all.
  public static let center = Deflection(heading: .ahead, magnitude: 0)

  /// Creates a deflection from its parts, held to the unit circle with its direction kept.
  ///
  /// The result is `nil` if a part is not a finite number.
  public init?(x: Double, y: Double) {
    guard x.isFinite, y.isFinite else { return nil }
    // Scaled by the larger part, because the squares of huge parts overflow.
    let largest = max(abs(x), abs(y))
    guard largest > 1 || length(x, y) > 1 else {
      (self.x, self.y, magnitude) = (x, y, length(x, y))
      return
    }
    let scaled = length(x / largest, y / largest)
    (self.x, self.y, magnitude) = (x / largest / scaled, y / largest / scaled, 1)
  }

  /// Creates a deflection from its direction, clockwise from ahead, and its magnitude held to 0...1.
  public init(heading: Heading, magnitude: Double) {
    self.magnitude = magnitude.clampedToUnit
    x = self.magnitude * sine(degrees: heading.degrees)
    y = self.magnitude * cosine(degrees: heading.degrees)
  }

  /// Creates the deflection that shows a hue at a saturation on a colour wheel.
  ///
  /// x = saturation · cos(hue), y = saturation · sin(hue).
  public init(hueOf color: HSB) {
    magnitude = color.saturation
    x = magnitude * cosine(degrees: color.hue)
    y = magnitude * sine(degrees: color.hue)
  }

  /// The direction, clockwise from ahead: atan2(x, y); ahead when there is no push.
  public var heading: Heading {
    magnitude > 0 ? Heading(towardX: x, y: y) ?? .ahead : .ahead
  }

  /// The direction as a hue in degrees, 0..<360, counter-clockwise from the right: atan2(y, x); 0 without push.
  public var hue: Double {
    magnitude > 0 ? fold(degrees: degrees(opposite: y, adjacent: x)) : 0
  }
}
