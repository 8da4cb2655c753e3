// The words that complete a command line, which the completion scripts of the shells request.

import SpheroProtocol
import SpheroSimulator

/// A command line up to the cursor, and the words that complete it there.
struct Completion {
  /// A word that replaces the word at the cursor.
  struct Candidate: Equatable {
    /// The word. If it ends with ``Completion/file``, the rest is followed by the name of a file.
    var word: String
    var meaning: String?
    /// Whether nothing can be appended to the word, so that a space follows.
    var isComplete = true

    /// The line for the scripts: the word, a space if it is complete, and its meaning after a tab.
    var line: String { word + (isComplete ? " " : "") + (meaning.map { "\t\($0)" } ?? "") + "\n" }
  }

  static let file = "<file>"

  /// The word at the cursor, up to the cursor.
  private var typed = ""
  /// The arguments and options of the command; nil before its name.
  private var verb: Synopsis?
  private var arguments: [String] = []
  private var givenOptions: [Synopsis.Entry] = []
  /// The option whose value is at the cursor.
  private var option: Synopsis.Entry?

  /// Parses a line that begins with the name of the program, in which no word contains a space; nil if no command has the
  /// name in the line.
  init?(_ line: String) {
    var words = line.split(separator: " ").map(String.init).dropFirst()
    if line.last != " " { typed = words.popLast() ?? "" }
    for word in words {
      if option != nil {
        option = nil
      } else if Synopsis.isOption(word) {
        let (given, lead) = split(word)
        givenOptions += given
        if let last = given.last, last.kind == .option, lead == nil { option = last }
      } else if verb != nil {
        arguments.append(word)
      } else if let type = Program.subcommands.first(where: { $0.name == word }) {
        verb = Synopsis(type)
      } else {
        return nil
      }
    }
  }

  /// The options at the cursor; `--port` may also precede the command.
  private var options: [Synopsis.Entry] {
    guard let verb else {
      return Synopsis(Stream.self).options.filter { $0.name == "port" } + Synopsis.programOptions
    }
    return verb.options + [.init(kind: .flag, name: "help", short: "h", help: "Explains this command.")]
  }

  /// The options of a word, such as `--name=value`, `-nvalue` or `-qn`, and the part before an attached value.
  private func split(_ word: String) -> (options: [Synopsis.Entry], lead: String?) {
    let name = word.prefix { $0 != "=" }
    if let entry = options.first(where: { $0.spellings.contains { $0 == name } }) {
      return ([entry], word.firstIndex(of: "=").map { String(word[...$0]) })
    }
    guard word.hasPrefix("-"), !word.hasPrefix("--") else { return ([], nil) }
    var (found, lead): ([Synopsis.Entry], String) = ([], "-")
    for letter in word.dropFirst() {
      if found.last?.kind == .option { return (found, letter == "=" ? lead + "=" : lead) }
      guard let entry = options.first(where: { $0.short == letter }) else { return (found, nil) }
      found.append(entry)
      lead.append(letter)
    }
    return (found, nil)
  }

  /// The candidates, whether or not they begin with the typed text: each shell has its own rule for similar words.
  ///
  /// `ports` lists the ports where robots may be.
  func candidates(ports: () async -> [String]) async -> [Candidate] {
    if let option { return await values(of: option, ports) }
    let (given, lead) = split(typed)
    if let lead, let option = given.last, option.kind == .option {
      return await values(of: option, after: lead, ports)
    }
    if typed.hasPrefix("-") { return optionNames }
    guard let verb else {
      return Program.subcommands.map { Candidate(word: $0.name, meaning: $0.abstract) }
    }
    let index = min(arguments.count, verb.arguments.count - 1)
    guard index >= 0, index == arguments.count || verb.arguments[index].kind == .rest else { return [] }
    return await values(of: verb.arguments[index], ports)
  }

  /// The options that may still be given; the short names only after a single hyphen.
  private var optionNames: [Candidate] {
    let excluded = givenOptions.flatMap { ($0.isRepeatable ? [] : [$0.name]) + $0.conflictingOptions }
    return options.filter { !excluded.contains($0.name) }.flatMap { entry in
      entry.spellings.filter { $0.hasPrefix("--") || typed == "-" }
        .map { Candidate(word: $0, meaning: Help.brief(entry.help)) }
    }
  }

  /// The values of an option or argument, each after `lead`, which is a part of the typed word.
  private func values(
    of entry: Synopsis.Entry, after lead: String = "", _ ports: () async -> [String]
  ) async -> [Candidate] {
    switch entry.value.content {
    case .file, .newFile: return [Self.files(after: lead)]
    case .port: return await portValues(after: lead, ports)
    case .command: return arguments.isEmpty ? Self.commands : Self.fields(after: arguments)
    case .any, .name: break
    }
    guard entry.isRepeatable else { return entry.value.words.map { Candidate(word: lead + $0) } }
    let given = typed.dropFirst(lead.count).split(separator: ",", omittingEmptySubsequences: false).dropLast()
    let list = lead + given.map { "\($0)," }.joined()
    return entry.value.words.filter { word in !given.contains { $0 == word } }
      .map { Candidate(word: list + $0, isComplete: false) }
  }

  private func portValues(after lead: String, _ ports: () async -> [String]) async -> [Candidate] {
    let port = typed.dropFirst(lead.count)
    if port.hasPrefix("sim:") { return Self.simulatedPorts(String(port), after: lead) }
    if port.hasPrefix("replay:") { return [Self.files(after: lead + "replay:")] }
    if port.hasPrefix("/") || port.hasPrefix(".") { return [Self.files(after: lead)] }
    return ["sim:", "replay:", "tcp:"].map { Candidate(word: lead + $0, isComplete: false) }
      + (await ports()).map { Candidate(word: lead + $0) }
  }

