// What can stand on the command line: numbers, texts, times, choices.

import SpheroProtocol
import SpheroRecording

/// A value that can stand on the command line.
protocol Argument: Sendable {
  /// Reads a word; nil where it means nothing.
  init?(argument: String)
  /// The value as it would be written; nil where there is none to show.
  var argumentText: String? { get }
  /// What stands for it on the help page.
  static var placeholder: String { get }
  /// The words it can be, where they can be listed, or its range.
  static var allowed: String? { get }
  /// The words that somebody may have meant who wrote another.
  static var words: [String] { get }
  /// Whether the value is a list with commas, to which an option that is named again adds.
  static var isList: Bool { get }
  /// Why a word is not a value, where more can be said than the word and what is allowed.
  ///
  /// - Parameters:
  ///   - word: The word that means nothing.
  ///   - name: The option or argument, as it is written.
  /// - Returns: The error; nil where there is no more to say.
  static func fault(in word: String, of name: String) -> UsageError?
}

extension Argument {
  static var allowed: String? { nil }
  static var words: [String] { [] }
  static var isList: Bool { false }
  static func fault(in word: String, of name: String) -> UsageError? { nil }
}

/// A list of words with commas between them.
struct CommaList: Argument {
  var text: String
  init?(argument: String) { text = argument }
  var argumentText: String? { text }
  static var placeholder: String { "list" }
  static var isList: Bool { true }
}

extension String: Argument {
  init?(argument: String) { self = argument }
  var argumentText: String? { self }
  static var placeholder: String { "text" }
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
  static var isList: Bool { Wrapped.isList }
  static func fault(in word: String, of name: String) -> UsageError? { Wrapped.fault(in: word, of: name) }
}

/// Whole numbers within limits that the type names.
protocol Limits {
  static var range: ClosedRange<Int> { get }
  /// What stands for the number on the help page.
  static var placeholder: String { get }
  /// What can be written.
  static var allowed: String { get }
  /// Turns a number into the range, where more than the range can be written.
  static func folded(_ number: Int) -> Int
}

extension Limits {
  static var placeholder: String { "n" }
  static var allowed: String { "\(range.lowerBound)...\(range.upperBound)" }
  static func folded(_ number: Int) -> Int { number }
}

/// A byte.
enum Byte: Limits { static let range = 0...255 }
/// A count of something that happens at least once.
enum Positive: Limits { static let range = 1...1_000_000_000 }
/// What fits 16 bits and is not nothing.
enum PositiveWord: Limits { static let range = 1...65_535 }
/// What fits 8 bits and is not nothing.
enum PositiveByte: Limits { static let range = 1...255 }
/// Whole degrees of a circle, turned into 0...359.
enum Degrees: Limits {
  static let range = 0...359
  static var placeholder: String { "degrees" }
  static var allowed: String { "whole degrees; 360 is 0, and -90 is 270" }
  static func folded(_ number: Int) -> Int { (number % 360 + 360) % 360 }
}

/// A whole number within limits.
struct Whole<Limit: Limits>: Argument, ExpressibleByIntegerLiteral, Equatable {
  var value: Int
  init(integerLiteral value: Int) { self.value = value }
  init?(argument: String) {
    guard let number = Int(argument) else { return nil }
    let value = Limit.folded(number)
    guard Limit.range.contains(value) else { return nil }
    self.value = value
  }
  var argumentText: String? { "\(value)" }
  static var placeholder: String { Limit.placeholder }
  static var allowed: String? { Limit.allowed }
}

extension Duration: Argument {
  init?(argument: String) { self.init(written: argument) }
  var argumentText: String? {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }
  static var placeholder: String { "time" }
  static var allowed: String? { writtenForms }
}

/// A time that is long enough to wait for an answer.
struct Wait: Argument {
  var duration: Duration
  init(duration: Duration) { self.duration = duration }
  init?(argument: String) {
    guard let duration = Duration(argument: argument), duration >= .milliseconds(10) else { return nil }
    self.duration = duration
  }
  var argumentText: String? { duration.argumentText }
  static var placeholder: String { Duration.placeholder }
  static var allowed: String? { "\(Duration.writtenForms); 10ms or more" }
}

/// How records are printed.
typealias Format = RecordFormat

extension RecordFormat: Argument {
  init?(argument: String) { self.init(rawValue: argument) }
  var argumentText: String? { rawValue }
  static var placeholder: String { "format" }
  static var allowed: String? { words.joined(separator: ", ") }
  static var words: [String] { allCases.map(\.rawValue) }
}

extension Sender: Argument {
  init?(argument: String) { self.init(rawValue: argument) }
  var argumentText: String? { rawValue }
  static var placeholder: String { "sender" }
  static var allowed: String? { words.joined(separator: ", ") }
  static var words: [String] { allCases.map(\.rawValue) }
}

extension CaptureFormat: Argument {
  init?(argument: String) { self.init(rawValue: argument) }
  var argumentText: String? { rawValue }
  static var placeholder: String { "form" }
  static var allowed: String? { words.joined(separator: ", ") }
  static var words: [String] { allCases.map(\.rawValue) }
}

extension SensorMask: Argument {
  init?(argument: String) {
    guard let mask = try? SensorMask(parsing: argument) else { return nil }
    self = mask
  }
  var argumentText: String? {
    var rest = self
    var names: [String] = []
    for (name, group) in Self.groups where rest.isSuperset(of: group) {
      names.append(name)
      rest.subtract(group)
    }
    return (names + rest.fields.map(\.optionName)).joined(separator: ",")
  }
  static var placeholder: String { "fields" }
  static var allowed: String? {
    (groups.map(\.key) + ["single fields like yaw or accel-x", "0xMASK[:MASK2]"]).joined(separator: ", ")
  }
  static var words: [String] {
    let groups = groups.map(\.key)
    // One group is a field too.
    return groups + SensorField.allCases.map(\.optionName).filter { !groups.contains($0) }
  }
}

/// What is wrong with a list of words with commas between them.
enum ListFault {
  /// The error for the first word of a list that is none of `words`, as ``error(_:in:of:_:among:advice:)`` says it; nil where all are.
  static func first(
    in list: String, of name: String, _ verdict: String, among words: [String], advice: String
  ) -> UsageError? {
    let parts = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return parts.first { !words.contains($0) }.map {
      error($0, in: list, of: name, verdict, among: words, advice: advice)
    }
  }

  /// The error for one word of a list, or for a word that is missing.
  ///
  /// - Parameters:
  ///   - part: The word that means nothing.
  ///   - list: The whole list.
  ///   - name: The option, as it is written.
  ///   - verdict: What the word is not.
  ///   - words: What it could be.
  ///   - advice: The next step.
  /// - Returns: The error.
  static func error(
    _ part: String, in list: String, of name: String, _ verdict: String, among words: [String], advice: String
  ) -> UsageError {
    guard part.contains(where: { $0 != " " }) else {
      return UsageError(
        list.isEmpty ? "\(name) is empty" : "\(name): a word is missing beside a comma of '\(list)'",
        advice: advice)
    }
    let place = part == list ? "of \(name)" : "in \(name) '\(list)'"
    return UsageError(
      "'\(part)' \(place) \(verdict)" + Suggestion.text(for: part, among: words), advice: advice)
  }
}
