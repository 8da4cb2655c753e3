// Points on a screen, the bounds of a round control, and deflections from its centre.

public import SpheroOrientation

/// A point on a screen: x to the right, y downwards, in the unit of the view.
public struct Point: Hashable, Sendable, CustomStringConvertible {
  /// The distance to the right of the origin.
  public var x: Double

  /// The distance below the origin.
  public var y: Double

  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  public var description: String { "(\(x.numeral), \(y.numeral))" }
}

/// The bounds of a round control: a circle, or an ellipse when the sides differ.
///
/// Joystick and colour wheel convert between points and ``Deflection`` values with a pad.
/// As in `RKDriveControl` of the Sphero iOS SDK, each axis is scaled by half of its side;
/// unlike there, the origin of the bounds need not be zero.
public struct Pad: Hashable, Sendable {
  /// The centre on the screen.
  public let center: Point

  private let halfWidth: Double
  private let halfHeight: Double

  /// Creates a pad from the bounds of a view; nil if a side is zero or negative, or a bound is not finite.
  public init?(x: Double = 0, y: Double = 0, width: Double, height: Double) {
    let right = x + width
    let bottom = y + height
    guard right.isFinite, bottom.isFinite, x.isFinite, y.isFinite else { return nil }
    halfWidth = width / 2
    halfHeight = height / 2
    guard halfWidth > 0, halfHeight > 0 else { return nil }
    center = Point(x: x + halfWidth, y: y + halfHeight)
  }

  /// The unit circle around the origin.
  public static let unit = Pad()

  private init() { (center, halfWidth, halfHeight) = (Point(x: 0, y: 0), 1, 1) }

  /// Returns the deflection at a point, clamped to magnitude 1; nil if a coordinate is not finite.
  ///
  /// x = (point.x - center.x) / (width / 2), y = (center.y - point.y) / (height / 2).
  public func deflection(at point: Point) -> Deflection? {
    guard point.x.isFinite, point.y.isFinite else { return nil }
    return Deflection(
      x: Self.ratio(of: point.x - center.x, to: halfWidth),
      y: Self.ratio(of: center.y - point.y, to: halfHeight))
  }

  /// Returns the point on the screen that shows a deflection.
  public func point(at deflection: Deflection) -> Point {
    Point(x: center.x + halfWidth * deflection.x, y: center.y - halfHeight * deflection.y)
  }

  /// Returns the point in the same direction, clamped to the rim; the centre for a point that is not finite.
  public func clamped(_ point: Point) -> Point {
    deflection(at: point).map { self.point(at: $0) } ?? center
  }

  /// Returns a distance from the centre as a multiple of half a side; an overflow is clamped to a finite number.
  private static func ratio(of distance: Double, to half: Double) -> Double {
    let limit = Double.greatestFiniteMagnitude
    return max(-limit, min(limit, distance / half))
  }
}

/// A deflection from the centre of a round control: a direction and a magnitude of 0...1.
///
/// The frame is that of the screen, with +x to the right and +y up (ahead).
public struct Deflection: Hashable, Sendable {
  /// The component to the right, -1...1.
  public let x: Double

  /// The component ahead, -1...1.
  public let y: Double

  /// The distance from the centre: min(1, √(x² + y²)), exactly 1 at the rim and outside.
  public let magnitude: Double

  /// No deflection.
  public static let center = Deflection(heading: .ahead, magnitude: 0)

  /// Creates a deflection, clamped to the unit circle in the same direction; nil if a component is not finite.
  public init?(x: Double, y: Double) {
    guard x.isFinite, y.isFinite else { return nil }
    // Scaled by the larger component, because the squares of huge components overflow.
    let largest = max(abs(x), abs(y))
    guard largest > 1 || length(x, y) > 1 else {
      (self.x, self.y, magnitude) = (x, y, length(x, y))
      return
    }
    let scaled = length(x / largest, y / largest)
    (self.x, self.y, magnitude) = (x / largest / scaled, y / largest / scaled, 1)
  }

  /// Creates a deflection from its direction, clockwise from ahead, and its magnitude, clamped to 0...1.
  public init(heading: Heading, magnitude: Double) {
    self.magnitude = magnitude.clampedToUnit
    x = self.magnitude * sine(degrees: heading.degrees)
    y = self.magnitude * cosine(degrees: heading.degrees)
  }

  /// Creates the deflection of a colour on a colour wheel.
  public init(hueOf color: HSB) {
    magnitude = color.saturation
    x = magnitude * cosine(degrees: color.hue)
    y = magnitude * sine(degrees: color.hue)
  }

  /// The direction, clockwise from ahead: atan2(x, y); ahead for no deflection.
  public var heading: Heading {
    magnitude > 0 ? Heading(towardX: x, y: y) ?? .ahead : .ahead
  }

  /// The direction as a hue in degrees, 0..<360, counter-clockwise from the right: atan2(y, x); 0 for no deflection.
  public var hue: Double {
    magnitude > 0 ? degrees(opposite: y, adjacent: x).wrapped(to: 360) : 0
  }
}
