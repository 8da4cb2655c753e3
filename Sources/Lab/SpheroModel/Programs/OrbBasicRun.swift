// An orbBasic program that runs: its lines, its place and its stacks.

import SpheroProtocol

/// A program that runs.
struct OrbBasicRun: Hashable, Sendable {
  /// The time that a line takes: "well over 3000 lines a second" (orbBasic 1.07).
  static let lineTime = Duration.microseconds(320)
  /// `for` within `for`, and `gosub` within `gosub`.
  static let deepestNesting = 4

  /// What leaves the program.
  enum Message: Hashable, Sendable {
    case print([UInt8])
    case error(line: UInt16, OrbBasic.ErrorCode)
  }

  /// A line: its number, 0 where it has none, and what it does.
  private struct Line: Hashable, Sendable {
    var number: UInt16
    var operations: [OrbBasicOperation]
  }

  /// A `for` that is open.
  struct Loop: Hashable, Sendable {
    var variable: OrbBasicPlace
    var last: Int32
    var step: Int32
    /// Index of the line after the `for`.
    var first: Int
  }

  /// An `input` that waits.
  struct Input: Hashable, Sendable {
    var place: OrbBasicPlace
    var fallback: Int32
  }

  /// Where the program lies.
  let area: OrbBasic.Area
  private let lines: [Line]
  private let indices: [UInt16: Int]
  private let start: Int

  /// When the next line is due; nil while an `input` waits for ever.
  var due: Duration?
  /// The time at which the present line runs.
  private(set) var now: Duration
  /// Number of the line that ran last.
  private(set) var line: UInt16
  /// Index of the next line.
  var next: Int
  /// The numbers that the operations of the present line pass on.
  var stack: [Int32] = []
  /// What the present line is about to print.
  var text: [UInt8] = []
  /// Where the present line stores its next value.
  var place = OrbBasicPlace.variable(0)
  var variables: OrbBasicVariables
  var loops: [Loop] = []
  /// Indices of the lines to return to.
  var returns: [Int] = []
  var isTracing = false
  var flags: OrbBasicInterpreter.Flags = []
  var input: Input?
  var random: SplitMix64
  /// What has not left yet.
  var outgoing: [Message] = []
  var hasEnded = false

  /// Makes a run from a line; nil where there is no such line.
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

  /// Begins anew from the first start line.
  mutating func reset() {
    (next, variables, loops, returns) = (start, OrbBasicVariables(at: now), [], [])
    (isTracing, flags) = (false, [])
  }

  /// Runs the line that is due.
  ///
  /// - Returns: False where that ends the program.
  mutating func step(_ actions: inout some RobotActions) -> Bool {
    guard let due else { return true }
    (now, self.due) = (due, due + Self.lineTime)
    if let input {
      self.input = nil
      // A user's variable takes any value.
      try? variables.set(input.place, input.fallback, at: now, &actions)
      return true
    }
    guard next < lines.count else { return false }
    let present = lines[next]
    (line, stack, text) = (present.number, [], [])
    next += 1
    if isTracing { outgoing.append(.print(Array("<\(line)>".utf8))) }
    do throws(OrbBasicFault) {
      guard line > 0 else { throw OrbBasicFault(.syntax) }
      try perform(present.operations, &actions)
    } catch {
      outgoing.append(.error(line: line, error.code))
      return false
    }
    return !hasEnded
  }

  /// Takes the value that an `input` waits for; ignored where none waits.
  mutating func submit(_ value: Int32, at now: Duration) {
    guard input != nil else { return }
    input?.fallback = value
    due = now
  }

  /// Index of a line.
  func index(of number: UInt16) throws(OrbBasicFault) -> Int {
    guard let index = indices[number] else { throw OrbBasicFault(.badLineNumber) }
    return index
  }
}
