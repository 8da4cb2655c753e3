// Motion commands (DID 02h): heading, stabilisation, rolling.

/// What moves the robot (DID 02h).
public enum Motion {
  /// The commands of this file, in the order of their IDs.
  public static let commands: [any Command.Type] = [SetHeading.self, SetStabilization.self, Roll.self]
}

extension Motion {
  /// Makes the present orientation the given heading: the everyday use is 0 after aiming ("calibrate").
  ///
  /// With the control system on, the robot reacts at once.
  /// Sphero API 1.50, "Set Heading" (DID 02h, CID 01h).
  public struct SetHeading: Command {
    /// 02:01.
    public static let id = CommandID(0x02, 0x01)
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    /// Makes the command; ahead is where the robot looks now.
    public init() {}
    /// Makes the command.
    public init(heading: UInt16) { self.heading = heading }
    /// Visits 2 bytes.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
    }
  }

  /// Switches the control system that keeps the robot upright and on its heading.
  ///
  /// On at power-up; off makes the ball an input device. Fails where the sensors are dead.
  /// Sphero API 1.50, "Set Stabilization" (DID 02h, CID 02h).
  public struct SetStabilization: Command {
    /// 02:02.
    public static let id = CommandID(0x02, 0x02)
    /// What the control system does.
    public enum Mode: UInt8, WireChoice, CaseIterable {
      /// Motors are free.
      case off
      /// Upright, and the heading begins anew.
      case on
      /// Upright, on the heading held before (firmware 0.95 and newer).
      case onWithoutReset
    }
    /// What the control system shall do.
    public var mode = Mode.on
    /// Makes the command; on.
    public init() {}
    /// Makes the command.
    public init(mode: Mode) { self.mode = mode }
    /// Visits 1 byte.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("mode", &mode) }
  }

  /// Rolls on a heading, at a speed, until told otherwise.
  ///
  /// There is no automatic stop unless motion timeouts are enabled in the permanent option flags.
  /// Sphero API 1.50, "Roll" (DID 02h, CID 30h).
  public struct Roll: Command {
    /// 02:30.
    public static let id = CommandID(0x02, 0x30)
    /// How the robot takes the command.
    public enum State: UInt8, WireChoice, CaseIterable {
      /// Brakes in control, whatever the speed.
      case stop
      /// Drives; at speed 0, turns on the spot.
      case drive
      /// Turns to the heading fast, whatever the speed (firmware 1.21 and newer).
      case fastRotate
    }
    /// 0...255; 255 is full speed, about 2 m/s.
    public var speed: UInt8 = 0
    /// Degrees clockwise from the aim, 0...359: 90 is to the right.
    public var heading: UInt16 = 0
    /// How the robot takes the command.
    public var state = State.drive
    /// Drive backwards; nil in API 1.50, where the byte does not exist.
    public var reverse: UInt8?
    /// Makes the command; ahead at speed 0.
    public init() {}
    /// Makes the command.
    public init(speed: UInt8, heading: UInt16, state: State = .drive) {
      (self.speed, self.heading, self.state) = (speed, heading, state)
    }
    /// Visits 4 bytes, or 5 of newer programs.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("speed", &speed)
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("state", &state)
      try wire.trailing("reverse", &reverse)
    }
  }
}
