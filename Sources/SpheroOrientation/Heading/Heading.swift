// A clockwise compass heading, its relation to the counter-clockwise yaw, and its names and literals.

import SpheroLibc

/// A compass direction: degrees clockwise seen from above, in 0..<360.
///
/// 0 is ahead (or north), 90 to the right (east).
/// For a robot, it is relative to the last calibrated heading. Yaw has the opposite sign: heading = -yaw.
public struct Heading: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Degrees clockwise from heading 0, 0..<360.
  public let degrees: Double

  /// Creates a heading from degrees clockwise, wrapped to 0..<360; nil if they are not finite.
  public init?(degrees: Double) {
    guard degrees.isFinite else { return nil }
    self.degrees = degrees.wrapped(to: 360)
  }

  /// Creates a heading from a clockwise angle; nil if it is not finite.
  public init?(angle: Angle) { self.init(degrees: angle.degrees) }

  /// Creates a heading from a yaw, counter-clockwise seen from above; nil if it is not finite.
  public init?(yaw: Angle) { self.init(angle: -yaw) }

  /// Creates the heading of a body: the horizontal direction of its y axis, the negative of ``Rotation/yaw``.
  public init(attitude: Rotation) {
    // The yaw of a rotation is finite.
    self = Heading(yaw: attitude.yaw) ?? .ahead
  }

  /// Creates the heading from the origin towards a point on the ground, x to the right, y along heading 0;
  /// nil if the point is the origin or not finite.
  public init?(towardX x: Double, y: Double) {
    guard x.isFinite, y.isFinite, x != 0 || y != 0 else { return nil }
    self.init(angle: Angle(radians: atan2(x, y)))
  }

  /// Heading 0: the calibrated direction of the robot, or north.
  public static let ahead: Heading = 0

  /// The clockwise angle, in [0, 2 pi).
  public var angle: Angle { Angle(degrees: degrees) }

  /// The same direction as a yaw, counter-clockwise, in (-pi, pi].
  public var yaw: Angle { (-angle).wrapped }

  /// The nearest whole degree, in 0...359, as commands require it; a heading of 359.5 or more gives 0.
  public var wholeDegrees: UInt16 { UInt16(degrees.rounded()) % 360 }

  /// Returns the degrees rounded to a number of decimal digits, in 0..<360; 359.96 rounds to 0 with one digit.
  package func degrees(digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (degrees * scale).rounded() / scale
    return rounded < 360 ? rounded : 0
  }

  /// Returns the shortest turn to another heading, clockwise positive, in (-180, 180] degrees.
  public func turn(to other: Heading) -> Angle {
    let difference = other.degrees - degrees
    if difference > 180 { return Angle(degrees: difference - 360) }
    return Angle(degrees: difference <= -180 ? difference + 360 : difference)
  }

  /// Returns the heading after a turn, clockwise positive; nil if the turn is not finite.
  public func turned(by turn: Angle) -> Heading? {
    Heading(degrees: degrees + turn.degrees)
  }

  /// Converts this magnetic heading to a true heading: magnetic + declination; nil if the declination is not finite.
  ///
  /// The declination is the angle from true to magnetic north, positive to the east; see ``MagneticField/declination``.
  public func trueHeading(declination: Angle) -> Heading? { turned(by: declination) }

  /// Converts this true heading to a magnetic heading: true - declination; nil if the declination is not finite.
  public func magneticHeading(declination: Angle) -> Heading? { turned(by: -declination) }

  public static func < (a: Heading, b: Heading) -> Bool { a.degrees < b.degrees }

  public var description: String { degrees.numeral + "°" }
}

extension Heading: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a heading from whole degrees clockwise, wrapped to 0..<360.
  public init(degrees: Int) {
    // The remainder is between -359 and 359, which a Double holds exactly.
    self = Heading(degrees: Double(degrees % 360)) ?? .ahead
  }

  /// Creates a heading from whole degrees clockwise, as in `robot.roll(.degrees(90), speed: 0.5)`.
  public static func degrees(_ degrees: Int) -> Heading { Heading(degrees: degrees) }

  /// Creates a heading from a literal in degrees clockwise: `let heading: Heading = 270`.
  public init(integerLiteral degrees: Int) { self.init(degrees: degrees) }

  /// Creates a heading from a literal in degrees clockwise; one beyond the range of `Double` becomes ``ahead``.
  public init(floatLiteral degrees: Double) { self = Heading(degrees: degrees) ?? .ahead }

  /// 90 degrees clockwise from heading 0: to the right of the robot, or east.
  public static let right: Heading = 90
  /// 180 degrees from heading 0: behind the robot, or south.
  public static let behind: Heading = 180
  /// 270 degrees clockwise from heading 0: to the left of the robot, or west.
  public static let left: Heading = 270

  /// The heading half a turn away.
  public var opposite: Heading { Heading(degrees: degrees + 180) ?? .ahead }
}

#if !hasFeature(Embedded)
  extension Heading: Codable {
    /// - Throws: `DecodingError` for degrees outside 0..<360.
    public init(from decoder: any Decoder) throws {
      let degrees = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .degrees)
      guard (0..<360).contains(degrees), let heading = Heading(degrees: degrees) else {
        throw decoder.refusal("a heading is 0..<360 degrees, not \(degrees)")
      }
      self = heading
    }
  }
#endif
