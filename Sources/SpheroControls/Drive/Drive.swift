// Positions on the floor, the drive request of a control, and the roll command that encodes it.

public import SpheroOrientation

/// A position on the floor in the frame of the locator, in centimetres.
///
/// y increases along the heading 0 of the last configuration of the locator, x to the right of it (Sphero API 1.50,
/// Configure Locator). An aim by this package configures it; a heading that is set otherwise leaves the axes in place.
public struct Position: Hashable, Sendable, CustomStringConvertible {
  /// The distance to the right of the origin, in centimetres.
  public var x: Double

  /// The distance ahead of the origin, in centimetres.
  public var y: Double

  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  public var description: String { "(\(x.numeral), \(y.numeral)) cm" }

  var isFinite: Bool { x.isFinite && y.isFinite }

  /// Returns the distance to another position, in centimetres.
  public func distance(to other: Position) -> Double { length(other.x - x, other.y - y) }

  /// Returns the direction to another position; nil if both are equal, or a coordinate is not finite.
  public func heading(to other: Position) -> Heading? { Heading(towardX: other.x - x, y: other.y - y) }

  /// Returns this position plus a multiple of a vector, such as a velocity times a time.
  func moved(along vector: Position, times factor: Double) -> Position {
    Position(x: x + vector.x * factor, y: y + vector.y * factor)
  }
}

/// The drive request of a control: a speed, and a heading unless the robot keeps its own.
public struct Drive: Hashable, Sendable, CustomStringConvertible {
  /// The direction to roll in, or to rotate to if the speed is 0; nil keeps the current heading.
  public let heading: Heading?

  /// The speed as a fraction of the robot's maximum, 0...1.
  public let speed: Double

  /// The default `velocityScale` of every control, the speed at full deflection: 0.6 or about 1.2 m/s,
  /// as in the joystick sample of the Sphero iOS SDK (`RKDriveControl.velocityScale`).
  public static let defaultVelocityScale = 0.6

  /// Stops and keeps the heading.
  public static let stop = Drive(heading: nil, speed: 0)

  /// Creates a request with a speed clamped to 0...1; NaN counts as 0.
  public init(heading: Heading?, speed: Double) {
    self.heading = heading
    self.speed = speed.clampedToUnit
  }

  /// The speed on the wire: 0...1 becomes 0...255, rounded half up.
  public var speedByte: UInt8 { speed.byte }

  /// Heading and speed: `90° at 50 %`, `at 50 %` if the robot keeps its heading, or `stop`.
  public var description: String {
    guard self != .stop else { return "stop" }
    return (heading.map { "\($0) " } ?? "") + "at \((speed * 100).numeral) %"
  }
}

/// The arguments of one roll command (Sphero API 1.50, Roll).
public struct RollCommand: Hashable, Sendable {
  /// The direction in whole degrees, 0...359.
  public let heading: UInt16

  /// The speed, 0...255.
  public let speed: UInt8
}

/// Converts drive requests to roll commands and holds the heading while the robot stands.
///
/// A standing robot rotates to the heading of a roll command, but a released control has no direction: the vendor's
/// SDKs then send heading 0, which rotates the robot at every stop.
public struct HeadingHold: Hashable, Sendable {
  /// The heading of the last command; set it to `Heading.ahead` after a calibration.
  public var heading: Heading

  public init(heading: Heading = .ahead) {
    self.heading = heading
  }

  /// Returns the command for a drive request and updates the heading, unless the request has none,
  /// or its speed is above 0 and rounds to 0 on the wire, which is a stop and not a rotation.
  public mutating func command(for drive: Drive) -> RollCommand {
    let isTooSlowToRoll = drive.speed > 0 && drive.speedByte == 0
    if let next = drive.heading, !isTooSlowToRoll { heading = next }
    return RollCommand(heading: heading.wholeDegrees, speed: drive.speedByte)
  }
}

#if !hasFeature(Embedded)
  extension Position: Codable {}

  extension Drive: Codable {
    /// - Throws: `DecodingError` for a speed outside 0...1.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let speed = try values.decode(Double.self, forKey: .speed)
      guard (0...1).contains(speed) else { throw decoder.refusal("a speed is 0...1, not \(speed)") }
      self.init(heading: try values.decodeIfPresent(Heading.self, forKey: .heading), speed: speed)
    }
  }
#endif
