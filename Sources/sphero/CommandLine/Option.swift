// A subcommand says its options once; a visitor binds them, another prints the help page.

/// Why the words on the command line make no sense.
struct UsageError: Error, Equatable {
  var message: String
  /// The next step; nil refers to the help page.
  var advice: String?
  init(_ message: String, advice: String? = nil) { (self.message, self.advice) = (message, advice) }
}

/// Walks the options and arguments of a subcommand.
protocol OptionVisitor {
  /// A value by its place; left as it is where the word is missing.
  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, _ help: String
  ) throws(UsageError)

  /// All words that are left.
  mutating func arguments(_ name: String, _ values: inout [String], _ help: String) throws(UsageError)

  /// A value by its name; `form` says how it is written where its type does not.
  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, form: String?, _ help: String
  ) throws(UsageError)

  /// Something that is on where it is named.
  mutating func flag(_ name: String, _ short: Character?, _ value: inout Bool, _ help: String)
    throws(UsageError)
}

extension OptionVisitor {
  /// A value by its name.
  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, _ help: String
  ) throws(UsageError) {
    try option(name, short, &value, form: nil, help)
  }
}

/// One verb of the command line.
protocol Subcommand: Sendable {
  /// The verb.
  static var name: String { get }
  /// What it does, in one sentence.
  static var abstract: String { get }
  /// Whole command lines that work.
  static var examples: [String] { get }
  /// Starts with the defaults.
  init()
  /// Visits every option and argument: the one place where they are said.
  mutating func options(_ line: inout some OptionVisitor) throws(UsageError)
  /// Makes sure that the values fit each other, before anything is opened.
  func validate() throws(UsageError)
  /// Does it.
  func run(_ terminal: Terminal) async throws
}

extension Subcommand {
  func validate() throws(UsageError) {}
}
