// The completion script for bash.

import SpheroProtocol

/// Completion for bash 3.2 and later, without the package bash-completion.
///
/// The functions of the script use the local variables of `_sphero`:
/// * `cur` is the word at the cursor, up to the cursor.
/// * `lead` is the part of `cur` before the completed value, such as `--port=`.
/// * `cut` is the part of `cur` that bash does not replace, because COMP_WORDBREAKS splits the word at `:` and `=`.
/// * `options` are the options of the command, and `valued` are those that have a value.
/// * `last` is the option whose value is completed, and `place` is the number of arguments before the cursor.
enum BashScript {
  static var text: String {
    let verbs = Synopsis.withHelp
    let names = verbs.map(\.name) + ["--port"] + ProgramOption.all.map { "--\($0.name)" }
    let optionCases = verbs.map { verb in
      let options = verb.options.map { "--\($0.name)" }.joined(separator: " ")
      let valued = verb.options.filter { $0.kind == .option }.flatMap(\.spellings).joined(separator: " ")
      return "    \(verb.name)) options='\(options)' valued=' \(valued) ' ;;\n"
    }.joined()
    let valueCases = actions(of: verbs).map { action, patterns in
      "    \(patterns.joined(separator: " | "))) \(action) ;;\n"
    }.joined()
    return """
      # Completes the words of sphero in bash; made by 'sphero help --completions bash'.

      # Offers words after a lead that continue what stands at the cursor, without the part of it
      # that bash takes for words of their own: all up to a colon or an equals sign.
      _sphero_words() {
        local word
        for word in "$@"; do
          word="$lead$word"
          [[ $word == "$cur"* ]] && COMPREPLY+=("${word#"$cut"}")
        done
      }

      _sphero_nospace() { compopt -o nospace 2> /dev/null; }

      # Offers words of a list with commas that are not in it yet.
      _sphero_list() {
        local value="${cur#"$lead"}" word
        local list="${value%"${value##*,}"}"
        _sphero_nospace
        for word in "$@"; do
          [[ ",$list" == *",$word,"* ]] && continue
          word="$lead$list$word"
          [[ $word == "$cur"* ]] && COMPREPLY+=("${word#"$cut"}")
        done
      }

      _sphero_files() {
        local file
        compopt -o filenames 2> /dev/null
        while IFS= read -r file; do
          file="$lead$file"
          COMPREPLY+=("${file#"$cut"}")
        done < <(compgen -f -- "${cur#"$lead"}")
      }

      # Offers the words that the program names after a text.
      _sphero_ask() {
        local word
        _sphero_nospace
        while IFS= read -r word; do
          _sphero_words "$word"
        done < <("$program" help --words "$1" 2> /dev/null)
      }

      # Completes the name of a command, or a field after it.
      _sphero_command() {
        if ((place)); then
          _sphero_ask "${words[*]:2}"
        else
          _sphero_words \(Catalogue.commands.map { $0.name }.joined(separator: " "))
        fi
      }

      _sphero_ports() {
        local port
        case "${cur#"$lead"}" in
          sim:*) _sphero_ask "${cur#"$lead"}" && return ;;
          replay:*) lead="${lead}replay:" && _sphero_files && return ;;
          /* | .*) _sphero_files && return ;;
        esac
        _sphero_nospace
        _sphero_words sim: replay: tcp:
        while IFS= read -r port; do
          _sphero_words "$port"
        done < <("$program" devices --format csv 2> /dev/null | sed -n '2,$s/,.*//p')
      }

      # Completes a value: of a verb and its option, or of a verb and its place.
      _sphero_value() {
        case "$1" in
      \(valueCases)  esac
      }

      _sphero() {
        local line="${COMP_LINE:0:COMP_POINT}" program="$1"
        local cur="${line##*[[:space:]]}" lead='' cut='' breaks options='' valued='' last='' place=0 index words
        read -ra words <<< "$line"
        [[ -n $cur ]] && unset "words[${#words[@]}-1]"
        breaks="${COMP_WORDBREAKS//[!=:]/}"
        [[ -n $breaks ]] && cut="${cur%"${cur##*[$breaks]}"}"
        COMPREPLY=()
        # Ports may stand before the command.
        while :; do
          case "${words[1]}" in
            --port=*) index=2 ;;
            -p | --port) index=3 ;;
            *) break ;;
          esac
          if ((index > ${#words[@]})); then
            _sphero_ports
            return
          fi
          words=(sphero "${words[@]:index}")
        done
        if ((${#words[@]} <= 1)) && [[ $cur == --port=* ]]; then
          lead='--port='
          _sphero_ports
          return
        fi
        if ((${#words[@]} <= 1)); then
          _sphero_words \(names.joined(separator: " "))
          return
        fi
        case "${words[1]}" in
      \(optionCases)    *) return ;;
        esac
        for ((index = 2; index < ${#words[@]}; index++)); do
          last=''
          case "${words[index]}" in
            --*=*) ;;
            -?*) if [[ $valued == *" ${words[index]} "* ]]; then last="${words[index]}" && ((index++)); fi ;;
            *) ((place++)) ;;
          esac
        done
        if ((index > ${#words[@]})); then
          _sphero_value "${words[1]} $last"
        elif [[ $cur == --*=* ]]; then
          lead="${cur%%=*}="
          _sphero_value "${words[1]} ${cur%%=*}"
        elif [[ $cur == -* ]]; then
          _sphero_words $options
        else
          _sphero_value "${words[1]} $place"
        fi
      }

      complete -F _sphero sphero

      """
  }

  /// The commands that complete values, each with the patterns of its values: `'verb --option'` or `'verb INDEX'`.
  private static func actions(of verbs: [Synopsis]) -> [(action: String, patterns: [String])] {
    var found: [(action: String, patterns: [String])] = []
    func add(_ entry: Synopsis.Entry, _ patterns: [String]) {
      guard let action = action(entry) else { return }
      if let index = found.firstIndex(where: { $0.action == action }) {
        found[index].patterns += patterns
      } else {
        found.append((action, patterns))
      }
    }
    for verb in verbs {
      for (index, argument) in verb.arguments.enumerated() {
        if argument.value.content == .command {
          add(argument, ["\(verb.name) ".shellQuoted + "[0-9]*"])
        } else {
          add(argument, ["\(verb.name) \(index)".shellQuoted])
        }
      }
      for option in verb.options where option.kind == .option {
        add(option, option.spellings.map { "\(verb.name) \($0)".shellQuoted })
      }
    }
    return found
  }

  private static func action(_ entry: Synopsis.Entry) -> String? {
    switch entry.value.content {
    case .file, .newFile: "_sphero_files"
    case .port: "_sphero_ports"
    case .command: "_sphero_command"
    case _ where entry.value.words.isEmpty: nil
    default:
      "\(entry.isRepeatable ? "_sphero_list" : "_sphero_words") \(entry.value.words.joined(separator: " "))"
    }
  }
}
