// The interface of programs inside the robot to its hardware.

public import SpheroProtocol

/// The actions and readings of macros and orbBasic programs.
///
/// An action takes effect immediately, apart from those in "Programs and sleep", which take effect after the due steps
/// of both programs have been executed. A robot ignores impossible actions, such as a roll without stabilisation.
public protocol Actuators {
  // MARK: Drive

  /// Rolls on a heading in degrees clockwise, 0...359, as `Motion.Roll` does; speed 0 brakes on a ramp.
  mutating func roll(speed: UInt8, heading: UInt16, state: Motion.Roll.State)
  /// Changes the speed, 0...255, and keeps the heading.
  mutating func setSpeed(_ speed: UInt8)
  /// Stops the motors: brakes with stabilisation, switches them off without.
  mutating func stop()
  /// Turns clockwise in the background, also by more than a turn, and ignores rolls until its end.
  mutating func rotate(byDegrees degrees: Int16, overMilliseconds milliseconds: UInt16)
  /// Defines the present orientation as the given heading, 0...359 degrees clockwise.
  mutating func setHeading(_ heading: UInt16)
  mutating func setStabilization(_ mode: Motion.SetStabilization.Mode)
  /// Sets the rate of turns while rolling, in the steps of `Motion.SetRotationRate`.
  mutating func setRotationRate(_ rate: UInt8)
  /// Drives each motor separately; switches stabilisation off unless both modes are unchanged.
  mutating func setRawMotors(_ motors: Motion.SetRawMotors)
  /// Whether the ball and both wheels are at rest, and no turn in the background is in progress.
  var isStopped: Bool { get }

  // MARK: Lights

  /// Sets the colour of the present program; components are 0...255.
  mutating func setColor(red: UInt8, green: UInt8, blue: UInt8)
  /// Fades linearly in the background from the last colour of a macro since the robot woke.
  mutating func fadeColor(red: UInt8, green: UInt8, blue: UInt8, overMilliseconds milliseconds: UInt16)
  /// Sets the brightness of the tail light, 0...255.
  mutating func setBackLight(_ brightness: UInt8)

  // MARK: Senses

  /// Applies the thresholds of collision detection.
  mutating func configureCollisions(_ detection: Sensing.ConfigureCollisionDetection)
  /// Sets the position of the locator, in centimetres on its axes, which depend on the model.
  mutating func setLocation(x: Int16, y: Int16)
  /// Reads a system variable of orbBasic; reading clears some of them.
  mutating func read(_ variable: SystemVariable) -> Int32

  // MARK: Programs and sleep

  /// Sends the robot to sleep; after it, a line of orbBasic in flash starts, where 0 is none. A macro
  /// starts only if it is one of the system, of which this model has none: a sleep erases the others.
  mutating func sleep(until wakeup: Wakeup, macro: UInt8, orbBasicLine line: UInt16)
  /// Runs a macro; ignored while a macro runs, and for an ID without one.
  mutating func runMacro(_ id: UInt8)
  /// Ends the running macro, unless it is unkillable.
  mutating func killMacro()

  // MARK: Events

  /// Whether the queue of outgoing events has room; a program waits for room before it sends.
  var hasRoomForEvents: Bool { get }
  /// Sends an event to the host.
  mutating func send(_ event: some Event)
}

/// The end of a sleep that a program requests.
public enum Wakeup: Hashable, Sendable {
  case shaken
  /// After the time of the last `Core.Sleep` command.
  case asCommanded
  case after(Duration)
}

/// A system variable of orbBasic; the raw value is its name in programs (orbBasic 1.07, "System Variables").
public enum SystemVariable: String, Hashable, Sendable, CaseIterable {
  /// Speed, 0...255.
  case speed
  /// Heading, 0...359 degrees clockwise.
  case yaw
  /// Pitch in degrees, -90 nose down ... +90 nose up.
  case pitch
  /// Roll in degrees, -180 to the left ... +180 to the right.
  case roll
  /// Accelerations along the axes of pitch, roll and yaw, in 1/4096 g.
  case accelerationX = "accelX"
  case accelerationY = "accelY"
  case accelerationZ = "accelZ"
  /// Magnitude of the acceleration, in 1/1000 g.
  case accelerationMagnitude = "accelone"
  /// Rates about the axes of pitch, roll and yaw, in 0.1 degrees per second.
  case rateX = "gyroX"
  case rateY = "gyroY"
  case rateZ = "gyroZ"
  /// Voltage of the battery, in 1/100 V.
  case batteryVoltage = "Vbatt"
  /// State of the battery: 1 charging, 2 ok, 3 low, 4 critical.
  case batteryState = "Sbatt"
  /// 1 if the host has sent a roll since the last reading; cleared by reading.
  case rollCommand = "cmdroll"
  /// Speed of the host's last roll, 0...255.
  case rollCommandSpeed = "spdval"
  /// Heading of the host's last roll, 0...359 degrees clockwise.
  case rollCommandHeading = "hdgval"
  /// 1 if the host has sent a colour since the last reading; cleared by reading.
  case colorCommand = "cmdrgb"
  /// The host's last colour, 0...255 each.
  case colorCommandRed = "redval"
  case colorCommandGreen = "grnval"
  case colorCommandBlue = "bluval"
  /// 1 while a host is connected.
  case isConnected = "isconn"
  /// 1 if the robot was shaken twice since the last reading; cleared by reading.
  case doubleShake = "dshake"
  /// Position of the locator to the right and ahead, in centimetres.
  case locationX = "xpos"
  case locationY = "ypos"
  /// The attitude's quaternion in 1/10000, scalar part first.
  case quaternion0 = "Qzero"
  case quaternion1 = "Qone"
  case quaternion2 = "Qtwo"
  case quaternion3 = "Qthree"
  /// 1 while the control system is on.
  case stabilization = "ctrl"
  /// The number of the running macro times 65536, plus the number of its command.
  case macroStatus = "macstat"

  /// The readings by their names in programs; `cmdval` is the old name of `cmdroll`.
  package static let named: [String: SystemVariable] = allCases.reduce(into: ["cmdval": .rollCommand]) {
    $0[$1.rawValue] = $1
  }
}
