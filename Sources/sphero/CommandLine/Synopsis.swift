// Lists what a subcommand takes, and prints its help page.

/// Collects the options and arguments of a subcommand.
struct Synopsis: OptionVisitor {
  enum Kind {
    case argument
    case rest
    case option
    case flag
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
  }

  private(set) var entries: [Entry] = []

  init(_ type: (some Subcommand).Type) {
    var subcommand = type.init()
    // Listing refuses nothing.
    try? subcommand.options(&self)
  }

  mutating func argument<Value: Argument>(_ name: String, _ value: inout Value, _ help: String) {
    entries.append(
      Entry(
        kind: .argument, name: name, help: help, allowed: Value.allowed,
        isOptional: value.argumentText == nil))
  }
  mutating func arguments(_ name: String, _ values: inout [String], _ help: String) {
    entries.append(Entry(kind: .rest, name: name, help: help))
  }
  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, form: String?, _ help: String
  ) {
    entries.append(
      Entry(
        kind: .option, name: name, short: short, placeholder: form ?? Value.placeholder, help: help,
        standard: value.argumentText, allowed: Value.allowed))
  }
  mutating func flag(_ name: String, _ short: Character?, _ value: inout Bool, _ help: String) {
    entries.append(Entry(kind: .flag, name: name, short: short, help: help))
  }

  /// The entry that a word like `--name` or `-n` means.
  func entry(for word: some StringProtocol) -> Entry? {
    entries.first { entry in
      guard entry.kind == .option || entry.kind == .flag else { return false }
      return word == "--\(entry.name)" || entry.short.map { word == "-\($0)" } == true
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
}

/// The pages of `sphero help`.
enum Help {
  static func page<S: Subcommand>(_ type: S.Type) -> String {
    let entries = Synopsis(type).entries
    let places = entries.filter { $0.kind == .argument || $0.kind == .rest }
    let options = entries.filter { $0.kind == .option || $0.kind == .flag }
    var page = "\(S.abstract)\n\nUSAGE\n  sphero \(S.name)"
    for entry in places { page += " \(Synopsis.label(entry))" }
    if !options.isEmpty { page += " [options]" }
    page += "\n"
    for (title, rows) in [("ARGUMENTS", places), ("OPTIONS", options)] where !rows.isEmpty {
      page += "\n\(title)\n" + rows.map(row).joined()
    }
    if !S.examples.isEmpty { page += "\nEXAMPLES\n" + S.examples.map { "  \($0)\n" }.joined() }
    return page
  }

  private static let column = 26

  private static func row(_ entry: Synopsis.Entry) -> String {
    let label = "  " + Synopsis.label(entry)
    var notes: [String] = []
    if let allowed = entry.allowed { notes.append(allowed) }
    if let standard = entry.standard { notes.append("default: \(standard)") }
    let text = entry.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    let gap =
      label.count < column
      ? String(repeating: " ", count: column - label.count) : "\n" + String(repeating: " ", count: column)
    return label + gap + wrapped(text) + "\n"
  }

  private static func wrapped(_ text: String, column: Int = column) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count >= 80 - column { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: column))
  }

  private static let exitCodes: String = {
    let codes = ExitCode.allCases.map { "\($0.rawValue) \($0.meaning)" }
    let signals = ["129 hung up", "130 Ctrl-C", "143 terminated"]
    return "\n  " + wrapped((codes + signals).joined(separator: ", "), column: 2) + "\n"
  }()

  static let overview: String = {
    var page = """
      Speaks with the first Sphero robots over their serial line.

      USAGE
        sphero <command> [options]

      COMMANDS

      """
    for type in Program.subcommands {
      page +=
        "  \(type.name)" + String(repeating: " ", count: max(1, 14 - type.name.count)) + type.abstract + "\n"
    }
    return page + """
        help          Explains a command: sphero help stream.

      The robot's port comes from --port, from $SPHERO_PORT, or is the only device file that
      'sphero devices' finds. With '--port sim:' a simulated robot answers.

      EXIT CODES
      """ + exitCodes
  }()
}
