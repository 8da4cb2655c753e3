// The completion script for zsh.

import SpheroProtocol

/// Completion for zsh 5, as a file in a folder of `fpath` or sourced; a sourced script calls `compinit` if necessary.
enum ZshScript {
  static var text: String {
    var cases = ""
    for verb in Synopsis.withHelp {
      let specifications =
        verb.options.flatMap { option($0, in: verb) }
        + verb.arguments.enumerated().map { argument($1, at: $0 + 1) }
      cases += "        \(verb.name))\n          _arguments -s -S : \\\n"
      cases += specifications.map { "            \($0)" }.joined(separator: " \\\n") + "\n          ;;\n"
    }
    let verbs = Synopsis.withHelp.map { "          \("\($0.name):\($0.abstract)".shellQuoted)\n" }.joined()
    let options = ProgramOption.all.map { option in
      "    '(- *)'{-\(option.short),--\(option.name)}\("[\(escaped(Help.brief(option.help)))]".shellQuoted) \\\n"
    }
    let stream = Synopsis(Stream.self)
    let port = stream.entry(for: "--port").map { option($0, in: stream) } ?? []
    let ports = port.map { "    \($0) \\\n" }
    return """
      #compdef sphero
      # Completes the words of sphero in zsh; made by 'sphero help --completions zsh'.

      # Words of a list with commas.
      _sphero_list() {
        compset -P '*,'
        compadd -q -S ',' -- "$@"
      }

      # Offers the words that the program names after a text.
      _sphero_ask() {
        compadd -S '' -- ${(f)"$($sphero_program help --words "$1" 2> /dev/null)"}
      }

      # Completes the name of a command, or a field after it.
      _sphero_command() {
        if (( CURRENT > 1 )); then
          _sphero_ask "${words[1,CURRENT - 1]}"
        else
          compadd -- \(Catalogue.commands.map { $0.name }.joined(separator: " "))
        fi
      }

      _sphero_ports() {
        if [[ $PREFIX == sim:* ]]; then
          _sphero_ask "$PREFIX"
          return
        fi
        if compset -P 'replay:' || [[ $PREFIX == [./]* ]]; then
          _files
          return
        fi
        compadd -S '' -- sim: replay: tcp:
        compadd -- ${(f)"$($sphero_program devices --format csv 2> /dev/null | sed -n '2,$s/,.*//p')"}
      }

      _sphero() {
        local context state state_descr line sphero_program=$words[1]
        typeset -A opt_args
        _arguments -C \\
      \((options + ports).joined())    '(-)1: :->verb' '(-)*:: :->words' && return
        case $state in
          verb)
            local -a verbs=(
      \(verbs)      )
            _describe -t commands command verbs
            ;;
          words)
            case $words[1] in
      \(cases)      esac
            ;;
        esac
      }

      if [[ $funcstack[1] == _sphero ]]; then
        _sphero "$@"
      else
        (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
        compdef _sphero sphero
      fi

      """
  }

  private static func option(_ entry: Synopsis.Entry, in verb: Synopsis) -> [String] {
    let conflictingOptions = verb.options.filter { entry.conflictingOptions.contains($0.name) }
    let excluded = (entry.isRepeatable ? [] : entry.spellings) + conflictingOptions.flatMap(\.spellings)
    let front =
      (excluded.isEmpty ? "" : "(\(excluded.joined(separator: " ")))") + (entry.isRepeatable ? "*" : "")
    var rest = "[\(escaped(Help.brief(entry.help)))]"
    if entry.kind == .option { rest += ":\(escaped(entry.value.placeholder)):\(action(entry))" }
    return entry.spellings.map { spelling in
      // The value is the next word, or follows a short option directly and a long option after `=`.
      let name = entry.kind == .flag ? spelling : spelling + (spelling.hasPrefix("--") ? "=" : "+")
      return "\(front)\(name)\(rest)".shellQuoted
    }
  }

  private static func argument(_ entry: Synopsis.Entry, at number: Int) -> String {
    // With `*::` instead of `*:`, the array `words` of zsh begins with the first argument.
    if entry.value.content == .command {
      return "*::\(escaped(entry.name)):\(action(entry))".shellQuoted
    }
    let front = entry.kind == .rest ? "*" : entry.isOptional ? "\(number):" : "\(number)"
    return "\(front):\(escaped(entry.name)):\(action(entry))".shellQuoted
  }

  private static func action(_ entry: Synopsis.Entry) -> String {
    switch entry.value.content {
    case .file, .newFile: return "_files"
    // The leading space keeps zsh from adding arguments to the call.
    case .port: return " _sphero_ports"
    case .command: return " _sphero_command"
    case _ where entry.value.words.isEmpty: return " "
    default:
      let words = entry.value.words.map(escaped).joined(separator: " ")
      return entry.isRepeatable ? " _sphero_list \(words)" : "(\(words))"
    }
  }

  /// Escapes the characters that delimit the parts of a specification of `_arguments`.
  private static func escaped(_ text: String) -> String {
    text.map { ":[]\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