  private static func files(after lead: String) -> Candidate {
    Candidate(word: lead + file, isComplete: false)
  }

  private static var commands: [Candidate] { Catalogue.commands.map { Candidate(word: $0.name) } }

  /// The fields of the command with the first name, except those that are given after it.
  private static func fields(after words: [String]) -> [Candidate] {
    guard let name = words.first, let type = Catalogue.command(named: name) else { return [] }
    let given = words.map { $0.prefix { $0 != "=" } }
    return type.table.filter { row in !given.contains { $0 == row.name } }
      .flatMap { assignments(of: $0.choices, to: $0.name) }
  }

  /// The port followed by each option of simulated robots that it does not have yet.
  private static func simulatedPorts(_ port: String, after lead: String) -> [Candidate] {
    let options = port.dropFirst("sim:".count).split(separator: ",", omittingEmptySubsequences: false)
    let prefix = lead + "sim:" + options.dropLast().map { "\($0)," }.joined()
    let given = options.dropLast().map { $0.prefix { $0 != "=" } }
    return SimulatorOptions.help.flatMap { option -> [Candidate] in
      let parts = option.form.split(separator: "=", maxSplits: 1)
      guard let name = parts.first, !given.contains(name) else { return [] }
      // A form with other characters describes values instead of listing them.
      let form = parts.count > 1 ? parts[1] : ""
      let isList =
        form.contains("|") && form.allSatisfy { $0.isLowercase || $0.isNumber || "|-.".contains($0) }
      return assignments(of: isList ? form.split(separator: "|").map(String.init) : [], to: prefix + name)
    }
  }

  private static func assignments(of values: [String], to name: String) -> [Candidate] {
    (values.isEmpty ? [""] : values).map { Candidate(word: "\(name)=\($0)", isComplete: false) }
  }
}

/// A shell with a completion script. Each script calls `sphero help --words` with the line up to the cursor, in which it
/// replaces the spaces inside a word.
enum Shell: String, Choice {
  case bash
  case zsh
  case fish

  static var placeholder: String { "shell" }

  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  /// Completion for bash 3.2 and later, without the package bash-completion.
  ///
  /// `cut` is the part of the word that bash does not replace, because COMP_WORDBREAKS splits the word at `:` and `=`.
  private static let bashScript = #"""
    # Completes the words of sphero in bash; made by 'sphero help --completions bash'.

    _sphero() {
      local program="$1" line="${COMP_LINE:0:COMP_POINT}" typed cut='' breaks word lead name
      [[ $program == "~/"* ]] && program="$HOME/${program:2}"
      # An escaped space is part of a word.
      line="${line//\\ /$'\x01'}"
      typed="${line##*[[:space:]]}"
      typed="${typed//$'\x01'/ }"
      breaks="${COMP_WORDBREAKS//[!=:]/}"
      [[ -n $breaks ]] && cut="${typed%"${typed##*[$breaks]}"}"
      COMPREPLY=()
      while IFS=$'\t' read -r word _; do
        if [[ $word == *'<file>' ]]; then
          compopt -o filenames +o nospace 2> /dev/null
          lead="${word%'<file>'}"
          while IFS= read -r name; do
            name="$lead$name"
            COMPREPLY+=("${name#"$cut"}")
          done < <(compgen -f -- "${typed#"$lead"}")
        elif [[ $word == "$typed"* ]]; then
          COMPREPLY+=("${word#"$cut"}")
        fi
      done < <("$program" help --words "${line//$'\x01'/_}" 2> /dev/null)
    }

    complete -o nospace -F _sphero sphero

    """#

  /// Completion for zsh 5, as a file in a folder of `fpath` or sourced; a sourced script calls `compinit` if necessary.
  private static let zshScript = #"""
    #compdef sphero
    # Completes the words of sphero in zsh; made by 'sphero help --completions zsh'.

    _sphero() {
      local -a found
      local line word
      for line in ${(f)"$(${~words[1]} help --words "${(j: :)${(@)words[1,CURRENT-1]// /_}} ${PREFIX// /_}" 2> /dev/null)"}; do
        word=${line%%$'\t'*}
        if [[ $word == *'<file>' ]]; then
          compset -P "${word%<file>}"
          _files
          return
        fi
        # A colon separates the word from its meaning.
        found+=("${word//:/\\:}${${line#$word}/$'\t'/:}")
      done
      _describe sphero found -Q -S ''
    }

    if [[ $funcstack[1] == _sphero ]]; then
      _sphero "$@"
    else
      (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
      compdef _sphero sphero
    fi

    """#

  private static let fishScript = #"""
    # Completes the words of sphero in fish; made by 'sphero help --completions fish'.

    # The lines of the program; a space inside a word must not split it.
    function __sphero_lines
        set -l words (commandline -opc)
        set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
        $program help --words (string join ' ' -- (string replace -a ' ' _ -- $words (commandline -ct))) 2>/dev/null
    end

    function __sphero_wants_file
        contains '<file>' (__sphero_lines)
    end

    function __sphero_candidates
        set -l typed (commandline -ct)
        for line in (__sphero_lines)
            if string match -q '*<file>' -- $line
                set -l lead (string replace '<file>' '' -- $line)
                # fish itself completes a file without a lead.
                test -z "$lead"; and continue
                __fish_complete_path (string replace -- "$lead" '' $typed | string unescape) | string replace -r '^' -- "$lead"
            else
                string replace -r ' ?(\t|$)' '\t' -- $line
            end
        end
    end

    complete -c sphero -f -a '(__sphero_candidates)'
    complete -c sphero -n __sphero_wants_file -F

    """#
}
