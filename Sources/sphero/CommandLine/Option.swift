// The protocols of subcommands and of the values that their options accept.

import SpheroOrientation
import SpheroProtocol
import SpheroRecording

struct UsageError: Error, Equatable {
  var message: String
  /// What the user can do next; nil refers to the help page.
  var advice: String?
  init(_ message: String, advice: String? = nil) { (self.message, self.advice) = (message, advice) }
}

/// The form, range or completion of an option's value, if its type does not determine them.
enum ValueKind: Sendable {
  case plain
  /// A text that the help pages show as this placeholder; alternatives are separated by `|`.
  case form(String)
  case range(ClosedRange<Int>, unit: Quantity.Unit? = nil)
  case decimal(ClosedRange<Double>, placeholder: String, unit: Quantity.Unit? = nil)
  case duration(minimum: Duration)
  case file
  case newFile
  case port
  /// The name of a command, followed by its fields.
  case command
  /// A text that is usually one of these words.
  case words([String])

  static let count = Self.range(1...1_000_000_000)

  /// The placeholder on help pages; nil for that of the type.
  var placeholder: String? {
    switch self {
    case .plain, .range, .duration, .command, .words: nil
    case .form(let form): form
    case .decimal(_, let placeholder, _): placeholder
    case .file, .newFile: "file"
    case .port: "port"
    }
  }

  /// The limits as text for help pages and errors; nil for the text of the type.
  var allowed: String? {
    switch self {
    case .range(let range, _): "\(range.lowerBound)...\(range.upperBound)"
    case .decimal(let range, _, _): "\(range.lowerBound.shortText)...\(range.upperBound.shortText)"
    case .duration(let minimum): "\(Duration.writtenForms); \(minimum.argumentText ?? "") or more"
    default: nil
    }
  }

  /// The words that shells complete; nil for those of the type.
  var words: [String]? {
    switch self {
    case .words(let words): words
    case .form(let form) where form.contains("|"): form.split(separator: "|").map(String.init)
    default: nil
    }
  }

  /// The unit of a number; the user enters the number without it.
  var unit: Quantity.Unit? {
    switch self {
    case .range(_, let unit), .decimal(_, _, let unit): unit
    default: nil
    }
  }

  /// Whether a word is within the limits, if there are any.
  func accepts(_ word: String) -> Bool {
    switch self {
    case .range(let range, _): Int(word).map(range.contains) ?? false
    case .decimal(let range, _, _): Double(decimal: word).map(range.contains) ?? false
    case .duration(let minimum): Duration(argument: word).map { $0 >= minimum } ?? false
    default: true
    }
  }
}

/// The groups of subcommands on the help page, in their order; the short help page omits `more`.
enum SubcommandGroup: String, CaseIterable {
  case start
  case look
  case move
  case program
  case more
}

protocol Subcommand: Sendable {
  static var name: String { get }
  static var group: SubcommandGroup { get }
  /// Names of this verb in other programs; an error suggests the verb for them.
  static var otherNames: [String] { get }
  /// The effect in one sentence.
  static var abstract: String { get }
  static var examples: [String] { get }
  /// Further sections of the full help page, such as the format of a file.
  static var sections: [(title: String, rows: [(name: String, meaning: String)])] { get }
  /// Whether a person has to be present, which excludes the verb from `sphero run`.
  var needsPerson: Bool { get }
  /// Whether the command may move the ball: Ctrl-Z then stops the ball first, unless a panel does so itself;
  /// in `sphero run` it ends an earlier roll, and a later stop discards it.
  var mayMove: Bool { get }
  init()
  mutating func options(_ line: inout Synopsis) throws(UsageError)
  /// Checks values that depend on each other, before anything is opened.
  func validate() throws(UsageError)
  func run(_ terminal: Terminal) async throws
}

extension Subcommand {
  static var group: SubcommandGroup { .look }
  static var otherNames: [String] { [] }
  static var sections: [(title: String, rows: [(name: String, meaning: String)])] { [] }
  var needsPerson: Bool { false }
  func validate() throws(UsageError) {}
  var mayMove: Bool {
    let isMotion = Self.group == .move || Self.group == .program || Self.self == RunCommand.self
    return isMotion && !needsPerson || (self as? Raw)?.moves ?? false
  }
}

protocol Argument: Sendable {
  /// Parses a word; nil if the word is invalid.
  init?(argument: String)
  /// A default value in the form that ``init(argument:)`` accepts; nil if the type has none or the value is missing.
  var argumentText: String? { get }
  /// The name of the value on help pages, such as `n` in `--count <n>`.
  static var placeholder: String { get }
  /// The valid words or their range, for help pages and errors.
  static var allowed: String? { get }
  /// The words that shells complete and that errors suggest.
  static var words: [String] { get }
  /// The unit of the value; the user enters the value without it.
  static var unit: Quantity.Unit? { get }
  /// Whether the value is a comma-separated list; an option that is repeated appends to it.
  static var isList: Bool { get }
  /// Returns a specific error for an invalid word of an option such as `--mask`; nil selects the general one.
  static func rejection(of word: String, of name: String) -> UsageError?
}

