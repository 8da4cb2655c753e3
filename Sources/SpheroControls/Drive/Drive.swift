// What a control asks of the robot, and the roll command that says it on the wire.

public import SpheroOrientation

/// What a control asks of the robot: a speed, and a heading unless the robot is to keep its own.
public struct Drive: Hashable, Sendable {
  /// The direction to go in, or to turn to where the speed is 0; `nil` keeps the present one.
  public let heading: Heading?

  /// The speed as a part of the robot's greatest, 0...1.
  public let speed: Double

  /// Stands still and keeps the heading.
  public static let stop = Drive(heading: nil, speed: 0)

  /// Creates a request from a heading, and a speed held to 0...1; a speed that is not a number is 0.
  public init(heading: Heading?, speed: Double) {
    self.heading = heading
    self.speed = speed.clampedToUnit
  }

  /// Creates the request to roll along the way to a place; one that is reached already keeps heading and stands still.
  public init(_ aim: Aim, speed: Double) {
    self.init(heading: aim.heading, speed: aim.heading == nil ? 0 : speed)
  }

  /// The speed for the wire: 0...1 becomes 0...255, rounded half up.
  public var speedByte: UInt8 { speed.byte }
}

/// The arguments of one roll command (Sphero API 1.50, Roll).
public struct RollCommand: Hashable, Sendable {
  /// The direction in whole degrees, 0...359.
  public let heading: UInt16

  /// The speed, 0...255.
  public let speed: UInt8
}

/// Turns what a control asks into roll commands, holding the heading while the robot stands.
///
/// A roll command always carries a heading, and a standing robot turns to it.
/// A control let go of has no direction; the originals sent heading 0 then,
/// and every stop turned the robot round.
public struct HeadingHold: Hashable, Sendable {
  /// The heading of the last command; set it to ``Heading/ahead`` once the robot was aimed anew.
  public var heading: Heading

  /// Creates a hold for a robot with a heading.
  public init(heading: Heading = .ahead) {
    self.heading = heading
  }

  /// Returns the command for what a control asks, and remembers its heading.
  ///
  /// The heading stays where the control names none,
  /// and where it asks for a speed that rounds to 0 on the wire: that is a stop, not a turn.
  public mutating func command(for drive: Drive) -> RollCommand {
    let isTooSlowToRoll = drive.speed > 0 && drive.speedByte == 0
    if let next = drive.heading, !isTooSlowToRoll { heading = next }
    return RollCommand(heading: heading.wholeDegrees, speed: drive.speedByte)
  }
}

#if !hasFeature(Embedded)
  extension Drive: Codable {
    private enum CodingKeys: CodingKey { case heading, speed }

    /// - Throws: `DecodingError` for a speed outside 0...1.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let speed = try values.decode(Double.self, forKey: .speed)
      guard (0...1).contains(speed) else { throw decoder.refusal("a speed is 0...1, not \(speed)") }
      self.init(heading: try values.decodeIfPresent(Heading.self, forKey: .heading), speed: speed)
    }
  }
#endif
