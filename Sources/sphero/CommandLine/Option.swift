// A subcommand says its options once; a visitor binds them, another prints the help page.

/// Why the words on the command line make no sense.
struct UsageError: Error, Equatable {
  var message: String
  /// The next step; nil refers to the help page.
  var advice: String?
  init(_ message: String, advice: String? = nil) { (self.message, self.advice) = (message, advice) }
}

/// What the value of an option or argument is, where its type does not say it.
enum ValueKind: Sendable {
  /// What its type says.
  case plain
  /// It is written like this.
  case form(String)
  /// A file that is read.
  case file
  /// A file that is made.
  case newFile
  /// Where a robot is.
  case port
  /// Most often one of these words.
  case words(@Sendable () -> [String])

  /// What stands for the value on the help page; nil where its type says it.
  var placeholder: String? {
    switch self {
    case .plain, .words: nil
    case .form(let form): form
    case .file, .newFile: "file"
    case .port: "port"
    }
  }
}

/// Walks the options and arguments of a subcommand.
protocol OptionVisitor {
  /// A value by its place; left as it is where the word is missing.
  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, as kind: ValueKind, _ help: String
  ) throws(UsageError)

  /// All words that are left.
  mutating func arguments(
    _ name: String, _ values: inout [String], as kind: ValueKind, _ help: String
  ) throws(UsageError)

  /// A value by its name.
  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, as kind: ValueKind, _ help: String
  ) throws(UsageError)

  /// Values of an option that may be given several times, each a value of its own.
  mutating func options(
    _ name: String, _ short: Character?, _ values: inout [String], as kind: ValueKind, _ help: String
  ) throws(UsageError)

  /// Something that is on where it is named.
  mutating func flag(_ name: String, _ short: Character?, _ value: inout Bool, _ help: String)
    throws(UsageError)

  /// The options of every command that connects.
  mutating func connection(_ connection: inout Connection) throws(UsageError)

  /// Two options, by their names, that contradict each other, and why.
  mutating func conflict(_ first: String, _ second: String, _ reason: String) throws(UsageError)
}

extension OptionVisitor {
  /// The options of every command that connects.
  mutating func connection(_ connection: inout Connection) throws(UsageError) {
    try connection.visit(&self)
  }

  /// A value by its place.
  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, _ help: String
  ) throws(UsageError) {
    try argument(name, &value, as: .plain, help)
  }

  /// All words that are left.
  mutating func arguments(_ name: String, _ values: inout [String], _ help: String) throws(UsageError) {
    try arguments(name, &values, as: .plain, help)
  }

  /// A value by its name.
  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, _ help: String
  ) throws(UsageError) {
    try option(name, short, &value, as: .plain, help)
  }
}

/// What verbs are for: the parts of the help page, in their order.
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
  /// What it is for.
  static var group: VerbGroup { get }
  /// What other programs call it: nobody has to know these, but who writes one is told the name.
  static var otherNames: [String] { get }
  /// What it does, in one sentence.
  static var abstract: String { get }
  /// Whole command lines that work.
  static var examples: [String] { get }
  /// Whether a person has to be there, so that it cannot be a line of `sphero run`.
  var needsPerson: Bool { get }
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
  static var group: VerbGroup { .look }
  static var otherNames: [String] { [] }
  var needsPerson: Bool { false }
  func validate() throws(UsageError) {}
  /// Whether it may leave a ball rolling where Ctrl-Z suspends it; a screen sees to that itself.
  var mayMove: Bool {
    let isMotion = Self.group == .move || Self.group == .program || Self.self == RunCommand.self
    return isMotion && !needsPerson || (self as? Raw)?.moves ?? false
  }
}
