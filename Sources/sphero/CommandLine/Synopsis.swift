// The list of a subcommand's options and arguments, for help pages, completion scripts and the manual page.

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
    case words(isList: Bool, [String])
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
    /// Whether the option may be given several times.
    var isRepeatable = false
    var completion = Completion.nothing

    /// The ways to write the option: `-n` and `--name`.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

    /// The entry on a usage line or a help page.
    var label: String {
      let short = short.map { "-\($0), " } ?? "    "
      return switch kind {
      case .argument: isOptional ? "[<\(name)>]" : "<\(name)>"
      case .rest: "[<\(name)>...]"
      case .option: "\(short)--\(name) <\(placeholder)>"
      case .flag: "\(short)--\(name)"
      }
    }
  }

  /// Whether this is a line of `sphero run`, which has no options of the connection.
  private let isLine: Bool
  private(set) var entries: [Entry] = []
  private var conflicts: [(first: String, second: String)] = []

  init(_ type: (some Subcommand).Type, isLine: Bool = false) {
    self.isLine = isLine
    var subcommand = type.init()
    // A synopsis throws nothing.
    try? subcommand.options(&self)
  }

  var arguments: [Entry] { entries.filter { $0.kind == .argument || $0.kind == .rest } }
  var options: [Entry] { entries.filter { $0.kind == .option || $0.kind == .flag } }

  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, as kind: ValueKind, _ help: String
  ) {
    entries.append(
      Entry(
        kind: .argument, name: name, help: help, allowed: kind.allowed ?? Value.allowed,
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
        help: help, standard: value.argumentText, allowed: kind.allowed ?? Value.allowed,
        isRepeatable: Value.isList, completion: Self.completion(of: Value.self, kind)))
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
    conflicts.append((first, second))
  }

  private static func completion<Value: Argument>(of type: Value.Type, _ kind: ValueKind) -> Completion {
    switch kind {
    case .file, .newFile: .file
    case .port: .port
    case .words(let words): .words(isList: type.isList, words)
    case .form(let form) where form.contains("|"):
      .words(isList: false, form.split(separator: "|").map(String.init))
    case .plain, .form, .range, .decimal, .duration: .words(isList: Value.isList, Value.words)
    }
  }

  /// The option of a word such as `--name` or `-n`.
  func entry(for word: some StringProtocol) -> Entry? {
    options.first { $0.spellings.contains { $0 == word } }
  }

  /// The names of the options that an option excludes.
  func rivals(of entry: Entry) -> [String] {
    conflicts.compactMap { pair in
      pair.first == entry.name ? pair.second : pair.second == entry.name ? pair.first : nil
    }
  }

  /// The usage line without options: `sphero VERB <argument>... [options]`.
  func usage(of verb: String) -> String {
    (["sphero \(verb)"] + arguments.map(\.label) + (options.isEmpty ? [] : ["[options]"]))
      .joined(separator: " ")
  }

  /// The help text with the valid values, the default and the excluded options.
  func fullHelp(of entry: Entry) -> String {
    var notes: [String] = []
    if let allowed = entry.allowed { notes.append(allowed) }
    if let standard = entry.standard { notes.append("default: \(standard)") }
    let rivals = rivals(of: entry)
    if !rivals.isEmpty { notes.append("not with " + rivals.map { "--\($0)" }.joined(separator: ", ")) }
    return entry.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }
}
