// A line of `sphero run`: its subcommand, and its output as JSON objects.

import SpheroCapture
import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

struct LineContext: Sendable {
  var connection: Connection
  var acceptsHazard: Bool

  static let hazardFlag = "accept-hazard"
}

/// A line that is not blank, valid or not.
struct RunLine: Sendable {
  enum Action: Sendable {
    case verb(any Subcommand)
    /// Ends a verb in the background, as `stream off`.
    case end(any Subcommand.Type)
  }

  static let maximumCount = 4_096
  private static let maximumShown = 200

  private static let maximumIDCount = 64

  /// The number from 1; blank lines and comments count.
  let number: Int
  /// The text after `@` at the beginning of the line, which each object of the line repeats; nil without one.
  let id: String?
  let words: String
  let action: Result<Action, Failure>

  /// Parses a line; nil for a blank line or a comment.
  init?(_ line: LineSplitter.Line, number: Int, _ context: LineContext) {
    self.number = number
    // The indices of an array begin at 0; errors derive columns from them.
    var bytes = Array(line.bytes)
    let (word, id) = Self.id(of: bytes)
    self.id = id
    switch line {
    case .tooLong:
      words = Self.shown(String(decoding: bytes, as: UTF8.self))
      action = .failure(
        Failure(.badData, "the line has more than \(Self.maximumCount) bytes", advice: "Write shorter lines.")
      )
    case .text:
      let text = String(decoding: bytes, as: UTF8.self)
      words = Self.shown(text.drop { $0 == " " || $0 == "\t" })
      // Blanks take the place of the id, so that columns keep their numbers.
      bytes.replaceSubrange(word, with: repeatElement(0x20, count: word.count))
      do throws(Failure) {
        guard word.isEmpty || id != nil else {
          throw Failure(
            .usage, "'@' needs an id of 1 to \(Self.maximumIDCount) ASCII characters without blanks",
            advice: "Write one, like '@7 led red'.")
        }
        guard let action = try Self.action(of: bytes, context) else {
          guard let id else { return nil }
          throw Failure(.usage, "no command follows '@\(id)'", advice: "Write one, like '@7 led red'.")
        }
        self.action = .success(action)
      } catch { action = .failure(error) }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The first word of a line if it begins with `@`, otherwise an empty range; and its id if that is valid.
  private static func id(of bytes: [UInt8]) -> (word: Range<Int>, id: String?) {
    let word = bytes.drop(while: isBlank).prefix { !isBlank($0) }
    guard word.first == UInt8(ascii: "@") else { return (0..<0, nil) }
    let id = word.dropFirst()
    let isValid = (1...maximumIDCount).contains(id.count) && id.allSatisfy { (0x21...0x7E).contains($0) }
    return (word.indices, isValid ? String(decoding: id, as: UTF8.self) : nil)
  }

  private static func shown(_ text: some StringProtocol) -> String {
    text.count > maximumShown ? String(text.prefix(maximumShown)) + "…" : String(text)
  }

  /// Parses the bytes of a line without its id; nil for a blank line or a comment.
  private static func action(of bytes: [UInt8], _ context: LineContext) throws(Failure) -> Action? {
    if let column = TextFile.invalidColumn(of: bytes) {
      throw Failure(.badData, "column \(column) is not UTF-8", advice: "Send the line as UTF-8.")
    }
    if let zero = bytes.firstIndex(of: 0) {
      throw Failure(.badData, "byte \(zero + 1) is NUL", advice: "Leave it out.")
    }
    let (words, hasSeparator): ([String], Bool)
    do throws(ShellWords.UnterminatedQuote) {
      (words, hasSeparator) = try ShellWords.split(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Failure(
        .usage, "nothing ends the \(error.mark) at column \(error.column)",
        advice: "Close it, or put a backslash in front of it.")
    }
    guard let verb = words.first else { return nil }
    guard !hasSeparator else {
      throw Failure(
        .usage, "';' and '&&' do not separate commands", advice: "Write each command on a line of its own.")
    }
    do throws(UsageError) {
      let type = try type(verb)
      if words.count > 1, words[1] == "off", isBackground(type) {
        guard words.count == 2 else { throw UsageError("unexpected argument '\(words[2])'") }
        return .end(type)
      }
      return .verb(try Synopsis.bind(type, words.dropFirst(), context))
    } catch {
      let page = subcommands.contains { $0.name == verb } ? verb : RunCommand.name
      let advice =
        switch verb {
        case Pause.name: error.advice ?? "Write it like 'wait 500ms' or 'wait 1.5'."
        case Sleep.name where words.count > 1 && !words[1].hasPrefix("-"):
          "'wait 2s' waits; 'sleep' puts the robot to sleep."
        default: error.advice ?? "See 'sphero \(page) --help'."
        }
      throw Failure(.usage, error.message, advice: advice)
    }
  }

  private static func type(_ name: String) throws(UsageError) -> any Subcommand.Type {
    if let type = subcommands.first(where: { $0.name == name }) { return type }
    let names = subcommands.map { $0.name }
    if Program.subcommands.contains(where: { $0.name == name }) {
      throw UsageError(
        "'\(name)' cannot be a line of a run", advice: "Lines are: \(names.joined(separator: ", ")).")
    }
    let advice: String? =
      switch name {
      case "sphero": "Leave out 'sphero': a line begins with a command, like 'led red'."
      case _ where name == "macro" || UInt16(name) != nil: "'sphero program' runs macros and orbBasic."
      default: nil
      }
    let synonym = Suggestion.verb(for: name, among: subcommands)
    throw UsageError(
      "unknown command '\(name)'" + Suggestion.text(for: name, synonym: synonym, among: names), advice: advice
    )
  }

  static let subcommands: [any Subcommand.Type] = [
    Info.self, Ping.self, Stream.self, Collisions.self, Roll.self, Turn.self, Go.self, Stop.self, Aim.self,
    LED.self, Sleep.self, Raw.self, ProgramCommand.self, Survey.self, Pause.self,
  ]

  static func isBackground(_ type: any Subcommand.Type) -> Bool {
    type == Stream.self || type == Collisions.self
  }

  var verb: (any Subcommand)? { if case .success(.verb(let verb)) = action { verb } else { nil } }

  var isStop: Bool { verb is Stop }

  var isMotion: Bool { verb.map { $0.mayMove && !isStop } ?? false }
}

struct Pause: Subcommand {
  static let name = "wait"
  static let abstract = "Waits before the next line."
  static let examples = ["wait 500ms"]

  var time = Duration.zero
  var connection = Connection()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument("time", &time, "how long to wait, like 500ms or 2s")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    try await connection.withRobot { try await $0.time.sleep(for: time) }
  }
}

/// The shared output of all lines of a run; the outputs of different lines are not interleaved.
actor RunOutput {
  private var isBusy = false
  private var pending: [CheckedContinuation<Void, Never>] = []

  func print(_ bytes: [UInt8]) async throws {
    if isBusy { await withCheckedContinuation { pending.append($0) } }
    isBusy = true
    defer {
      // The output stays busy for the next call.
      if pending.isEmpty { isBusy = false } else { pending.removeFirst().resume() }
    }
    try await StandardStream.output.write(bytes)
  }
}

/// The output of a line of a run: JSON objects with the number and the id of the line, and its answer.
final class LineOutput: Sendable {
  private let fields: [Field]
  private let output: RunOutput
  private let remarks = Locked<[String]>([])

  init(_ line: RunLine, _ output: RunOutput) {
    (fields, self.output) = (Self.fields(line.number, line.id), output)
  }

  /// Prints JSON objects, one a line, with the number and the id of the line of the run after their kind.
  func print(_ lines: [UInt8]) async throws {
    // Line and id as members of an object, like `"line":3,"id":"7"`.
    let members = JSON.line(fields).utf8.dropFirst().dropLast()
    var bytes: [UInt8] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      // The kind is the first member, as in `{"kind":"sample",`.
      let end = line.firstIndex(of: UInt8(ascii: ",")) ?? line.endIndex - 1
      bytes += line[..<end] + [UInt8(ascii: ",")] + members + line[end...] + [UInt8(ascii: "\n")]
    }
    try await output.print(bytes)
  }

  /// Adds a remark to the answer, which has at most 64.
  func add(remark: String) {
    remarks.withLock { if $0.count < 64 { $0.append(remark) } }
  }

  func answer(_ words: String, _ failure: Failure?) async throws {
    let answer = fields + Self.fields(words, failure, remarks.withLock { $0 })
    try await output.print(Array((JSON.line([Field("kind", .text("answer"))] + answer) + "\n").utf8))
  }

  static func fields(_ number: Int, _ id: String?) -> [Field] {
    [Field("line", .count(number))] + (id.map { [Field("id", .text($0))] } ?? [])
  }

  static func fields(_ words: String, _ failure: Failure?, _ remarks: [String]) -> [Field] {
    [
      Field("words", .text(words)),
      Field("code", .count(failure?.code.rawValue ?? 0)), Field("error", .text(failure?.message)),
      Field("advice", .text(failure?.advice)), Field("remarks", .list(remarks.map { .text($0) })),
    ]
  }
}