extension Argument {
  var argumentText: String? { nil }
  static var allowed: String? { nil }
  static var words: [String] { [] }
  static var unit: Quantity.Unit? { nil }
  static var isList: Bool { false }
  static func rejection(of word: String, of name: String) -> UsageError? { nil }

  /// Returns the error for the first part of a comma-separated list that is not in ``words``.
  static func listError(in list: String, of name: String, _ verdict: String, advice: String) -> UsageError? {
    let parts = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return parts.first { !words.contains($0) }.map {
      listError($0, in: list, of: name, verdict, advice: advice)
    }
  }

  /// Returns the error for one part of a comma-separated list, which may be empty.
  ///
  /// `verdict` is the predicate, like `is not a step`; `synonym` is a valid word for what other tools call `part`.
  static func listError(
    _ part: String, in list: String, of name: String, _ verdict: String, synonym: String? = nil,
    advice: String
  ) -> UsageError {
    guard part.contains(where: { $0 != " " }) else {
      return UsageError(
        list.isEmpty ? "\(name) is empty" : "\(name): a word is missing beside a comma of '\(list)'",
        advice: advice)
    }
    let place = part == list ? "of \(name)" : "in \(name) '\(list)'"
    return UsageError(
      "'\(part)' \(place) \(verdict)" + Suggestion.text(for: part, synonym: synonym, among: words),
      advice: advice)
  }
}

extension Optional: Argument where Wrapped: Argument {
  init?(argument: String) {
    guard let value = Wrapped(argument: argument) else { return nil }
    self = value
  }
  var argumentText: String? { self?.argumentText }
  static var placeholder: String { Wrapped.placeholder }
  static var allowed: String? { Wrapped.allowed }
  static var words: [String] { Wrapped.words }
  static var unit: Quantity.Unit? { Wrapped.unit }
  static var isList: Bool { Wrapped.isList }
  static func rejection(of word: String, of name: String) -> UsageError? {
    Wrapped.rejection(of: word, of: name)
  }
}

extension String: Argument {
  init?(argument: String) { self = argument }
  var argumentText: String? { self }
  static var placeholder: String { "text" }
}

/// A comma-separated list that is parsed later.
struct CommaList: Argument {
  var text: String
  init?(argument: String) { text = argument }
  static var placeholder: String { "list" }
  static var isList: Bool { true }
}

// ``ValueKind`` states the limits of numbers.
extension Int: Argument {
  init?(argument: String) { self.init(argument) }
  var argumentText: String? { "\(self)" }
  static var placeholder: String { "n" }
}

extension Double: Argument {
  init?(argument: String) { self.init(decimal: argument) }
  var argumentText: String? { shortText }
  static var placeholder: String { "n" }

  /// The shortest text, without `.0`.
  var shortText: String {
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// A speed: a number 0...255, where 255 is full speed, or a percentage of full speed.
struct SpeedArgument: Argument, Hashable {
  /// 0...255; 255 is full speed.
  let count: Int

  init(_ count: Int) { self.count = min(max(count, 0), 255) }

  init?(argument: String) {
    if argument.last == "%", argument.first != "-",
      let percent = Double(decimal: argument.dropLast()), percent <= 100
    {
      self.init(Int((percent * 2.55).rounded()))
    } else if let count = Int(argument), (0...255).contains(count), argument.first != "+" {
      self.init(count)
    } else {
      return nil
    }
  }

  /// The fraction of full speed, 0...1.
  var fraction: Double { Double(count) / 255 }
  var argumentText: String? { "\(count)" }
  static var placeholder: String { "n" }
  static var allowed: String? { "0...255, or like 40%" }

  /// Throws if the speed is 0, at which the command could not reach its goal.
  func requireMotion() throws(UsageError) {
    if count == 0 {
      throw UsageError("'--speed' is 0, and the ball would not move", advice: "Choose 1...255.")
    }
  }
}

/// Whole degrees, wrapped to 0...359.
extension Heading: Argument {
  init?(argument: String) {
    guard let degrees = Int(argument) else { return nil }
    self.init(degrees: Double(degrees % 360))
  }
  var argumentText: String? { "\(wholeDegrees)" }
  static var unit: Quantity.Unit? { .degrees }
  static var placeholder: String { "degrees" }
  static var allowed: String? { "whole degrees; 360 is 0, and -90 is 270" }
}

extension Duration: Argument {
  init?(argument: String) { self.init(written: argument) }
  var argumentText: String? {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }
  static var placeholder: String { "time" }
  static var allowed: String? { writtenForms }
}

/// An enum whose raw values are the valid words.
protocol Choice: Argument, CaseIterable, RawRepresentable where RawValue == String {}

extension Choice {
  init?(argument: String) { self.init(rawValue: argument) }
  var argumentText: String? { rawValue }
  static var allowed: String? { allCases.map(\.rawValue).joined(separator: ", ") }
  static var words: [String] { allCases.map(\.rawValue) }
}

typealias Format = RecordFormat

extension RecordFormat: Choice { static var placeholder: String { "format" } }
extension Sender: Choice { static var placeholder: String { "sender" } }
extension CaptureFormat: Choice { static var placeholder: String { "form" } }
