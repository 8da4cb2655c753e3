// Lists what a subcommand takes: for help pages, completions and the manual.

/// Collects the options and arguments of a subcommand.
struct Synopsis: OptionVisitor {
  enum Kind {
    case argument
    case rest
    case option
    case flag
  }
  /// What completes a value.
  enum Completion {
    case nothing
    case file
    case port
    /// The words are made where they are asked for: most calls bind only.
    case words(isList: Bool, @Sendable () -> [String])
  }
  struct Entry {
    var kind: Kind
    var name: String
    var short: Character?
    var placeholder = ""
    var help: String
    var standard: String?
    var allowed: String?
    var isOptional = false
    /// Whether naming it again adds to it.
    var isRepeatable = false
    var completion = Completion.nothing
  }
  /// Two options that contradict each other.
  struct Conflict {
    var first: String
    var second: String
  }

  /// Whether what only a whole run can say is left out.
  private let isLine: Bool
  private(set) var entries: [Entry] = []
  private(set) var conflicts: [Conflict] = []

  init(_ type: (some Subcommand).Type, isLine: Bool = false) {
    self.isLine = isLine
    var subcommand = type.init()
    // Listing refuses nothing.
    try? subcommand.options(&self)
  }

  /// What stands at its place.
  var places: [Entry] { entries.filter { $0.kind == .argument || $0.kind == .rest } }
  /// What stands after its name.
  var options: [Entry] { entries.filter { $0.kind == .option || $0.kind == .flag } }

  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, as kind: ValueKind, _ help: String
  ) {
    entries.append(
      Entry(
        kind: .argument, name: name, help: help, allowed: Value.allowed,
        isOptional: value.argumentText == nil, completion: Self.completion(of: Value.self, kind)))
  }
  mutating func arguments(_ name: String, _ values: inout [String], as kind: ValueKind, _ help: String) {
    entries.append(
      Entry(kind: .rest, name: name, help: help, completion: Self.completion(of: String.self, kind)))
  }
  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, as kind: ValueKind, _ help: String
  ) {
    if isLine, Value.self == Format.self { return }
    entries.append(
      Entry(
        kind: .option, name: name, short: short, placeholder: kind.placeholder ?? Value.placeholder,
        help: help, standard: value.argumentText, allowed: Value.allowed, isRepeatable: Value.isList,
        completion: Self.completion(of: Value.self, kind)))
  }
  mutating func connection(_ connection: inout Connection) throws(UsageError) {
    if !isLine { try connection.visit(&self) }
  }
  mutating func options(
    _ name: String, _ short: Character?, _ values: inout [String], as kind: ValueKind, _ help: String
  ) {
    entries.append(
      Entry(
        kind: .option, name: name, short: short, placeholder: kind.placeholder ?? String.placeholder,
        help: help, isRepeatable: true, completion: Self.completion(of: String.self, kind)))
  }
  mutating func flag(_ name: String, _ short: Character?, _ value: inout Bool, _ help: String) {
    if isLine, name == LineContext.hazardFlag { return }
    entries.append(Entry(kind: .flag, name: name, short: short, help: help))
  }
  mutating func conflict(_ first: String, _ second: String, _ reason: String) {
    conflicts.append(Conflict(first: first, second: second))
  }

  private static func completion<Value: Argument>(of type: Value.Type, _ kind: ValueKind) -> Completion {
    switch kind {
    case .file, .newFile: .file
    case .port: .port
    case .words(let words): .words(isList: type.isList, words)
    case .form(let form) where form.contains("|"):
      .words(isList: false) { form.split(separator: "|").map(String.init) }
    case .plain, .form: .words(isList: Value.isList) { Value.words }
    }
  }

  /// The entry that a word like `--name` or `-n` means.
  func entry(for word: some StringProtocol) -> Entry? {
    entries.first { entry in
      guard entry.kind == .option || entry.kind == .flag else { return false }
      return word == "--\(entry.name)" || entry.short.map { word == "-\($0)" } == true
    }
  }

  /// The options that contradict an entry.
  func rivals(of entry: Entry) -> [String] {
    conflicts.compactMap { pair in
      pair.first == entry.name ? pair.second : pair.second == entry.name ? pair.first : nil
    }
  }

  /// How one entry is written on the command line.
  static func label(_ entry: Entry) -> String {
    let short = entry.short.map { "-\($0), " } ?? "    "
    return switch entry.kind {
    case .argument: entry.isOptional ? "[<\(entry.name)>]" : "<\(entry.name)>"
    case .rest: "[<\(entry.name)>...]"
    case .option: "\(short)--\(entry.name) <\(entry.placeholder)>"
    case .flag: "\(short)--\(entry.name)"
    }
  }

  /// What can be said of an entry beside its help: what it can be, its default, what it excludes.
  func notes(on entry: Entry) -> String {
    var notes: [String] = []
    if let allowed = entry.allowed { notes.append(allowed) }
    if let standard = entry.standard { notes.append("default: \(standard)") }
    let rivals = rivals(of: entry)
    if !rivals.isEmpty { notes.append("not with " + rivals.map { "--\($0)" }.joined(separator: ", ")) }
    return notes.joined(separator: "; ")
  }
}
