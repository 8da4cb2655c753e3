// What an orbBasic program remembers: variables, timers, data; and the names of the system's variables.

import SpheroProtocol

/// Where a value can be stored.
enum OrbBasicPlace: Hashable, Sendable {
  /// A...Y, from 0.
  case variable(Int)
  /// An element of the array, from 0.
  case element(Int)
  /// timerA...timerC, from 0.
  case timer(Int)
  /// `ctrl`.
  case stabilization
}

/// A timer: a value above 0 counts down and stops at 0, 0 counts up and wraps at 65535.
struct OrbBasicTimer: Hashable, Sendable {
  private var value: Int64
  private var start: Duration

  /// Starts a timer; values are milliseconds.
  init(_ value: UInt16 = 0, at start: Duration) { (self.value, self.start) = (Int64(value), start) }

  /// The value at a time that is not before the start.
  func value(at now: Duration) -> Int32 {
    let (seconds, attoseconds) = (now - start).components
    let elapsed = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    return Int32(truncatingIfNeeded: value > 0 ? max(0, value - elapsed) : elapsed & 0xFFFF)
  }
}

/// Variables, timers and data of a program.
struct OrbBasicVariables: Hashable, Sendable {
  /// Values that `data` holds at most, variables A...Y, and elements of the array.
  static let count = 25

  private var direct = [Int32](repeating: 0, count: count)
  private var elements = [Int32](repeating: 0, count: count)
  private var timers: [OrbBasicTimer]
  /// What `read` takes from.
  var data: [Int32] = []
  /// Index of the value that `read` takes next.
  var nextDatum = 0

  /// All zero.
  init(at now: Duration) { timers = [OrbBasicTimer](repeating: OrbBasicTimer(at: now), count: 3) }

  /// Where the value of a user's variable lies; nil for another name.
  ///
  /// - Throws: ``OrbBasic/ErrorCode/illegalIndex`` for `Z` where Y is not 1...25.
  func userPlace(_ name: String) throws(OrbBasicFault) -> OrbBasicPlace? {
    guard let letter = name.utf8.first, name.utf8.count == 1 else { return nil }
    let index = Int(letter & 0x1F) - 1
    guard (0...Self.count).contains(index) else { return nil }
    guard index == Self.count else { return .variable(index) }
    let element = direct[Self.count - 1]
    guard (1...Int32(Self.count)).contains(element) else { throw OrbBasicFault(.illegalIndex) }
    return .element(Int(element) - 1)
  }

  /// Where a value can be stored under a name; nil for a name that has no such place.
  func place(_ name: String) throws(OrbBasicFault) -> OrbBasicPlace? {
    switch name {
    case "timerA": .timer(0)
    case "timerB": .timer(1)
    case "timerC": .timer(2)
    case "ctrl": .stabilization
    default: try userPlace(name)
    }
  }

  /// The value of a place; stabilisation is the robot's.
  func value(_ place: OrbBasicPlace, at now: Duration, _ actions: inout some RobotActions) -> Int32 {
    switch place {
    case .variable(let index): direct[index]
    case .element(let index): elements[index]
    case .timer(let index): timers[index].value(at: now)
    case .stabilization: actions.read(.stabilization)
    }
  }

  /// Stores a value.
  ///
  /// - Throws: ``OrbBasic/ErrorCode/badParameter`` for a timer outside 0...65535 and a switch that is not 0 or 1.
  mutating func set(
    _ place: OrbBasicPlace, _ value: Int32, at now: Duration, _ actions: inout some RobotActions
  ) throws(OrbBasicFault) {
    switch place {
    case .variable(let index): direct[index] = value
    case .element(let index): elements[index] = value
    case .timer(let index):
      guard let time = UInt16(exactly: value) else { throw OrbBasicFault(.badParameter) }
      timers[index] = OrbBasicTimer(time, at: now)
    case .stabilization:
      guard value == 0 || value == 1 else { throw OrbBasicFault(.badParameter) }
      actions.setStabilization(value == 1 ? .on : .off)
    }
  }

  /// Takes the next value of the data.
  mutating func readDatum() throws(OrbBasicFault) -> Int32 {
    guard nextDatum < data.count else { throw OrbBasicFault(.outOfData) }
    defer { nextDatum += 1 }
    return data[nextDatum]
  }
}

extension RobotReading {
  /// The names that programs use; `cmdval` is the old name of `cmdroll`.
  package static let named: [String: RobotReading] = [
    "speed": .speed, "yaw": .yaw, "pitch": .pitch, "roll": .roll,
    "accelX": .accelerationX, "accelY": .accelerationY, "accelZ": .accelerationZ,
    "accelone": .accelerationMagnitude, "gyroX": .rateX, "gyroY": .rateY, "gyroZ": .rateZ,
    "Vbatt": .batteryVoltage, "Sbatt": .batteryState,
    "cmdroll": .rollCommand, "cmdval": .rollCommand, "spdval": .rollCommandSpeed,
    "hdgval": .rollCommandHeading, "cmdrgb": .colorCommand, "redval": .colorCommandRed,
    "grnval": .colorCommandGreen, "bluval": .colorCommandBlue, "isconn": .isConnected,
    "dshake": .doubleShake, "xpos": .locationX, "ypos": .locationY,
    "Qzero": .quaternion0, "Qone": .quaternion1, "Qtwo": .quaternion2, "Qthree": .quaternion3,
  ]
}
