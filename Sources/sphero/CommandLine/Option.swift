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

/// The form of a value, for the parser, help pages, errors and completion.
struct ValueKind: Sendable {
  enum Content {
    case any
    /// A text that is not empty.
    case name
    case file
    case newFile
    case port
    case command
  }

  /// The name of the value on help pages, such as `n` in `--count <n>`.
  var placeholder: String
  /// The valid words or their range; nil without limits.
  var allowed: String?
  /// The words that shells complete and that errors suggest.
  var words: [String] = []
  /// The unit of a number; the user enters the number without it.
  var unit: Quantity.Unit?
  var isWhole = false
  /// Whether the value is a comma-separated list; an option that is repeated appends to it.
  var isList = false
  var content = Content.any
  var accepts: @Sendable (String) -> Bool = { _ in true }

  static let file = Self(placeholder: "file", content: .file)
  static let newFile = Self(placeholder: "file", content: .newFile)
  static let port = Self(placeholder: "port", content: .port)
  static let command = Self(placeholder: "text", content: .command)
  static let list = Self(placeholder: "list", isList: true)
  static let count = range(1...1_000_000_000)

  /// A text that the help pages show as `form`; alternatives are separated by `|`.
  static func form(_ form: String) -> Self {
    let words = form.contains("|") ? form.split(separator: "|").map(String.init) : []
    return Self(placeholder: form, words: words, content: .name)
  }

  static func range(_ range: ClosedRange<Int>, unit: Quantity.Unit? = nil) -> Self {
    Self(
      placeholder: "n", allowed: "\(range.lowerBound)...\(range.upperBound)", unit: unit, isWhole: true
    ) { Int($0).map(range.contains) ?? false }
  }

  static func decimal(
    _ range: ClosedRange<Double>, placeholder: String, unit: Quantity.Unit? = nil
  ) -> Self {
    let allowed = "\(range.lowerBound.shortText)...\(range.upperBound.shortText)"
    return Self(placeholder: placeholder, allowed: allowed, unit: unit) {
      Double(decimal: $0).map(range.contains) ?? false
    }
  }

  static func duration(minimum: Duration) -> Self {
    var kind = Duration.valueKind
    kind.allowed = "\(Duration.writtenForms); \(minimum.argumentText ?? "") or more"
    kind.accepts = { word in Duration(argument: word).map { $0 >= minimum } ?? false }
    return kind
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

/// Names with their meanings.
typealias HelpTable = KeyValuePairs<String, String>

protocol Subcommand: Sendable {
  static var name: String { get }
  static var group: SubcommandGroup { get }
  /// Names of this verb in other programs; an error suggests the verb for them.
  static var otherNames: [String] { get }
  static var abstract: String { get }
  static var examples: [String] { get }
  static var sections: KeyValuePairs<String, HelpTable> { get }
  /// Whether a person has to be present, which excludes the verb from `sphero run`.
  var needsPerson: Bool { get }
  /// Whether the command may move the ball: Ctrl-Z then stops the ball first, unless a panel does so itself.
  ///
  /// In `sphero run`, such a line ends the roll of an earlier line, and the line of a later stop cancels it.
  var mayMove: Bool { get }
  init()
  mutating func options(_ line: inout Synopsis) throws(UsageError)
  /// Checks values that depend on each other, before anything is opened.
  func validate() throws(UsageError)
  func run(_ terminal: Terminal) async throws
}

extension Subcommand {
  static var group: SubcommandGroup { .more }
  static var otherNames: [String] { [] }
  static var sections: KeyValuePairs<String, HelpTable> { [:] }
  var needsPerson: Bool { false }
  func validate() throws(UsageError) {}
  var mayMove: Bool { (Self.group == .move || Self.group == .program) && !needsPerson }
}

protocol Argument: Sendable {
  /// Parses a word; nil if the word is invalid.
  init?(argument: String)
  /// A default value in the form that ``init(argument:)`` accepts; nil if the type has none or the value is missing.
  var argumentText: String? { get }
  static var valueKind: ValueKind { get }
  /// Returns a specific error for an invalid word of an option such as `--mask`; nil selects the general one.
  static func rejection(of word: String, of name: String) -> UsageError?
}

extension Argument {
  var argumentText: String? { nil }
  static func rejection(of word: String, of name: String) -> UsageError? { nil }

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
      "'\(part)' \(place) \(verdict)" + Suggestion.text(for: part, synonym: synonym, among: valueKind.words),
      advice: advice)
  }
}

