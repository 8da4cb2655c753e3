// The shells that are known, and what all of them are told.

/// A shell that completes words.
enum Shell: String, Argument, CaseIterable {
  case bash
  case zsh
  case fish

  init?(argument: String) { self.init(rawValue: argument) }
  var argumentText: String? { rawValue }
  static var placeholder: String { "shell" }
  static var allowed: String? { words.joined(separator: ", ") }
  static var words: [String] { allCases.map(\.rawValue) }

  /// The script that makes the shell complete sphero.
  var script: String {
    switch self {
    case .bash: BashScript.text
    case .zsh: ZshScript.text
    case .fish: FishScript.text
    }
  }
}

/// A verb as shells know it.
struct CompletedVerb {
  var name: String
  var abstract: String
  var places: [Synopsis.Entry]
  var options: [Synopsis.Entry]
  private var synopsis: Synopsis?

  /// All verbs, and help.
  static var all: [CompletedVerb] {
    let verbs = Program.subcommands.map { CompletedVerb($0) }
    let pages = Program.subcommands.map { $0.name } + Topic.all.map(\.name)
    let name = Synopsis.Entry(
      kind: .argument, name: "command", help: "A command or a topic.",
      completion: .words(isList: false) { pages })
    return verbs + [CompletedVerb(name: "help", abstract: "Explains a command or a topic.", place: name)]
  }

  private init(name: String, abstract: String, place: Synopsis.Entry) {
    (self.name, self.abstract, places, options) = (name, abstract, [place], [])
  }

  private init<S: Subcommand>(_ type: S.Type) {
    let synopsis = Synopsis(type)
    (name, abstract, self.synopsis) = (S.name, S.abstract, synopsis)
    places = synopsis.places
    options =
      synopsis.options + [
        Synopsis.Entry(kind: .flag, name: "help", short: "h", help: "Explains this command.")
      ]
  }

  /// The options that contradict an entry.
  func rivals(of entry: Synopsis.Entry) -> [Synopsis.Entry] {
    let names = synopsis?.rivals(of: entry) ?? []
    return options.filter { names.contains($0.name) }
  }
}

extension Synopsis.Entry {
  /// How the option is written: `-n` and `--name`.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}

/// The options of the whole program.
enum ProgramOption {
  static let all: [(short: Character, name: String, help: String)] = [
    ("h", "help", "Explains a command: -h in short, --help with examples."),
    ("V", "version", "Prints the version, and how it was built."),
  ]
}

extension String {
  /// The text in single quotation marks, as bash and zsh read it.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
