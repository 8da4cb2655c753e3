// Subcommands, and the options that each declares once: visitors bind them to words and list them for help pages.

import SpheroProtocol

/// An invalid command line.
struct UsageError: Error, Equatable {
  var message: String
  /// The next step; nil refers to the help page.
  var advice: String?
  init(_ message: String, advice: String? = nil) { (self.message, self.advice) = (message, advice) }
}

/// What the type of a value does not state: its form, its range, or what completes it.
enum ValueKind: Sendable {
  case plain
  /// A text with this placeholder; alternatives are separated by `|`.
  case form(String)
  /// A whole number within limits.
  case range(ClosedRange<Int>)
  /// A decimal number within limits.
  case decimal(ClosedRange<Double>, placeholder: String)
  /// A duration with a minimum.
  case duration(minimum: Duration)
  /// A file to read.
  case file
  /// A file to create.
  case newFile
  /// The port of a robot.
  case port
  /// A text that is usually one of these words.
  case words([String])

  static let count = Self.range(1...1_000_000_000)

  /// The placeholder on help pages; nil selects that of the type.
  var placeholder: String? {
    switch self {
    case .plain, .range, .duration, .words: nil
    case .form(let form): form
    case .decimal(_, let placeholder): placeholder
    case .file, .newFile: "file"
    case .port: "port"
    }
  }

  /// The limits in words; nil selects the text of the type.
  var allowed: String? {
    switch self {
    case .range(let range): "\(range.lowerBound)...\(range.upperBound)"
    case .decimal(let range, _): "\(range.lowerBound.shortText)...\(range.upperBound.shortText)"
    case .duration(let minimum): "\(Duration.writtenForms); \(minimum.argumentText ?? "") or more"
    default: nil
    }
  }

  /// Whether a word is within the limits, if there are any.
  func accepts(_ word: String) -> Bool {
    switch self {
    case .range(let range): Int(word).map(range.contains) ?? false
    case .decimal(let range, _): Double(decimal: word).map(range.contains) ?? false
    case .duration(let minimum): Duration(argument: word).map { $0 >= minimum } ?? false
    default: true
    }
  }
}

/// Visits the options and arguments of a subcommand.
protocol OptionVisitor {
  /// Visits a positional argument; its value is optional if the word is.
  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, as kind: ValueKind, _ help: String
  ) throws(UsageError)

  /// Visits all remaining positional arguments.
  mutating func arguments(
    _ name: String, _ values: inout [String], as kind: ValueKind, _ help: String
  ) throws(UsageError)

  /// Visits an option with a value.
  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, as kind: ValueKind, _ help: String
  ) throws(UsageError)

  /// Visits an option that may be repeated, each time with a separate value.
  mutating func options(
    _ name: String, _ short: Character?, _ values: inout [String], as kind: ValueKind, _ help: String
  ) throws(UsageError)

  /// Visits an option without a value.
  mutating func flag(_ name: String, _ short: Character?, _ value: inout Bool, _ help: String)
    throws(UsageError)

  /// Visits the options that all commands with a connection share.
  mutating func connection(_ connection: inout Connection) throws(UsageError)

  /// Declares that two options exclude each other, with the reason.
  mutating func conflict(_ first: String, _ second: String, _ reason: String) throws(UsageError)
}

extension OptionVisitor {
  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, _ help: String
  ) throws(UsageError) {
    try argument(name, &value, as: .plain, help)
  }

  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, _ help: String
  ) throws(UsageError) {
    try option(name, short, &value, as: .plain, help)
  }
}

/// The groups of verbs on the help page, in their order.
enum VerbGroup: String, CaseIterable {
  case look
  case move
  case show
  case program
  case bytes
  case shell
}

/// One verb of the command line.
protocol Subcommand: Sendable {
  /// The verb.
  static var name: String { get }
  static var group: VerbGroup { get }
  /// Names of this verb in other programs; an error suggests the verb for them.
  static var otherNames: [String] { get }
  /// The effect in one sentence.
  static var abstract: String { get }
  /// Complete, valid command lines.
  static var examples: [String] { get }
  /// Whether a person has to be present, which excludes the verb from `sphero run`.
  var needsPerson: Bool { get }
  init()
  /// Visits every option and argument.
  mutating func options(_ line: inout some OptionVisitor) throws(UsageError)
  /// Checks values that depend on each other, before anything is opened.
  func validate() throws(UsageError)
  func run(_ terminal: Terminal) async throws
}

extension Subcommand {
  static var group: VerbGroup { .look }
  static var otherNames: [String] { [] }
  var needsPerson: Bool { false }
  func validate() throws(UsageError) {}
  /// Whether Ctrl-Z has to stop the ball first; a panel does so itself.
  var mayMove: Bool {
    let isMotion = Self.group == .move || Self.group == .program || Self.self == RunCommand.self
    return isMotion && !needsPerson || (self as? Raw)?.moves ?? false
  }
}
