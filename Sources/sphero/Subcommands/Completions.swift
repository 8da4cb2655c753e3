// sphero completions and sphero manual, and the words that all completion scripts offer.

import SpheroProtocol
import SpheroSimulator

struct Completions: Subcommand {
  static let name = "completions"
  static let abstract = "Prints the script that completes the words of sphero in a shell."
  static let group = VerbGroup.shell
  static let examples = [
    "echo 'eval \"$(sphero completions bash)\"' >> ~/.bashrc",
    "echo 'source <(sphero completions zsh)' >> ~/.zshrc",
    "mkdir -p ~/.config/fish/completions; sphero completions fish > ~/.config/fish/completions/sphero.fish",
    "sphero completions --words Motion.Roll", "sphero completions --words sim:seed=1,mod",
  ]

  var shell: Shell?
  var words: String?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument("shell", &shell, "The shell that reads the script when it starts.")
    try line.option(
      "words", nil, &words,
      "Print the words that continue a text instead, for the scripts: the fields of a command after its name, "
        + "or the options of a port that begins with 'sim:'.")
  }

  func validate() throws(UsageError) {
    if shell != nil, words != nil {
      throw UsageError("<shell> and '--words' print different things", advice: "Leave one of them out.")
    }
    guard shell != nil || words != nil else {
      throw UsageError("<shell> is missing: it can be \(Shell.words.joined(separator: ", "))")
    }
  }

  func run(_ terminal: Terminal) async throws {
    if let shell { try await terminal.print(Array(shell.script.utf8)) }
    if let words { for word in CompletedWords.after(words) { try await terminal.print(word) } }
  }
}

/// The words that depend on earlier ones, which the scripts request while the user types.
enum CompletedWords {
  /// The words that continue the options of a `sim:` port, or follow the name and the fields of a command.
  static func after(_ text: String) -> [String] {
    text.hasPrefix("sim:") ? ports(text) : fields(text.split(separator: " ").map(String.init))
  }

  /// The fields of the first command among the words, except those that follow it.
  private static func fields(_ words: [String]) -> [String] {
    for (index, word) in words.enumerated() {
      guard let type = Catalogue.commands.first(where: { $0.name.lowercased() == word.lowercased() }) else {
        continue
      }
      let given = words[index...].map { $0.prefix { $0 != "=" } }
      return type.table.filter { row in !given.contains { $0 == row.name } }
        .flatMap { assignments($0.name, $0.choices) }
    }
    return []
  }

  /// The port with each option of simulated robots that it does not have yet.
  private static func ports(_ text: String) -> [String] {
    let options = text.dropFirst("sim:".count).split(separator: ",", omittingEmptySubsequences: false)
    let lead = "sim:" + options.dropLast().map { "\($0)," }.joined()
    let given = options.dropLast().map { $0.prefix { $0 != "=" } }
    return SimulatorOptions.help.flatMap { option -> [String] in
      let parts = option.form.split(separator: "=", maxSplits: 1)
      guard let name = parts.first, !given.contains(name) else { return [] }
      // A form with other characters describes values instead of listing them.
      let form = parts.count > 1 ? parts[1] : ""
      let isList =
        form.contains("|") && form.allSatisfy { $0.isLowercase || $0.isNumber || "|-.".contains($0) }
      return assignments(lead + name, isList ? form.split(separator: "|").map(String.init) : [])
    }
  }

  private static func assignments(_ name: String, _ values: [String]) -> [String] {
    values.isEmpty ? ["\(name)="] : values.map { "\(name)=\($0)" }
  }
}

struct Manual: Subcommand {
  static let name = "manual"
  static let abstract = "Prints the manual page in the format of man(7)."
  static let group = VerbGroup.shell
  static let otherNames = ["man"]
  static let examples = [
    "sphero manual | man -l -",
    "mkdir -p ~/.local/share/man/man1; sphero manual > ~/.local/share/man/man1/sphero.1",
  ]

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
  /// The text as one word of a shell: in single quotes only if it has characters with a meaning.
  var shellWord: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber || "-_./".contains(character))
      }
    return isPlain ? self : shellQuoted
  }

  /// The text in single quotes for bash and zsh.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
