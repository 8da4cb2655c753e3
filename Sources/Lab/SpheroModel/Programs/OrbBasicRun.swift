// A running orbBasic program: its lines, its position and its stacks.

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
  /// The time at which the present line runs.
  private(set) var now: Duration
  /// The number of the last executed line.
  private(set) var line: UInt16
  var next: Int
  /// The operands of the present line.
  var stack: [Int32] = []
  /// The text that the present line prints.
  var text: [UInt8] = []
  /// The destination of the present line's next value.
  var place = OrbBasicPlace.variable(0)
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
      let parser = OrbBasicParser(text, bytes.startIndex..<bytes.endIndex)
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

  /// Completes a pending `input`; ignored if none is pending.
  mutating func submit(_ value: Int32, at now: Duration) {
    guard input != nil else { return }
    input?.fallback = value
    due = now
  }
}
