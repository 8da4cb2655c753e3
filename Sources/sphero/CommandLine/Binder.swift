// Assigns the words of a command line to the options and arguments of a subcommand.

import SpheroProtocol

struct Binder: OptionVisitor {
  private let synopsis: Synopsis
  /// The context of a line of `sphero run`; nil for a command line.
  private let context: LineContext?
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []
  private var positionals: ArraySlice<String> = []

  private init(_ synopsis: Synopsis, _ context: LineContext? = nil) {
    (self.synopsis, self.context) = (synopsis, context)
  }

  /// Makes a subcommand from the words after its verb.
  static func bind<S: Subcommand>(_ type: S.Type, _ words: some Sequence<String>) throws(UsageError) -> S {
    var binder = Binder(Synopsis(type))
    return try binder.bind(words)
  }

  /// Makes a subcommand from the words after its verb in a line of `sphero run`.
  static func bindLine<S: Subcommand>(
    _ type: S.Type, _ words: some Sequence<String>, _ context: LineContext
  ) throws(UsageError) -> S {
    let (synopsis, whole) = (Synopsis(type, isLine: true), Synopsis(type))
    for word in words.prefix(while: { $0 != "--" }) where isOption(word) {
      let name = word.prefix { $0 != "=" }
      if synopsis.entry(for: name) == nil, whole.entry(for: name) != nil {
        let reason =
          name == "--format" || name == "-f"
          ? "a run answers in JSON" : "it is for the whole run, not for a line of it"
        throw UsageError("'\(name)': \(reason)", advice: "Leave it out of the line.")
      }
    }
    var binder = Binder(synopsis, context)
    let subcommand: S = try binder.bind(words)
    if subcommand.needsPerson {
      throw UsageError(
        "this needs a person at a terminal, and cannot be a line of a run", advice: "Run it by itself.")
    }
    return subcommand
  }

  private mutating func bind<S: Subcommand>(_ words: some Sequence<String>) throws(UsageError) -> S {
    var subcommand = S()
    try sort(words)
    try subcommand.options(&self)
    if let surplus = positionals.first { throw UsageError("unexpected argument '\(surplus)'") }
    try subcommand.validate()
    return subcommand
  }

  // MARK: - From words to names

  private mutating func sort(_ words: some Sequence<String>) throws(UsageError) {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positionals += rest
        return
      }
      if !Self.isOption(word) {
        positionals.append(word)
      } else if word.hasPrefix("--") {
        try parseLong(word, &rest)
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

  /// `--name`, `--name value`, `--name=value`.
  private mutating func parseLong(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let entry = synopsis.entry(for: name) else { throw unknown(name) }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if entry.kind == .flag {
      guard attached == nil else { throw UsageError("'\(name)' takes no value") }
      flags.insert(entry.name)
    } else {
      try addValue(attached, of: entry, &rest)
    }
  }

  /// `-n`, `-n value`, `-nvalue`, `-n=value`; flags may be joined: `-qv`, `-qn3`.
  private mutating func parseShort(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    // `-name` is `--name` with a missing hyphen, not joined flags.
    let name = String(word.prefix { $0 != "=" })
    if name.count > 3, synopsis.entry(for: "-" + name) != nil { throw unknown(name) }
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let entry = synopsis.entry(for: "-\(letter)") else {
        throw unknown("-\(letter)", in: word.count > 2 ? word : nil)
      }
      if entry.kind == .flag {
        if letters.first == "=" { throw UsageError("'-\(letter)' takes no value") }
        flags.insert(entry.name)
      } else {
        let attached = letters.isEmpty ? nil : String(letters.drop { $0 == "=" })
        return try addValue(attached, of: entry, &rest)
      }
    }
  }

  /// Records the value of an option: the attached one, or the next word.
  private mutating func addValue(
    _ attached: String?, of entry: Synopsis.Entry, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var value = attached
    if value == nil, let next = rest.first {
      if next == "--" || synopsis.entry(for: next.prefix { $0 != "=" }) != nil {
        throw UsageError("'--\(entry.name)' needs a value: <\(entry.placeholder)>, but '\(next)' follows")
      }
      value = rest.popFirst()
    }
    guard let value else { throw UsageError("'--\(entry.name)' needs a value: <\(entry.placeholder)>") }
    values[entry.name, default: []].append(value)
  }

