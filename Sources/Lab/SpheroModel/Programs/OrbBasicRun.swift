// A running orbBasic program: its lines, its position, its stacks, and its variables, timers and data.

import SpheroProtocol

struct OrbBasicRun: Hashable, Sendable {
  /// The execution time of a line: "well over 3000 lines a second" (orbBasic 1.07).
  static let lineTime = Duration.microseconds(320)
  /// The maximum depth of nested `for`, and of nested `gosub`.
  static let maximumNesting = 4

  enum Message: Hashable, Sendable {
    case print([UInt8])
    case error(line: UInt16, OrbBasic.ErrorCode)
  }

  private struct Line: Hashable, Sendable {
    /// 0 for a line without a number.
    var number: UInt16
    var operations: [OrbBasicOperation]
  }

  struct Loop: Hashable, Sendable {
    var variable: OrbBasicPlace
    var last: Int32
    var step: Int32
    /// Index of the line after the `for`.
    var first: Int
  }

  struct Input: Hashable, Sendable {
    var place: OrbBasicPlace
    var fallback: Int32
  }

  let area: OrbBasic.Area
  private let lines: [Line]
  let indices: [UInt16: Int]
  private let start: Int

  /// The time at which the next line is due; nil during an `input` without time limit.
  var due: Duration?
  private(set) var now: Duration
  /// The number of the last executed line.
  private(set) var line: UInt16
  var next: Int
  var stack: [Int32] = []
  var text: [UInt8] = []
  var variables: OrbBasicVariables
  var loops: [Loop] = []
  /// The indices of the lines after active `gosub`s.
  var returns: [Int] = []
  var isTracing = false
  var flags: OrbBasicInterpreter.Flags = []
  var input: Input?
  var random: SplitMix64
  var outgoing: [Message] = []
  var hasEnded = false

  /// Starts a program at a line; nil if the line does not exist.
  init?(_ text: [UInt8], area: OrbBasic.Area, from line: UInt16, at now: Duration, random: SplitMix64) {
    var lines: [Line] = []
    var indices: [UInt16: Int] = [:]
    for bytes in text.prefix(while: { $0 != 0 }).split(separator: 0x0A) {
      let parser = OrbBasicParser(bytes)
      guard !parser.isBlank else { continue }
      let number = parser.number ?? 0
      if number > 0, indices[number] == nil { indices[number] = lines.count }
      lines.append(Line(number: number, operations: parser.operations))
    }
    guard let start = indices[line] else { return nil }
    (self.area, self.lines, self.indices, self.start, self.next) = (area, lines, indices, start, start)
    (self.now, self.due, self.random, self.line) = (now, now, random, line)
    variables = OrbBasicVariables(at: now)
  }

  /// Restarts the program at the line at which it was started; the random numbers continue.
  mutating func reset() {
    (next, variables, loops, returns) = (start, OrbBasicVariables(at: now), [], [])
    (isTracing, flags) = (false, [])
  }

  /// Runs the line that is due; returns false if that ends the program.
  mutating func step(_ actions: inout some Actuators) -> Bool {
    guard let due else { return true }
    (now, self.due) = (due, due + Self.lineTime)
    if let input {
      self.input = nil
      // Every value is valid for a variable of the user.
      try? variables.set(input.place, input.fallback, at: now, &actions)
      return true
    }
    guard next < lines.count else { return false }
    let present = lines[next]
    (line, stack, text) = (present.number, [], [])
    next += 1
    if isTracing { outgoing.append(.print(Array("<\(line)>".utf8))) }
    do throws(OrbBasic.ErrorCode) {
      guard line > 0 else { throw .syntax }
      try perform(present.operations, &actions)
    } catch {
      outgoing.append(.error(line: line, error))
      return false
    }
    return !hasEnded
  }

  mutating func submit(_ value: Int32, at now: Duration) {
    guard input != nil else { return }
    input?.fallback = value
    due = now
  }
}

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

struct OrbBasicVariables: Hashable, Sendable {
  /// The number of variables A...Y, of elements of the array, and the maximum number of `data`.
  static let count = 25

  private var direct = [Int32](repeating: 0, count: count)
  /// The array whose elements `Z` denotes.
  private var elements = [Int32](repeating: 0, count: count)
  private var timers: [Timer]
  var data: [Int32] = []
  var nextDatum = 0

  /// A timer in milliseconds: a value above 0 counts down and stops at 0, 0 counts up and wraps at 65535.
  private struct Timer: Hashable, Sendable {
    var value: UInt16 = 0
    var start: Duration

    func value(at now: Duration) -> Int32 {
      let elapsed = (now - start).wholeMilliseconds
      return Int32(truncatingIfNeeded: value > 0 ? max(0, Int64(value) - elapsed) : elapsed & 0xFFFF)
    }
  }

  init(at now: Duration) { timers = [Timer](repeating: Timer(start: now), count: 3) }

  /// The index of the element that Y selects; throws `illegalIndex` if Y is not 1...25.
  private func elementIndex() throws(OrbBasic.ErrorCode) -> Int {
    let element = direct[Self.count - 1]
    guard (1...Int32(Self.count)).contains(element) else { throw .illegalIndex }
    return Int(element) - 1
  }

  func value(
    _ place: OrbBasicPlace, at now: Duration, _ actions: inout some Actuators
  ) throws(OrbBasic.ErrorCode) -> Int32 {
    switch place {
    case .variable(let index): direct[index]
    case .element: elements[try elementIndex()]
    case .timer(let index): timers[index].value(at: now)
    case .stabilization: actions.read(.stabilization)
    }
  }

  /// Throws `badParameter` for a timer outside 0...65535 and a switch that is not 0 or 1; `illegalIndex` for `Z` while Y
  /// is not 1...25.
  mutating func set(
    _ place: OrbBasicPlace, _ value: Int32, at now: Duration, _ actions: inout some Actuators
  ) throws(OrbBasic.ErrorCode) {
    switch place {
    case .variable(let index): direct[index] = value
    case .element: elements[try elementIndex()] = value
    case .timer(let index):
      guard let time = UInt16(exactly: value) else { throw .badParameter }
      timers[index] = Timer(value: time, start: now)
    case .stabilization:
      guard value == 0 || value == 1 else { throw .badParameter }
      actions.setStabilization(value == 1 ? .on : .off)
    }
  }

  /// Returns the next datum; throws `outOfData` after the last one.
  mutating func readDatum() throws(OrbBasic.ErrorCode) -> Int32 {
    guard nextDatum < data.count else { throw .outOfData }
    defer { nextDatum += 1 }
    return data[nextDatum]
  }
}
