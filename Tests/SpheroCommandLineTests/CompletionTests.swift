// The completion scripts in real shells.

import Foundation
import TestSupport
import Testing

@testable import sphero

/// Whether a program is installed; prints a message if it is not.
private func isInstalled(_ program: String) -> Bool {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  let found = folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  if !found { print("skipped: \(program) is not installed") }
  return found
}

@Suite(.timeLimit(.minutes(5))) struct CompletionTests {
  /// The text after `sphero `, and the offered words: all of them, or some of a long list.
  struct Row: CustomStringConvertible, Sendable {
    var typed: String
    var offered: [String]
    var isWhole: Bool
    var testDescription: String { typed }
    var description: String { typed }
    init(_ typed: String, _ offered: [String], isWhole: Bool = true) {
      (self.typed, self.offered, self.isWhole) = (typed, offered, isWhole)
    }
  }

  static let rows = [
    Row("str", ["stream"]), Row("s", ["simulate", "sleep", "stop", "stream", "survey"]),
    Row("stream --div", ["--divisor"]), Row("roll 90 --ke", ["--keep"]),
    Row("stream --mask qu", ["quat"]),
    Row("stream -m gyro-r", ["gyro-raw", "gyro-raw-x", "gyro-raw-y", "gyro-raw-z"]),
    Row("stream --mask accel,qu", ["accel,quat"]), Row("stream --mask accel,imu,mot", ["accel,imu,motion"]),
    Row("stream --mask accel,accel-o", ["accel,accel-one"]),
    Row("stream --format ", ["csv", "json", "text"]), Row("stream -q --format j", ["json"]),
    Row("led tur", ["turquoise"]), Row("led o", ["off", "olive", "orange"]),
    Row("raw Motion.Ro", ["Motion.Roll"]),
    Row(
      "raw Motion.Roll ", ["heading=", "reverse=", "speed=", "state=drive", "state=fastRotate", "state=stop"]),
    Row("raw -q Motion.Roll speed=3 s", ["state=drive", "state=fastRotate", "state=stop"]),
    Row("raw Core.Ping ", []),
    Row("help co", ["collisions", "colours", "commands"]),
    Row("help --completions ", ["bash", "fish", "zsh"]), Row("survey --steps rate,lev", ["rate,level"]),
    Row("simulate --model ol", ["ollie"]), Row("decode --from h", ["host"]),
    Row("ping --port ", ["replay:", "sim:", "tcp:"], isWhole: false), Row("stream --divisor ", []),
    Row("decode /etc/hostn", ["/etc/hostname"]), Row("info --capture /etc/hostn", ["/etc/hostname"]),
    Row(#"info --capture /tmp/two\ words/x --time"#, ["--timeout"]),
    Row("stream -qm quat,acc", ["quat,accel"], isWhole: false), Row("stream -mqu", ["-mquat"]),
    Row("nonsense --port ", []),
    Row("--port sim: str", ["stream"]), Row("-p sim: stream --div", ["--divisor"]),
    Row("--port=sim: led tur", ["turquoise"]), Row("-p sim: --port=tcp:a:1 stream --format j", ["json"]),
    Row("--port sim: raw Motion.Ro", ["Motion.Roll"]),
    Row("-p sim: raw Motion.Roll speed=3 s", ["state=drive", "state=fastRotate", "state=stop"]),
    Row("-p sim: help co", ["collisions", "colours", "commands"]), Row("--po", ["--port"]),
    Row("--port ", ["replay:", "sim:", "tcp:"], isWhole: false),
  ]

  /// Words that begin with the port itself.
  static let portRows = [
    Row(
      "ping --port sim:mod",
      [
        "sim:model=bb8", "sim:model=ollie", "sim:model=sphero1", "sim:model=sphero2", "sim:model=sprk",
        "sim:model=sprkplus",
      ]),
    Row("ping -p sim:seed=7,floo", ["sim:seed=7,floor="]), Row("ping -p sim:seed=7,seed", []),
  ]

  /// Offered words are compared without the space that some shells append.
  private func check(_ row: Row, _ offered: [String]) {
    let offered = Set(offered.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty })
    if row.isWhole {
      #expect(offered == Set(row.offered), "\(row.typed): \(offered.sorted())")
    } else {
      #expect(offered.isSuperset(of: row.offered), "\(row.typed): \(offered.sorted())")
    }
  }

  private func run(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) throws
    -> String
  {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.start()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  /// A file with the script of a shell, made by the program.
  private func script(of shell: String) async throws -> String {
    let outcome = try await sphero("help", "--completions", shell)
    #expect(outcome.code == 0 && outcome.error.isEmpty)
    let path = freshPath()
    try outcome.output.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  // MARK: - bash

  /// Calls the function as bash does, with words split as bash splits them.
  private static let bashDriver = #"""
    source "$1"
    [[ $(complete -p sphero) == *"-F _sphero sphero" ]] || exit 1
    offer() {
      COMP_LINE="sphero $1" COMP_POINT=${#COMP_LINE}
      COMP_POINT=${#COMP_LINE}
      _sphero "$program" 2> /dev/null
      printf '%s\n' "${COMPREPLY[@]}"
    }
    program="$2"
    while IFS= read -r line; do
      offer "$line"
      printf '%s\n' ----
    done < "$3"
    """#

  @Test(.enabled(if: isInstalled("bash"))) func bash() async throws {
    let path = try await script(of: "bash")
    let input = freshPath()
    defer { for file in [path, input] { try? FileManager.default.removeItem(atPath: file) } }
    // Bash expects the part after the sign at which it splits.
    let cut = [
      Row("stream --mask=accel,qu", ["accel,quat"]), Row("stream --format=", ["csv", "json", "text"]),
      Row("ping --port=si", ["sim:"]), Row("--port=si", ["sim:"]),
      Row("ping --port sim:model=sphero", ["sphero1", "sphero2"]),
      Row("ping --port sim:flo", ["floor="]), Row("ping -p replay:/etc/hostn", ["/etc/hostname"]),
      Row(
        "stream --mask accel,imu,ac",
        [
          "accel,imu,accel-raw", "accel,imu,accel-one", "accel,imu,accel-x", "accel,imu,accel-y",
          "accel,imu,accel-z",
          "accel,imu,accel-raw-x", "accel,imu,accel-raw-y", "accel,imu,accel-raw-z",
        ]),
    ]
    let rows = Self.rows + cut
    try (rows.map(\.typed).joined(separator: "\n") + "\n").write(
      toFile: input, atomically: true, encoding: .utf8)
    let output = try run(
      "bash", ["--norc", "-c", Self.bashDriver, "bash", path, Run.executable.path, input],
      ["PATH": "/usr/bin:/bin", "SPHERO_PORT": ""])
    let answers = output.components(separatedBy: "----\n").dropLast()
    try #require(answers.count == rows.count, "\(output)")
    for (row, answer) in zip(rows, answers) { check(row, answer.components(separatedBy: "\n")) }
  }

  /// A port of the environment is offered after a colon too, without the part that bash treats as a word.
  @Test(.enabled(if: isInstalled("bash"))) func bashAsksForPorts() async throws {
    let path = try await script(of: "bash")
    let input = freshPath()
    defer { for file in [path, input] { try? FileManager.default.removeItem(atPath: file) } }
    try "ping --port \nping --port 68:86:\n".write(toFile: input, atomically: true, encoding: .utf8)
    let output = try run(
      "bash", ["--norc", "-c", Self.bashDriver, "bash", path, Run.executable.path, input],
      ["PATH": "/usr/bin:/bin", "SPHERO_PORT": "68:86:E7:01:02:03"])
    let answers = output.components(separatedBy: "----\n")
    #expect(answers[0].contains("68:86:E7:01:02:03 \n"), "\(output)")
    #expect(answers[1] == "E7:01:02:03 \n")
  }

  // MARK: - fish

  @Test(.enabled(if: isInstalled("fish"))) func fish() async throws {
    let path = try await script(of: "fish")
    let home = freshPath()
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { for file in [path, home] { try? FileManager.default.removeItem(atPath: file) } }
    let link = home + "/sphero"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Run.executable.path)
    // Without a word that begins with the typed one, fish offers those that contain its letters in order.
    let rows =
      Self.rows + Self.portRows.filter { !$0.offered.isEmpty } + [
        Row("stream --mask=accel,qu", ["--mask=accel,quat"]),
        Row("ping -p replay:/etc/hostn", ["replay:/etc/hostname"]),
      ]
    let commands = rows.map { "complete -C '\(link) \($0.typed)'; echo ----" }.joined(separator: "\n")
    let output = try run(
      "fish", ["--no-config", "-c", "source \(path)\n" + commands],
      ["HOME": home, "PATH": "/usr/bin:/bin", "SPHERO_PORT": ""])
    let answers = output.components(separatedBy: "----\n").dropLast()
    try #require(answers.count == rows.count, "\(output)")
    for (row, answer) in zip(rows, answers) {
      // The meaning follows a tab.
      check(row, answer.components(separatedBy: "\n").map { String($0.prefix { $0 != "\t" }) })
    }
  }

  // MARK: - zsh

  /// Types into an interactive zsh, requests its completions, and reads the list.
  private static let zshDriver = #"""
    zmodload zsh/zpty
    # Without a dump: zsh would replace an existing file.
    zpty shell "PATH=$PATH zsh -f -i"
    zpty -w shell "PROMPT= PS2= RPS1="
    zpty -w shell "autoload -Uz compinit; compinit -u -D; source $1"
    zpty -w shell "sphero() { $2 \"\$@\" }"
    # All that is offered goes to a file instead of the screen.
    zpty -w shell 'compadd() { local -a found; builtin compadd -A found "$@"; (( $#found )) && print -rl -- "${IPREFIX}${found[@]}" >> '$3'; builtin compadd "$@" }'
    zpty -w shell 'list() { zle complete-word; zle kill-whole-line; print -r -- ---- >> '$3' }; zle -N list; bindkey "^I" list; print ready'
    while zpty -r shell line; do [[ $line == ready* ]] && break; done
    local count=0
    while IFS= read -r line; do
      (( count++ ))
      zpty -w -n shell "sphero $line"$'\t'
      repeat 400; do
        [[ -f $3 ]] && (( $(grep -c -e ---- $3) >= count )) && break
        sleep 0.02
      done
    done < $4
    zpty -d shell
    """#

  @Test(.enabled(if: isInstalled("zsh"))) func zsh() async throws {
    let path = try await script(of: "zsh")
    let (input, found, home) = (freshPath(), freshPath(), freshPath())
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { for file in [path, input, found, home] { try? FileManager.default.removeItem(atPath: file) } }
    // Words of a list are offered without the part before the comma.
    let rows = (Self.rows + Self.portRows).map { row in
      Row(row.typed, row.offered.map { String($0.split(separator: ",").last ?? "") }, isWhole: row.isWhole)
    }
    try (rows.map(\.typed).joined(separator: "\n") + "\n").write(
      toFile: input, atomically: true, encoding: .utf8)
    _ = try run(
      "zsh", ["-f", "-c", Self.zshDriver, "zsh", path, Run.executable.path, found, input],
      ["PATH": "/usr/bin:/bin", "SPHERO_PORT": "", "HOME": home, "ZDOTDIR": home])
    let output = (try? String(contentsOfFile: found, encoding: .utf8)) ?? ""
    let answers = output.components(separatedBy: "----\n").dropLast()
    try #require(answers.count == rows.count, "\(output)")
    for (row, answer) in zip(rows, answers) {
      let words = answer.components(separatedBy: "\n").map { String($0.split(separator: ",").last ?? "") }
      // A path is offered by its last part.
      let offered = row.offered.map { $0.split(separator: "/").last.map(String.init) ?? "" }
      check(Row(row.typed, offered, isWhole: row.isWhole && !row.typed.contains("/")), words)
    }
  }

  // MARK: - All of them

  /// A shell parses the script without a message.
  @Test(arguments: ["bash", "zsh", "fish"]) func scriptIsWellFormed(_ shell: String) async throws {
    guard isInstalled(shell) else { return }
    let path = try await script(of: shell)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = shell == "fish" ? ["--no-config", "--no-execute", path] : ["-n", path]
    #expect(try run(shell, words + []).isEmpty)
    #expect(try run("sh", ["-c", "\(shell) \(words.joined(separator: " ")) 2>&1; echo $?"]) == "0\n")
  }

  /// The words that complete a line, without the ports that a computer has.
  private func words(_ line: String) async -> [String] {
    await Completion("sphero " + line)?.candidates { ["/dev/rfcomm0"] }.map(\.word) ?? []
  }

  /// Each command and option is offered, and is on the manual page.
  @Test func everyCommandAndOptionIsOffered() async {
    let manual = ManualPage.text
    #expect(await words("") == Program.subcommands.map { $0.name })
    for type in Program.subcommands {
      let options = await words("\(type.name) --")
      #expect(options == Synopsis(type).options.map { "--\($0.name)" } + ["--help"], "\(type.name)")
      #expect(manual.contains(type.name.split(separator: "-").joined(separator: "\\-")), "\(type.name)")
      for option in Synopsis(type).options {
        #expect(manual.contains(option.name.split(separator: "-").joined(separator: "\\-")))
      }
    }
  }

  /// An option that was given is not offered again, unless its values form a list, nor is one that contradicts it.
  @Test func givenAndContradictingOptionsAreNotOffered() async {
    let options = await words("stream -m accel --count 3 --divisor 20 --")
    #expect(options.contains("--mask"))
    #expect(!options.contains("--count") && !options.contains("--divisor") && !options.contains("--hz"))
    #expect(await words("stream --").contains("--hz"))
    #expect(await words("roll -").contains("-s"))
  }

  @Test func portsAreOffered() async {
    #expect(await words("ping --port ") == ["sim:", "replay:", "tcp:", "/dev/rfcomm0"])
    #expect(
      await words("--port=") == ["--port=sim:", "--port=replay:", "--port=tcp:", "--port=/dev/rfcomm0"])
    #expect(await words("ping --port=replay:a") == ["--port=replay:<file>"])
    #expect(await words("ping -p ./a") == ["<file>"])
    #expect(await words("ping --port=sim:seed=1,seed") == words("ping --port=sim:seed=1,"))
    #expect(await !words("ping --port=sim:seed=1,").contains { $0.contains("seed=1,seed") })
  }

  /// The line of a candidate contains a space if the word is complete, and the meaning after a tab.
  @Test func linesOfTheScripts() async throws {
    let verbs = try await sphero("help", "--words", "sphero ping -")
    #expect(verbs.output.contains("--count \t"), "\(verbs.output)")
    #expect(try await sphero("help", "--words", "sphero raw Core.SetDeviceName ").output == "name=\n")
    #expect(try await sphero("help", "--words", "sphero decode ").output == "<file>\n")
    #expect(try await sphero("help", "--words", "sphero nonsense ").output.isEmpty)
    #expect(try await sphero("help", "--words", "").output.hasPrefix("simulate \t"))
  }
}

@Suite(.timeLimit(.minutes(5))) struct ManualTests {
  private func lint(_ command: String, _ page: String) throws -> String {
    let path = freshPath()
    try page.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "\(command) \(path) 2>&1"]
    process.standardOutput = pipe
    try process.start()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  @Test(.enabled(if: isInstalled("mandoc"))) func mandocFindsNothing() async throws {
    let page = try await sphero("help", "--man")
    #expect(page.code == 0 && page.error.isEmpty)
    #expect(try lint("mandoc -T lint -W style", page.output) == "")
  }

  @Test(.enabled(if: isInstalled("groff"))) func groffFindsNothing() throws {
    #expect(try lint("groff -man -ww -z -K utf8 -T utf8", ManualPage.text) == "")
  }

  @Test(.enabled(if: isInstalled("man"))) func manShowsIt() throws {
    let page = try lint("MANWIDTH=80 MAN_KEEP_FORMATTING= LC_ALL=C.UTF-8 man -l", ManualPage.text)
    for text in [
      "SPHERO(1)", "sphero - control the first Sphero robots", "COMMANDS: LOOK", "-d, --divisor n",
      "sphero stream --mask accel,imu,quat --divisor 20", "SPHERO_PORT", "EXIT STATUS",
    ] { #expect(page.contains(text), "\(text)") }
  }
}
