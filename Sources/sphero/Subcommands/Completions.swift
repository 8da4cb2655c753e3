// sphero completions and sphero manual: the files to install beside the command.

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
