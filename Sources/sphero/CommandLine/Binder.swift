// Assigns the words of the command line to the options of a subcommand.

/// Binds words to options and arguments.
struct Binder: OptionVisitor {
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []
  private var places: ArraySlice<String> = []

  /// Makes a subcommand from the words behind its verb.
  static func bind<S: Subcommand>(_ type: S.Type, _ words: some Sequence<String>) throws(UsageError) -> S {
    var subcommand = S()
    var binder = Binder()
    try binder.sort(words, by: Synopsis(type))
    try subcommand.options(&binder)
    if let surplus = binder.places.first { throw UsageError("unexpected argument '\(surplus)'") }
    try subcommand.validate()
    return subcommand
  }

  private mutating func sort(_ words: some Sequence<String>, by synopsis: Synopsis) throws(UsageError) {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        places += rest
        return
      }
      // A negative number is a value; no option begins with a digit.
      guard word.hasPrefix("-"), word.count > 1, Double(word) == nil else {
        places.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first, let entry = synopsis.entry(for: name) else {
        throw UsageError("unknown option '\(parts.first ?? "")'" + Self.suggestion(for: word, in: synopsis))
      }
      if entry.kind == .flag {
        guard parts.count == 1 else { throw UsageError("'--\(entry.name)' takes no value") }
        flags.insert(entry.name)
        continue
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("'--\(entry.name)' needs a value: <\(entry.placeholder)>")
      }
      values[entry.name, default: []].append(value)
    }
  }

  mutating func argument<Value: Argument>(
    _ name: String, _ value: inout Value, _ help: String
  ) throws(UsageError) {
    guard let word = places.popFirst() else {
      if value.argumentText == nil { return }
      throw UsageError("<\(name)> is missing: \(help)")
    }
    try set(word, "<\(name)>", &value)
  }

  mutating func arguments(_ name: String, _ values: inout [String], _ help: String) {
    values = Array(places)
    places = []
  }

  mutating func option<Value: Argument>(
    _ name: String, _ short: Character?, _ value: inout Value, form: String?, _ help: String
  ) throws(UsageError) {
    guard let words = values[name], let last = words.last else { return }
    try set(Value.isList ? words.joined(separator: ",") : last, "--\(name)", &value)
  }

  mutating func flag(_ name: String, _ short: Character?, _ value: inout Bool, _ help: String) {
    if flags.contains(name) { value = true }
  }

  private func set<Value: Argument>(_ word: String, _ name: String, _ value: inout Value) throws(UsageError) {
    guard let bound = Value(argument: word) else {
      let hint = Suggestion.text(for: word, among: Value.words)
      let allowed = Value.allowed.map { hint.isEmpty ? "; it can be \($0)" : " It can be \($0)" }
      throw UsageError("'\(word)' is no value for \(name)" + hint + (allowed ?? ""))
    }
    value = bound
  }

  private static func suggestion(for word: String, in synopsis: Synopsis) -> String {
    let names = synopsis.entries.filter { $0.kind == .option || $0.kind == .flag }.map { "--\($0.name)" }
    return Suggestion.text(for: word, among: names)
  }
}

/// What somebody may have meant.
enum Suggestion {
  /// `; did you mean '…'?`, or nothing where no name is near.
  static func text(for word: String, among names: [String]) -> String {
    let nearest = names.map { (name: $0, distance: distance($0, word)) }.min { $0.distance < $1.distance }
    guard let nearest, nearest.distance < 3 else { return "" }
    return "; did you mean '\(nearest.name)'?"
  }

  /// The edits between two words (Levenshtein 1966).
  static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.prefix(64)), Array(second.prefix(64)))
    var row = Array(0...second.count)
    for (index, character) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in second.enumerated() {
        let substitution = diagonal + (character == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(row[column] + 1, row[column + 1] + 1, substitution)
      }
    }
    return row[second.count]
  }
}
