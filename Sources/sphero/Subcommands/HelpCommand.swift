// sphero help: help pages, the manual page, the completion scripts, and the completions that these request.

import SpheroProtocol

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
      "Print the words that complete a command line, for these scripts; the text is the line up to the cursor."
    )
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
    guard let name else { return Help.overview(.short, .ofOutput) }
    return try Self.page(name)
  }

  static func page(
    _ name: String, _ furtherArguments: ArraySlice<String> = [], _ detail: HelpDetail = .full
  ) throws(UsageError) -> String {
    if let word = furtherArguments.first { throw UsageError("unexpected argument '\(word)'") }
    if name == allCommands { return Help.overview(.full, .ofOutput) }
    if let topic = Topic.named(name) ?? Topic.named(name + "s") { return topic.page(.ofOutput) }
    if let type = Catalogue.command(named: name) { return Topic.command(type, .ofOutput) }
    let type = try Program.type(
      name,
      or: [allCommands] + Topic.all.map(\.name)
        + (name.contains(".") ? Catalogue.commands.map { $0.name } : []))
    return Help.page(type, detail, .ofOutput)
  }

  func run(_ terminal: Terminal) async throws {
    guard let words else { return try await terminal.print(Array(try text().utf8)) }
    let candidates = await Completion(words)?.candidates { await Devices.ports() }
    try await terminal.print(Array((candidates ?? []).map(\.line).joined().utf8))
  }
}

extension String {
  /// The text as one word of a shell, in single quotes unless it consists of letters, digits, `-`, `_`, `.` and `/`.
  var shellWord: String {
    let isPlain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
    if isPlain && !isEmpty { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
