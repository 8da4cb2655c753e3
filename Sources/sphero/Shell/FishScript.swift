// The completion script for fish.

import SpheroProtocol

enum FishScript {
  static var text: String {
    let beforeVerb = "complete -c sphero -n __sphero_no_verb"
    var lines = Synopsis.withHelp.map { "\(beforeVerb) -a \($0.name) -d \(quoted($0.abstract))" }
    lines += ProgramOption.all.map {
      "\(beforeVerb) -s \($0.short) -l \($0.name) -d \(quoted(Help.brief($0.help)))"
    }
    func line(_ option: Synopsis.Entry, after start: String) -> String {
      var line = start + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.name)"
      if option.kind == .option { line += " -r" + (candidates(option).map { " " + $0 } ?? " -f") }
      return line + " -d \(quoted(Help.brief(option.help)))"
    }
    // `--port` may also precede the verb; it is the same option for all verbs.
    if let port = Synopsis(Stream.self).entry(for: "--port") { lines.append(line(port, after: beforeVerb)) }
    for verb in Synopsis.withHelp {
      let start = "complete -c sphero -n '__sphero_verb \(verb.name)'"
      for (index, argument) in verb.arguments.enumerated() {
        guard let candidates = candidates(argument) else { continue }
        let condition =
          argument.kind == .rest ? start : "complete -c sphero -n '__sphero_place \(verb.name) \(index)'"
        lines.append("\(condition) \(candidates)")
      }
      lines += verb.options.map { line($0, after: start) }
    }
    return """
      # Completes the words of sphero in fish; made by 'sphero help --completions fish'.

      # The words before the cursor, without the ports before the command.
      function __sphero_words
          set -l words (commandline -opc)
          while set -q words[2]
              switch $words[2]
                  case -p --port
                      set -e words[2..3]
                  case '--port=*'
                      set -e words[2]
                  case '*'
                      break
              end
          end
          printf '%s\\n' $words
      end

      function __sphero_no_verb
          test (count (__sphero_words)) -eq 1
      end

      function __sphero_verb
          set -l words (__sphero_words)
          test (count $words) -ge 2; and test "$words[2]" = $argv[1]
      end

      # Whether so many words stand after the verb.
      function __sphero_place
          set -l words (__sphero_words)
          __sphero_verb $argv[1]; and test (count $words) -eq (math 2 + $argv[2])
      end

      # Words of a list with commas that are not in it yet.
      function __sphero_list
          set -l value (string replace -r '^--[a-z-]+=' '' -- (commandline -ct))
          set -l list (string match -r '^.*,' -- $value)
          for word in $argv
              contains -- $word (string split , -- "$list"); or echo "$list$word"
          end
      end

      # The name of a command, or a field after it.
      function __sphero_command
          set -l words (__sphero_words)
          if test (count $words) -eq 2
              printf '%s\\n' \(Catalogue.commands.map { $0.name }.joined(separator: " "))
          else
              $words[1] help --words "$words[3..-1]" 2>/dev/null
          end
      end

      function __sphero_ports
          set -l words (commandline -opc)
          printf '%s\\n' sim: replay: tcp:
          $words[1] devices --format csv 2>/dev/null | string replace -r ',.*' '' | tail -n +2
          set -l value (string replace -r '^--[a-z-]+=' '' -- (commandline -ct))
          switch $value
              case 'sim:*'
                  $words[1] help --words $value 2>/dev/null
              case 'replay:*'
                  for file in (string replace -r '^replay:' '' -- $value)*
                      echo replay:$file
                  end
              case '/*' '.*'
                  __fish_complete_path $value
          end
      end

      complete -c sphero -f
      \(lines.joined(separator: "\n"))

      """
  }

  /// The options of `complete` for the candidates of a value; nil if there are none.
  private static func candidates(_ entry: Synopsis.Entry) -> String? {
    switch entry.value.content {
    case .file, .newFile: return "-F"
    case .port: return "-f -a '(__sphero_ports)'"
    case .command: return "-f -a '(__sphero_command)'"
    case _ where entry.value.words.isEmpty: return nil
    default:
      let words = entry.value.words.joined(separator: " ")
      return "-f -a " + quoted(entry.isRepeatable ? "(__sphero_list \(words))" : words)
    }
  }

  /// A word in single quotes, in which fish accepts escapes.
  private static func quoted(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "'"
  }
}