extension Optional: Argument where Wrapped: Argument {
  init?(argument: String) {
    guard let value = Wrapped(argument: argument) else { return nil }
    self = value
  }
  var argumentText: String? { self?.argumentText }
  static var valueKind: ValueKind { Wrapped.valueKind }
  static func rejection(of word: String, of name: String) -> UsageError? {
    Wrapped.rejection(of: word, of: name)
  }
}

extension String: Argument {
  init?(argument: String) { self = argument }
  var argumentText: String? { self }
  static let valueKind = ValueKind(placeholder: "text")
}

/// An element of a comma-separated list, which keeps the order of `all`.
protocol ListElement: Sendable {
  static var all: [Self] { get }
  var name: String { get }
  static var noun: String { get }
  /// The separators of the words in `ValueKind.allowed`, and in the advice of an error.
  static var separators: (limits: String, advice: String) { get }
}

extension Array: Argument where Element: ListElement {
  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy(Self.valueKind.words.contains) else { return nil }
    self = Element.all.filter { names.contains($0.name) }
  }
  static var valueKind: ValueKind {
    let words = Element.all.map(\.name)
    let allowed = words.joined(separator: Element.separators.limits)
    return ValueKind(placeholder: "list", allowed: allowed, words: words, isList: true)
  }
  static func rejection(of list: String, of name: String) -> UsageError? {
    let parts = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let words = valueKind.words
    let advice = "The \(Element.noun)s are \(words.joined(separator: Element.separators.advice))."
    return parts.first { !words.contains($0) }.map {
      listError($0, in: list, of: name, "is not a \(Element.noun)", advice: advice)
    }
  }
}

extension Int: Argument {
  init?(argument: String) { self.init(argument) }
  var argumentText: String? { "\(self)" }
  static let valueKind = ValueKind(placeholder: "n")
}

extension Double: Argument {
  init?(argument: String) { self.init(decimal: argument) }
  var argumentText: String? { shortText }
  static let valueKind = ValueKind(placeholder: "n")

  var shortText: String {
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// A speed: a number 0...255, where 255 is full speed, or a percentage of full speed.
struct SpeedArgument: Argument, Hashable {
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

  var fraction: Double { Double(count) / 255 }
  var argumentText: String? { "\(count)" }
  static let valueKind = ValueKind(placeholder: "n", allowed: "0...255, or like 40%")

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
  static let valueKind = ValueKind(
    placeholder: "degrees", allowed: "whole degrees; 360 is 0, and -90 is 270", unit: .degrees)
}

extension Duration: Argument {
  init?(argument: String) { self.init(written: argument) }
  var argumentText: String? {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }
  static let valueKind = ValueKind(placeholder: "time", allowed: writtenForms)
}

protocol Choice: Argument, CaseIterable, RawRepresentable where RawValue == String {
  static var placeholder: String { get }
}

extension Choice {
  init?(argument: String) { self.init(rawValue: argument) }
  var argumentText: String? { rawValue }
  static var valueKind: ValueKind {
    let words = allCases.map(\.rawValue)
    return ValueKind(placeholder: placeholder, allowed: words.joined(separator: ", "), words: words)
  }
}

typealias Format = RecordFormat

extension RecordFormat: Choice { static var placeholder: String { "format" } }
extension Sender: Choice { static var placeholder: String { "sender" } }
extension CaptureFormat: Choice { static var placeholder: String { "form" } }
