// A line of a run: from its bytes to what it does.

import SpheroProcess
import SpheroProtocol
import SpheroTransport

/// A line of a run that says something, right or wrong.
struct RunLine: Sendable {
  /// What a line asks for.
  enum Action: Sendable {
    case verb(any Subcommand)
    /// The end of what a verb watches in the background.
    case end(any Subcommand.Type)
  }

  /// The longest line, in bytes.
  static let longest = 4_096
  /// The most characters of a line that an answer repeats.
  private static let mostShown = 200

  /// Counted from 1, blank lines and comments too.
  let number: Int
  /// What it says, or the beginning of that.
  let words: String
  let action: Result<Action, Failure>

  /// Reads a line; nil where it says nothing.
  init?(_ line: LineSplitter.Line, number: Int, _ context: LineContext) {
    self.number = number
    switch line {
    case .tooLong(let bytes):
      words = Self.shown(String(decoding: bytes, as: UTF8.self))
      action = .failure(
        Failure(.badData, "the line has more than \(Self.longest) bytes", advice: "Write shorter lines."))
    case .whole(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      words = Self.shown(text.drop { $0 == " " || $0 == "\t" })
      do throws(Failure) {
        guard let action = try Self.action(of: bytes, text, context) else { return nil }
        self.action = .success(action)
      } catch { action = .failure(error) }
    }
  }

  private static func shown(_ text: some StringProtocol) -> String {
    text.count > mostShown ? String(text.prefix(mostShown)) + "…" : String(text)
  }

  private static func action(
    of bytes: [UInt8], _ text: String, _ context: LineContext
  ) throws(Failure) -> Action? {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      let column = text.prefix { $0 != "\u{FFFD}" }.count + 1
      throw Failure(.badData, "column \(column) is not UTF-8", advice: "Send the line as UTF-8.")
    }
    guard let zero = bytes.firstIndex(of: 0) else { return try action(of: text, context) }
    throw Failure(.badData, "byte \(zero + 1) is NUL", advice: "Leave it out.")
  }

  private static func action(of text: String, _ context: LineContext) throws(Failure) -> Action? {
    let words: [String]
    do throws(ShellWords.OpenEnd) { words = try ShellWords.split(text) } catch {
      throw Failure(
        .usage, "nothing ends the \(error.mark) at column \(error.column)",
        advice: "Close it, or put a backslash in front of it.")
    }
    guard let verb = words.first else { return nil }
    do throws(UsageError) {
      let type = try type(verb)
      if words.count == 2, words[1] == "off", watches(type) { return .end(type) }
      return .verb(try Binder.bindLine(type, words.dropFirst(), context))
    } catch {
      let isKnown = verbs.contains { $0.name == verb }
      let page = isKnown && verb != Pause.name ? verb : RunCommand.name
      throw Failure(.usage, error.message, advice: error.advice ?? "See 'sphero \(page) --help'.")
    }
  }

  private static func type(_ name: String) throws(UsageError) -> any Subcommand.Type {
    if let type = verbs.first(where: { $0.name == name }) { return type }
    let names = verbs.map { $0.name }
    if Program.subcommands.contains(where: { $0.name == name }) {
      throw UsageError(
        "'\(name)' cannot be a line of a run", advice: "Lines are: \(names.joined(separator: ", ")).")
    }
    throw UsageError("unknown command '\(name)'" + Suggestion.text(for: name, among: names))
  }

  /// The verbs that a line can have.
  static let verbs: [any Subcommand.Type] = [
    Info.self, Ping.self, Stream.self, Collisions.self, Roll.self, Turn.self, Go.self, Follow.self,
    Stop.self, Calibrate.self, LED.self, Sleep.self, Raw.self, MacroFile.self, BasicFile.self, Pause.self,
  ]

  /// Whether a verb goes on in the background.
  static func watches(_ type: any Subcommand.Type) -> Bool { type == Stream.self || type == Collisions.self }

  /// The verb, where the line is right and has one.
  var verb: (any Subcommand)? { if case .success(.verb(let verb)) = action { verb } else { nil } }

  /// Whether it stops the ball.
  var isStop: Bool { verb is Stop }

  /// Whether it may move the ball, so that a stop ends it.
  var isMotion: Bool {
    guard let verb, !isStop else { return false }
    if let raw = verb as? Raw { return raw.moves }
    let group = Swift.type(of: verb).group
    return group == .move || group == .program
  }
}

/// A line that waits.
struct Pause: Subcommand {
  static let name = "wait"
  static let abstract = "Waits before the next line."
  static let examples = ["wait 500ms"]

  var time = Duration.zero

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    var time: Duration?
    try line.argument("time", &time, "How long.")
    self.time = time ?? .zero
    guard time == nil else { return }
    throw UsageError("<time> is missing: how long to wait, like 500ms or 2s")
  }

  func run(_ terminal: Terminal) async throws { try await Program.time.sleep(for: time) }
}
