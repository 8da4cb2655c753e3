// The arguments and options of a subcommand, for help pages, completion scripts and the parser.

import SpheroProtocol

/// Visits the arguments and options of a subcommand: lists them, or assigns the words of a line to them.
struct Synopsis {
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
    var help: String
    var value = ValueKind(placeholder: "")
    var defaultText: String?
    var isOptional = false
    var isRepeatable = false
    var conflictingOptions: [String] = []

    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

    var label: String {
      let short = short.map { "-\($0), " } ?? "    "
      return switch kind {
      case .argument: isOptional ? "[<\(name)>]" : "<\(name)>"
      case .rest: "[<\(name)>...]"
      case .option: "\(short)--\(name) <\(value.placeholder)>"
      case .flag: "\(short)--\(name)"
      }
    }
  }

  /// The context of a line of `sphero run`, which has no options of the connection; nil for a command line.
  let context: LineContext?
  let name: String
  let abstract: String
  private(set) var entries: [Entry] = []
  /// The values of the given options, by name; a flag has none. nil while the options are listed.
  private var given: [String: [String]]?
  /// The positional arguments that no declaration has taken yet.
  private var positionals: ArraySlice<String> = []

  /// Lists the arguments and options of a subcommand, or those of its lines in `sphero run`.
  init(_ type: (some Subcommand).Type, _ context: LineContext? = nil) {
    (self.context, name, abstract) = (context, type.name, type.abstract)
    var subcommand = type.init()
    // No method throws without words.
    try? subcommand.options(&self)
  }

  /// The options before a command, except `--port`, which is also an option of commands.
  static let programOptions = [
    Entry(
      kind: .flag, name: "help", short: "h", help: "Explains a command: -h in short, --help with examples."),
    Entry(kind: .flag, name: "version", short: "V", help: "Prints the version, and how it was built."),
  ]

  /// Makes a subcommand from the words after its verb; in a line of `sphero run` with its context.
  static func bind<S: Subcommand>(
    _ type: S.Type, _ words: some Sequence<String>, _ context: LineContext? = nil
  ) throws(UsageError) -> S {
    var synopsis = Synopsis(type, context)
    let commandLine = context == nil ? synopsis : Synopsis(type)
    for word in words.prefix(while: { $0 != "--" }) where isOption(word) {
      let name = word.hasPrefix("--") ? word.prefix { $0 != "=" } : word.prefix(2)
      if synopsis.entry(for: name) == nil, commandLine.entry(for: name) != nil {
        let reason =
          name == "--format" || name == "-f"
          ? "a run answers in JSON" : "it is for the whole run, not for a line of it"
        throw UsageError("'\(name)': \(reason)", advice: "Leave it out of the line.")
      }
    }
    var subcommand = S()
    try synopsis.parse(words)
    try subcommand.options(&synopsis)
    if let surplus = synopsis.positionals.first {
      throw UsageError("unexpected argument '\(surplus)'", advice: synopsis.usageAdvice)
    }
    try subcommand.validate()
    if context != nil, subcommand.needsPerson {
      throw UsageError(
        "this needs a person at a terminal, and cannot be a line of a run", advice: "Run it by itself.")
    }
    return subcommand
  }

  var arguments: [Entry] { entries.filter { $0.kind == .argument || $0.kind == .rest } }
  var options: [Entry] { entries.filter { $0.kind == .option || $0.kind == .flag } }

  func entry(for word: some StringProtocol) -> Entry? {
    options.first { $0.spellings.contains { $0 == word } }
  }

  /// The usage line without options: `sphero VERB <argument>... [options]`.
  var usage: String {
    (["sphero \(name)"] + arguments.map(\.label) + (options.isEmpty ? [] : ["[options]"]))
      .joined(separator: " ")
  }

  func fullHelp(of entry: Entry) -> String {
    let conflicts = entry.conflictingOptions.map { "--\($0)" }.joined(separator: ", ")
    let notes = [
      entry.value.allowed, entry.defaultText.map { "default: \($0)" },
      conflicts.isEmpty ? nil : "not with \(conflicts)",
    ].compactMap { $0 }
    return entry.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  /// The usage line as advice; nil for a line of a run, which has no help.
  private var usageAdvice: String? {
    context == nil ? "The form is '\(usage)'. See 'sphero \(name) --help'." : nil
  }

  private mutating func parse(_ words: some Sequence<String>) throws(UsageError) {
    given = [:]
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positionals += rest
        return
      }
      if !Self.isOption(word) {
        positionals.append(word)
      } else if word.hasPrefix("--") {
        // `--name`, `--name value`, `--name=value`.
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        guard let entry = entry(for: parts[0]) else { throw unknown(parts[0]) }
        try take(entry, parts[0], parts.count == 2 ? parts[1] : nil, &rest)
      } else {
        try parseShort(word, &rest)
      }
    }
  }

  /// Whether a word names options; a negative number does not.
  static func isOption(_ word: String) -> Bool {
    guard word.first == "-", let second = word.dropFirst().first else { return false }
    return second != "." && !("0"..."9").contains(second)
  }

  /// `-n`, `-n value`, `-nvalue`, `-n=value`; flags may be joined: `-qv`, `-qn3`.
  private mutating func parseShort(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    // `-name` is `--name` with a missing hyphen, not joined flags.
    let name = String(word.prefix { $0 != "=" })
    let isLong = name.count > 3 || name.count == 3 && entry(for: name.prefix(2)) == nil
    if isLong, entry(for: "-" + name) != nil { throw unknown(name) }
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let entry = entry(for: "-\(letter)") else {
        throw unknown("-\(letter)", in: word.count > 2 ? word : nil)
      }
      let isJoined = entry.kind == .flag && letters.first != "="
      let attached =
        isJoined || letters.isEmpty ? nil : String(letters.first == "=" ? letters.dropFirst() : letters)
      try take(entry, "-\(letter)", attached, &rest)
      if !isJoined { return }
    }
  }

  /// Records an option with its value: the attached one, or the next word.
  private mutating func take(
    _ entry: Entry, _ spelling: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    if entry.kind == .flag {
      guard attached == nil else { throw UsageError("'\(spelling)' takes no value") }
      given?[entry.name] = []
      return
    }
    let form = "'--\(entry.name)' needs a value: <\(entry.value.placeholder)>"
    guard let value = attached ?? rest.first else { throw UsageError(form) }
    if attached == nil {
      if value == "--" || self.entry(for: value.prefix { $0 != "=" }) != nil {
        throw UsageError("\(form), but '\(value)' follows")
      }
      rest.removeFirst()
    }
    given?[entry.name, default: []].append(value)
  }

  /// The error for an option that does not exist; `letters` is the word of joined short options that contains it.
  private func unknown(_ name: String, in letters: String? = nil) -> UsageError {
    let message = "unknown option '\(name)'" + (letters.map { " in '\($0)'" } ?? "")
    let options = options
    let synonym = Suggestion.option(for: name)
    let isOutput = synonym == "output"
    if let synonym, options.contains(where: { $0.name == synonym.prefix { $0 != " " } }) {
      return UsageError(message + "; did you mean '--\(synonym)'?")
    }
    let argument = arguments.first {
      isOutput && $0.value.content == .newFile || "--\($0.name)" == name
    }
    if let argument {
      return UsageError(message + "; did you mean '<\(argument.name)>'?", advice: usageAdvice)
    }
    // The lines of a run share their output, and have no help.
    if isOutput, context == nil { return UsageError(message + "; did you mean '> FILE'?") }
    let names = options.map { "--\($0.name)" } + (context == nil ? ["--help"] : [])
    var near = Suggestion.nearest(to: name, among: names)
    if name.count == 2 {
      // A single letter is similar to every other one, so only its other case is suggested.
      near = options.compactMap { $0.short.map { "-\($0)" } }.first { $0.lowercased() == name.lowercased() }
    } else if !name.hasPrefix("--"), names.contains("-" + name) {
      near = "-" + name
    }
    return UsageError(message + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  /// Visits a positional argument, which may be omitted if its value is an `Optional`.
  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, as kind: ValueKind = Value.valueKind, _ help: String
  ) throws(UsageError) {
    guard given != nil else { return entries.append(Entry(.argument, name, nil, help, value, kind)) }
    guard let word = positionals.popFirst() else {
      // An argument without an initial value is optional.
      if value.argumentText == nil { return }
      throw UsageError("<\(name)> is missing: \(help)")
    }
    try set(word, "<\(name)>", &value, kind)
  }

  mutating func arguments(
    _ name: String, _ values: inout [String], as kind: ValueKind, _ help: String
  ) throws(UsageError) {
    guard given != nil else { return entries.append(Entry(.rest, name, nil, help, String?.none, kind)) }
    values = Array(positionals)
    positionals = []
  }

  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, as kind: ValueKind = Value.valueKind,
    _ help: String
  ) throws(UsageError) {
    // `--format` is the only option of this type, and lines of a run always print JSON.
    if context != nil, let json = Format.json as? Value {
      value = json
      return
    }
    guard let given else { return entries.append(Entry(.option, name, short, help, value, kind)) }
    guard let words = given[name], let last = words.last else { return }
    guard kind.isList || words.count == 1 else {
      let all = words.map { "'\($0)'" }.joined(separator: ", ")
      throw UsageError("'--\(name)' is given \(words.count) times: \(all)", advice: "Give it once.")
    }
    try set(kind.isList ? words.joined(separator: ",") : last, "--\(name)", &value, kind)
  }

  /// Visits an option that may be repeated, each time with a separate value.
  mutating func options(
    _ name: String, _ short: Character?, _ values: inout [String], as kind: ValueKind, _ help: String
  ) throws(UsageError) {
    guard let given else {
      var entry = Entry(.option, name, short, help, String?.none, kind)
      entry.isRepeatable = true
      return entries.append(entry)
    }
    guard let words = given[name] else { return }
    values = words
    for index in values.indices { try set(words[index], "--\(name)", &values[index], kind) }
  }

  mutating func flag(
    _ name: String, _ short: Character?, _ value: inout Bool, _ help: String
  ) throws(UsageError) {
    if let context, name == LineContext.hazardFlag {
      value = context.acceptsHazard
    } else if let given {
      if given[name] != nil { value = true }
    } else {
      entries.append(Entry(kind: .flag, name: name, short: short, help: help))
    }
  }

  /// Declares that two options exclude each other, with the reason.
  mutating func conflict(_ first: String, _ second: String, _ reason: String) throws(UsageError) {
    if let given {
      guard given[first] != nil, given[second] != nil else { return }
      throw UsageError(
        "'--\(first)' and '--\(second)' contradict each other: \(reason)", advice: "Leave one of them out.")
    }
    for index in entries.indices {
      if entries[index].name == first { entries[index].conflictingOptions.append(second) }
      if entries[index].name == second { entries[index].conflictingOptions.append(first) }
    }
  }

  /// Declares that an option has an effect only with another one; `reason` completes the error `'--name' is`.
  func requirement(_ other: String, of name: String, _ reason: String) throws(UsageError) {
    guard let given, given[name] != nil, given[other] == nil else { return }
    throw UsageError("'--\(name)' is \(reason)")
  }

  private func set<Value: Argument>(
    _ word: String, _ name: String, _ value: inout Value, _ kind: ValueKind
  ) throws(UsageError) {
    guard kind.accepts(word), let bound = Value(argument: word) else {
      throw Value.rejection(of: word, of: name) ?? Self.invalidValue(word, name, kind)
    }
    if word.isEmpty, kind.content != .any {
      throw UsageError("\(name) is empty; it needs a value: <\(kind.placeholder)>")
    }
    // `-` is allowed for an argument, because its file is the result itself.
    if kind.content == .newFile, word == "-", name.hasPrefix("--") {
      throw UsageError("'-' is not a value for \(name): stdout is for results", advice: "Name a file.")
    }
    if kind.content == .file, word == "-", context != nil {
      throw UsageError("'-' is not a value for \(name): stdin is the run's own", advice: "Name a file.")
    }
    value = bound
  }

  private static func invalidValue(_ word: String, _ name: String, _ kind: ValueKind) -> UsageError {
    // If the word is a valid number with its unit, suggest the number without it.
    let digits = word.prefix { "-0123456789.".contains($0) }
    let hasUnit = kind.unit?.isSpelled(word[digits.endIndex...]) ?? false
    let number = hasUnit && kind.accepts(String(digits)) ? String(digits) : nil
    let hint = Suggestion.text(for: number ?? word, among: number.map { [$0] } ?? kind.words)
    // A number with a fraction may be within the range, so the text names the requirement that it violates.
    let isFraction = kind.isWhole && Double(word) != nil && Int(word) == nil
    let allowed = kind.allowed.map { allowed in
      let unit = kind.unit.flatMap { allowed.contains($0.typed) ? nil : ", in \($0.typed)" } ?? ""
      return (hint.isEmpty ? "; it can be " : " It can be ") + (isFraction ? "a whole number, " : "")
        + allowed + unit
    }
    return UsageError("'\(word)' is not a value for \(name)" + hint + (allowed ?? ""))
  }
}

extension Synopsis.Entry {
  fileprivate init(
    _ kind: Synopsis.Kind, _ name: String, _ short: Character?, _ help: String, _ value: some Argument,
    _ valueKind: ValueKind
  ) {
    self.init(kind: kind, name: name, short: short, help: help, value: valueKind)
    (isOptional, isRepeatable) = (value.argumentText == nil, valueKind.isList)
    if kind == .option { defaultText = value.argumentText }
  }
}
