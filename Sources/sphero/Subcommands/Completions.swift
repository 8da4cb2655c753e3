// sphero completions and sphero manual, and the verbs and options that all completion scripts contain.

struct Completions: Subcommand {
  static let name = "completions"
  static let abstract = "Prints the script that completes the words of sphero in a shell."
  static let group = VerbGroup.shell
  static let examples = [
    "sphero completions bash > ~/.local/share/bash-completion/completions/sphero",
    "sphero completions zsh > ~/.zfunc/_sphero",
    "sphero completions fish > ~/.config/fish/completions/sphero.fish",
  ]

  var shell: Shell?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument("shell", &shell, "The shell; zsh looks in the folders of its fpath.")
  }

  func validate() throws(UsageError) {
    guard shell != nil else {
      throw UsageError("<shell> is missing: it can be \(Shell.words.joined(separator: ", "))")
    }
  }

  func run(_ terminal: Terminal) async throws {
    if let shell { try await terminal.print(Array(shell.script.utf8)) }
  }
}

struct Manual: Subcommand {
  static let name = "manual"
  static let abstract = "Prints the manual page in the format of man(7)."
  static let group = VerbGroup.shell
  static let otherNames = ["man"]
  static let examples = ["sphero manual > ~/.local/share/man/man1/sphero.1"]

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {}

  func run(_ terminal: Terminal) async throws { try await terminal.print(Array(ManualPage.text.utf8)) }
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

/// A verb in a completion script.
struct CompletedVerb {
  var name: String
  var abstract: String
  var arguments: [Synopsis.Entry]
  var options: [Synopsis.Entry] = []

  /// All verbs, and `help`.
  static var all: [CompletedVerb] {
    let help = Synopsis.Entry(kind: .flag, name: "help", short: "h", help: "Explains this command.")
    let page = Synopsis.Entry(
      kind: .argument, name: "command", help: "A command or a topic.",
      completion: .words(isList: false, Program.subcommands.map { $0.name } + Topic.all.map(\.name)))
    return Program.subcommands.map { type in
      let synopsis = Synopsis(type)
      return CompletedVerb(
        name: type.name, abstract: type.abstract, arguments: synopsis.arguments,
        options: synopsis.options + [help])
    } + [CompletedVerb(name: "help", abstract: "Explains a command or a topic.", arguments: [page])]
  }
}

enum ProgramOption {
  static let all: [(short: Character, name: String, help: String)] = [
    ("h", "help", "Explains a command: -h in short, --help with examples."),
    ("V", "version", "Prints the version, and how it was built."),
  ]
}

extension String {
  /// The text in single quotes for bash and zsh.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
