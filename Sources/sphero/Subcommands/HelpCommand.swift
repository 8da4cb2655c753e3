// sphero help: help pages, the manual page, the completion scripts, and the completions that these request.

import SpheroProtocol
import SpheroSimulator

struct HelpCommand: Subcommand {
  static let name = "help"
  static let abstract = "Explains a command or a topic."
  static let otherNames = ["man", "manual", "completions", "completion"]
  static let examples = [
    "sphero help all", "sphero help stream", "sphero help masks", "sphero help Motion.Roll",
    "sphero help --man | man -l -", "echo 'eval \"$(sphero help --completions bash)\"' >> ~/.bashrc",
    "echo 'source <(sphero help --completions zsh)' >> ~/.zshrc",
    "mkdir -p ~/.config/fish/completions; sphero help --completions fish > ~/.config/fish/completions/sphero.fish",
  ]
  static let allCommands = "all"

  var name: String?
  var isManual = false
  var shell: Shell?
  var words: String?

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    let pages = [Self.allCommands] + Program.subcommands.map { $0.name } + Topic.all.map(\.name)
    try line.argument(
      "page", &name, as: ValueKind(placeholder: "text", words: pages),
      "A command, a topic (\(Topic.all.map(\.name).joined(separator: ", "))), a command of the protocol like "
        + "Motion.Roll, or 'all' for all commands.")
    try line.flag("man", nil, &isManual, "Print the manual page in the format of man(7).")
    try line.option(
      "completions", nil, &shell, "Print the script that completes the words of sphero in this shell.")
    try line.option(
      "words", nil, &words,
      "Print the words that continue a text, for these scripts: the fields of a command after its name, "
        + "or the options of a port that begins with 'sim:'.")
    for (first, second) in [("man", "completions"), ("man", "words"), ("completions", "words")] {
      try line.conflict(first, second, "they print different things")
    }
  }

  func validate() throws(UsageError) {
    guard name != nil, isManual || shell != nil || words != nil else { return }
    throw UsageError("a page and an option print different things", advice: "Leave one of them out.")
  }

  func text() throws(UsageError) -> String {
    if isManual { return ManualPage.text }
    if let shell { return shell.script }
    if let words { return CompletedWords.after(words).map { $0 + "\n" }.joined() }
    guard let name else { return Help.overview(.short, .ofOutput) }
    return try Self.page(name)
  }

  static func page(
    _ name: String, _ furtherArguments: ArraySlice<String> = []
  ) throws(UsageError) -> String {
    if let word = furtherArguments.first { throw UsageError("unexpected argument '\(word)'") }
    if name == allCommands { return Help.overview(.full, .ofOutput) }
    if let topic = Topic.named(name) ?? Topic.named(name + "s") { return topic.page(.ofOutput) }
    if let type = Catalogue.command(named: name) { return Topic.command(type, .ofOutput) }
    let type = try Program.type(
      name,
      or: [allCommands] + Topic.all.map(\.name)
        + (name.contains(".") ? Catalogue.commands.map { $0.name } : []))
    return Help.page(type, .full, .ofOutput)
  }

  func run(_ terminal: Terminal) async throws { try await terminal.print(Array(try text().utf8)) }
}

/// The completions that depend on earlier words; the scripts request them while the user types.
enum CompletedWords {
  static func after(_ text: String) -> [String] {
    text.hasPrefix("sim:") ? ports(text) : fields(text.split(separator: " ").map(String.init))
  }

  /// The fields of the first command among the words, except those that are given after it.
  private static func fields(_ words: [String]) -> [String] {
    for (index, word) in words.enumerated() {
      guard let type = Catalogue.command(named: word) else { continue }
      let given = words[index...].map { $0.prefix { $0 != "=" } }
      return type.table.filter { row in !given.contains { $0 == row.name } }
        .flatMap { assignments($0.name, $0.choices) }
    }
    return []
  }

  /// The port followed by each option of simulated robots that it does not have yet.
  private static func ports(_ text: String) -> [String] {
    let options = text.dropFirst("sim:".count).split(separator: ",", omittingEmptySubsequences: false)
    let prefix = "sim:" + options.dropLast().map { "\($0)," }.joined()
    let given = options.dropLast().map { $0.prefix { $0 != "=" } }
    return SimulatorOptions.help.flatMap { option -> [String] in
      let parts = option.form.split(separator: "=", maxSplits: 1)
      guard let name = parts.first, !given.contains(name) else { return [] }
      // A form with other characters describes values instead of listing them.
      let form = parts.count > 1 ? parts[1] : ""
      let isList =
        form.contains("|") && form.allSatisfy { $0.isLowercase || $0.isNumber || "|-.".contains($0) }
      return assignments(prefix + name, isList ? form.split(separator: "|").map(String.init) : [])
    }
  }

  private static func assignments(_ name: String, _ values: [String]) -> [String] {
    values.isEmpty ? ["\(name)="] : values.map { "\(name)=\($0)" }
  }
}

enum Shell: String, Choice {
  case bash
  case zsh
  case fish

  static var placeholder: String { "shell" }

  var script: String {
    switch self {
    case .bash: BashScript.text
    case .zsh: ZshScript.text
    case .fish: FishScript.text
    }
  }
}

enum ProgramOption {
  static let all: [(short: Character, name: String, help: String)] = [
    ("h", "help", "Explains a command: -h in short, --help with examples."),
    ("V", "version", "Prints the version, and how it was built."),
  ]
}

extension String {
  /// The text as one word of a shell, in single quotes unless it consists of letters, digits, `-`, `_`, `.` and `/`.
  var shellWord: String {
    let isPlain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
    return isPlain && !isEmpty ? self : shellQuoted
  }

  /// The text in single quotes for bash and zsh.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
