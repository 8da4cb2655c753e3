// What a program that runs inside the robot does to it and reads from it.

public import SpheroProtocol

/// What macros and orbBasic programs do to the robot, and what they read from it.
///
/// Commands from the host act through the same methods, so that a macro's roll and a packet's roll are the same.
/// An action takes effect at once and has no result:
/// what the robot cannot do at the moment, such as a roll without stabilisation, it ignores.
public protocol RobotActions {
  // MARK: Drive

  /// Rolls on a heading, as ``Motion/Roll`` does.
  ///
  /// - Parameters:
  ///   - speed: 0...255; 0 brakes on a ramp.
  ///   - heading: Degrees clockwise, 0...359.
  ///   - state: How the robot takes the command.
  mutating func roll(speed: UInt8, heading: UInt16, state: Motion.Roll.State)
  /// Changes the speed, 0...255, and keeps the heading held.
  mutating func setSpeed(_ speed: UInt8)
  /// Stops the motors: brakes with stabilisation, switches them off without.
  mutating func stop()
  /// Turns by an angle in the background; rolls until its end are ignored.
  ///
  /// - Parameters:
  ///   - degrees: Positive clockwise; may exceed a turn.
  ///   - milliseconds: How long it takes; 0 is at once.
  mutating func rotate(byDegrees degrees: Int16, overMilliseconds milliseconds: UInt16)
  /// Makes the present orientation the given heading, 0...359 degrees clockwise.
  mutating func setHeading(_ heading: UInt16)
  /// Switches the control system.
  mutating func setStabilization(_ mode: Motion.SetStabilization.Mode)
  /// Sets how fast the robot turns while it rolls, in the steps of ``Motion/SetRotationRate``.
  mutating func setRotationRate(_ rate: UInt8)
  /// Drives each motor by itself; switches stabilisation off unless both are left unchanged.
  mutating func setRawMotors(_ motors: Motion.SetRawMotors)
  /// Whether the control system holds the robot still.
  var isStopped: Bool { get }

  // MARK: Lights

  /// Sets the colour of the program that acts; components are 0...255.
  mutating func setColor(red: UInt8, green: UInt8, blue: UInt8)
  /// Fades in the background from the last colour of the program that acts, each component in a straight line.
  mutating func fadeColor(red: UInt8, green: UInt8, blue: UInt8, overMilliseconds milliseconds: UInt16)
  /// Sets the brightness of the tail light, 0...255.
  mutating func setBackLight(_ brightness: UInt8)

  // MARK: Senses

  /// Switches collision detection on or off.
  mutating func configureCollisions(_ detection: Sensing.ConfigureCollisionDetection)
  /// Says where the robot is, in centimetres to the right and ahead.
  mutating func setLocation(x: Int16, y: Int16)
  /// Reads a system variable of orbBasic; those that say so are cleared by reading.
  mutating func read(_ reading: RobotReading) -> Int32

  // MARK: Programs and sleep

  /// Sends the robot to sleep, which ends every program.
  ///
  /// - Parameters:
  ///   - wakeup: When it wakes.
  ///   - macro: Macro to run then; 0 is none.
  ///   - line: Line of the orbBasic program in flash to start then; 0 is none.
  mutating func sleep(until wakeup: Wakeup, macro: UInt8, orbBasicLine line: UInt16)
  /// Runs a macro; does nothing while one runs or where there is none with this ID.
  mutating func runMacro(_ id: UInt8)
  /// Ends the macro that runs, unless it cannot be ended.
  mutating func killMacro()
  /// Which macro runs and where it stands.
  var macroStatus: Macros.GetMacroStatus.Response { get }

  // MARK: Events

  /// Whether the queue of outgoing events has room; a program that has something to send waits until then.
  var hasRoomForEvents: Bool { get }
  /// Sends an event to the host: ``Macros/Marker``, ``OrbBasic/PrintMessage``, ``OrbBasic/ErrorText``
  /// or ``OrbBasic/ErrorMessage``.
  mutating func send(_ event: some Event)
}

/// When the robot wakes from the sleep that a program asks for.
public enum Wakeup: Hashable, Sendable {
  /// When it is shaken.
  case shaken
  /// After the time of the last ``Core/Sleep`` command.
  case asCommanded
  /// After a time.
  case after(Duration)
}

/// A system variable of orbBasic that the robot measures or is told.
///
/// orbBasic 1.07, "System Variables".
public enum RobotReading: Hashable, Sendable, CaseIterable {
  /// Speed, 0...255.
  case speed
  /// Heading, 0...359 degrees clockwise.
  case yaw
  /// Degrees, -90 nose down ... +90 nose up.
  case pitch
  /// Degrees, -180 to the left ... +180 to the right.
  case roll
  /// Acceleration along the axis of pitch, 4096 a g.
  case accelerationX
  /// Acceleration along the axis of roll, 4096 a g.
  case accelerationY
  /// Acceleration along the axis of yaw, 4096 a g.
  case accelerationZ
  /// Magnitude of the acceleration, 1000 a g.
  case accelerationMagnitude
  /// Rate about the axis of pitch, in 0.1 degrees a second.
  case rateX
  /// Rate about the axis of roll, in 0.1 degrees a second.
  case rateY
  /// Rate about the axis of yaw, in 0.1 degrees a second.
  case rateZ
  /// Battery in hundredths of a volt.
  case batteryVoltage
  /// Battery: 1 charging, 2 ok, 3 low, 4 critical.
  case batteryState
  /// 1 where a roll came from the host since the last reading; cleared by reading.
  case rollCommand
  /// Speed of the host's last roll.
  case rollCommandSpeed
  /// Heading of the host's last roll.
  case rollCommandHeading
  /// 1 where a colour came from the host since the last reading; cleared by reading.
  case colorCommand
  /// Red of the host's last colour.
  case colorCommandRed
  /// Green of the host's last colour.
  case colorCommandGreen
  /// Blue of the host's last colour.
  case colorCommandBlue
  /// 1 while a host is connected.
  case isConnected
  /// 1 where the robot was shaken twice since the last reading; cleared by reading.
  case doubleShake
  /// Place to the right in centimetres.
  case locationX
  /// Place ahead in centimetres.
  case locationY
  /// Scalar part of the attitude, 10000 is 1.
  case quaternion0
  /// First component of the attitude, 10000 is 1.
  case quaternion1
  /// Second component of the attitude, 10000 is 1.
  case quaternion2
  /// Third component of the attitude, 10000 is 1.
  case quaternion3
  /// 1 while the control system is on.
  case stabilization
}
