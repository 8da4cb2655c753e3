// Variables, timers and data of an orbBasic program, and the names of system variables.

import SpheroProtocol

enum OrbBasicPlace: Hashable, Sendable {
  /// A...Y, from 0.
  case variable(Int)
  /// `Z`: the element of the array that Y selects.
  case element
  /// timerA...timerC, from 0.
  case timer(Int)
  /// `ctrl`.
  case stabilization

  /// Parses a name; a letter may have either case.
  init?(_ name: String) {
    switch name {
    case "timerA": self = .timer(0)
    case "timerB": self = .timer(1)
    case "timerC": self = .timer(2)
    case "ctrl": self = .stabilization
    default:
      guard let letter = name.utf8.first, name.utf8.count == 1 else { return nil }
      // The low five bits of an ASCII letter are its position in the alphabet, from 1.
      let index = Int(letter & 0x1F) - 1
      guard (0...OrbBasicVariables.count).contains(index) else { return nil }
      self = index == OrbBasicVariables.count ? .element : .variable(index)
    }
  }
}

/// A timer: a value above 0 counts down and stops at 0, 0 counts up and wraps at 65535.
struct OrbBasicTimer: Hashable, Sendable {
  private var value: Int64
  private var start: Duration

  /// Starts a timer at a value in milliseconds.
  init(_ value: UInt16 = 0, at start: Duration) { (self.value, self.start) = (Int64(value), start) }

  /// The value in milliseconds at a time after the start.
  func value(at now: Duration) -> Int32 {
    let elapsed = (now - start).wholeMilliseconds
    return Int32(truncatingIfNeeded: value > 0 ? max(0, value - elapsed) : elapsed & 0xFFFF)
  }
}

struct OrbBasicVariables: Hashable, Sendable {
  /// The number of variables A...Y, of elements of the array, and the maximum number of `data`.
  static let count = 25

  /// The variables A...Y.
  private var direct = [Int32](repeating: 0, count: count)
  /// The array whose elements `Z` denotes.
  private var elements = [Int32](repeating: 0, count: count)
  private var timers: [OrbBasicTimer]
  /// The values that `read` consumes.
  var data: [Int32] = []
  /// The index of the next value for `read`.
  var nextDatum = 0

  init(at now: Duration) { timers = [OrbBasicTimer](repeating: OrbBasicTimer(at: now), count: 3) }

  /// The index of the element that Y selects.
  ///
  /// - Throws: `OrbBasic.ErrorCode.illegalIndex` if Y is not 1...25.
  func selected() throws(OrbBasic.ErrorCode) -> Int {
    let element = direct[Self.count - 1]
    guard (1...Int32(Self.count)).contains(element) else { throw .illegalIndex }
    return Int(element) - 1
  }

  /// - Throws: `OrbBasic.ErrorCode.illegalIndex` for `Z` if Y is not 1...25.
  func value(
    _ place: OrbBasicPlace, at now: Duration, _ actions: inout some Actuators
  ) throws(OrbBasic.ErrorCode) -> Int32 {
    switch place {
    case .variable(let index): direct[index]
    case .element: elements[try selected()]
    case .timer(let index): timers[index].value(at: now)
    case .stabilization: actions.read(.stabilization)
    }
  }

  /// - Throws: `OrbBasic.ErrorCode.badParameter` for a timer outside 0...65535 and a switch that is not 0 or 1;
  ///   `OrbBasic.ErrorCode.illegalIndex` for `Z` if Y is not 1...25.
  mutating func set(
    _ place: OrbBasicPlace, _ value: Int32, at now: Duration, _ actions: inout some Actuators
  ) throws(OrbBasic.ErrorCode) {
    switch place {
    case .variable(let index): direct[index] = value
    case .element: elements[try selected()] = value
    case .timer(let index):
      guard let time = UInt16(exactly: value) else { throw .badParameter }
      timers[index] = OrbBasicTimer(time, at: now)
    case .stabilization:
      guard value == 0 || value == 1 else { throw .badParameter }
      actions.setStabilization(value == 1 ? .on : .off)
    }
  }

  /// Returns the next datum.
  ///
  /// - Throws: `OrbBasic.ErrorCode.outOfData` after the last one.
  mutating func readDatum() throws(OrbBasic.ErrorCode) -> Int32 {
    guard nextDatum < data.count else { throw .outOfData }
    defer { nextDatum += 1 }
    return data[nextDatum]
  }
}

extension SystemVariable {
  /// The readings by their names in programs; `cmdval` is the old name of `cmdroll`.
  package static let named: [String: SystemVariable] = allCases.reduce(into: ["cmdval": .rollCommand]) {
    $0[$1.rawValue] = $1
  }
}
