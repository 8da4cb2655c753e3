// Names and literals of headings, in whole degrees.

extension Heading: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a heading from whole degrees clockwise, wrapped to 0..<360.
  ///
  /// A whole number is finite, so the heading exists; ``init(degrees:)-(Double)`` can return nil.
  public init(degrees: Int) {
    // The remainder is between -359 and 359, which a Double holds exactly.
    self = Heading(degrees: Double(degrees % 360)) ?? .ahead
  }

  /// Creates a heading from whole degrees clockwise, as in `robot.roll(.degrees(90), speed: 0.5)`.
  public static func degrees(_ degrees: Int) -> Heading { Heading(degrees: degrees) }

  /// Creates a heading from a literal in degrees clockwise: `let heading: Heading = 270`.
  public init(integerLiteral degrees: Int) { self.init(degrees: degrees) }

  /// Creates a heading from a literal in degrees clockwise: `let heading: Heading = 22.5`.
  ///
  /// A literal beyond the range of `Double` is infinite and becomes ``ahead``.
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