  private func unknown(_ name: String, in word: String? = nil) -> UsageError {
    let options = synopsis.options
    let names = options.map { "--\($0.name)" } + ["--help"]
    var near = Suggestion.nearest(to: name, among: names)
    if name.count == 2 {
      // For a single letter, only the other case is a plausible slip.
      near = options.compactMap { $0.short.map { "-\($0)" } }.first { $0.lowercased() == name.lowercased() }
    } else if !name.hasPrefix("--"), names.contains("-" + name) {
      near = "-" + name
    }
    let place = word.map { " in '\($0)'" } ?? ""
    return UsageError("unknown option '\(name)'\(place)" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  // MARK: - From names to values

  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, as kind: ValueKind, _ help: String
  ) throws(UsageError) {
    guard let word = positionals.popFirst() else {
      if value.argumentText == nil { return }
      throw UsageError("<\(name)> is missing: \(help)")
    }
    try set(word, "<\(name)>", &value, kind)
  }

  mutating func arguments(_ name: String, _ values: inout [String], as kind: ValueKind, _ help: String) {
    values = Array(positionals)
    positionals = []
  }

  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, as kind: ValueKind, _ help: String
  ) throws(UsageError) {
    // Lines of a run always print JSON.
    if context != nil, let json = Format.json as? Value {
      value = json
      return
    }
    guard let words = values[name], let last = words.last else { return }
    guard Value.isList || words.count == 1 else {
      let all = words.map { "'\($0)'" }.joined(separator: ", ")
      throw UsageError("'--\(name)' is given \(words.count) times: \(all)", advice: "Give it once.")
    }
    try set(Value.isList ? words.joined(separator: ",") : last, "--\(name)", &value, kind)
  }

  mutating func connection(_ connection: inout Connection) throws(UsageError) {
    if let context { connection = context.connection } else { try connection.visit(&self) }
  }

  mutating func options(
    _ name: String, _ short: Character?, _ values: inout [String], as kind: ValueKind, _ help: String
  ) throws(UsageError) {
    guard let words = self.values[name] else { return }
    values = []
    for word in words {
      var value = ""
      try set(word, "--\(name)", &value, kind)
      values.append(value)
    }
  }

  mutating func flag(_ name: String, _ short: Character?, _ value: inout Bool, _ help: String) {
    if let context, name == LineContext.hazardFlag {
      value = context.acceptsHazard
      return
    }
    if flags.contains(name) { value = true }
  }

  func conflict(_ first: String, _ second: String, _ reason: String) throws(UsageError) {
    guard isGiven(first), isGiven(second) else { return }
    throw UsageError(
      "'--\(first)' and '--\(second)' contradict each other: \(reason)", advice: "Leave one of them out.")
  }

  private func isGiven(_ name: String) -> Bool { flags.contains(name) || values[name] != nil }

  private func set<Value: Argument>(
    _ word: String, _ name: String, _ value: inout Value, _ kind: ValueKind
  ) throws(UsageError) {
    guard kind.accepts(word), let bound = Value(argument: word) else {
      if let fault = Value.fault(in: word, of: name) { throw fault }
      let hint = Suggestion.text(for: word, among: Value.words)
      let allowed = (kind.allowed ?? Value.allowed).map {
        hint.isEmpty ? "; it can be \($0)" : " It can be \($0)"
      }
      throw UsageError("'\(word)' is not a value for \(name)" + hint + (allowed ?? ""))
    }
    if let placeholder = kind.placeholder, word.isEmpty {
      throw UsageError("\(name) is empty; it needs a value: <\(placeholder)>")
    }
    if case .newFile = kind, word == "-" {
      throw UsageError("'-' is not a value for \(name): stdout is for results", advice: "Name a file.")
    }
    if case .file = kind, word == "-", context != nil {
      throw UsageError("'-' is not a value for \(name): stdin is the run's own", advice: "Name a file.")
    }
    value = bound
  }
}
