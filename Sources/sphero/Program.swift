// The entry point: runs a command line and converts its outcome to an exit code.

import SpheroProcess
import SpheroProtocol
import SpheroSystem
import SpheroTransport

@main
enum Program {
  static let version = "0.2.0"

  static let time = EventLoop()

  static let subcommands: [any Subcommand.Type] = [
    Simulate.self, Devices.self, Doctor.self, DriveCommand.self, LED.self, Stream.self, Info.self, Ping.self,
    MonitorCommand.self, Collisions.self, Record.self, Decode.self, PlotCommand.self, Roll.self, Turn.self,
    Go.self, Stop.self, Aim.self, Balance.self, Sleep.self, RunCommand.self, ProgramCommand.self, Raw.self,
    Survey.self, HeadingCommand.self, HelpCommand.self,
  ]

  // Not `async`, so `help` and `--version` start without a task.
  static func main() {
    ProcessContext.prepareDescriptors()
    ProcessContext.exit(run(ProcessContext.words[...]))
  }

  private static func run(_ words: ArraySlice<String>) -> Int32 {
    do {
      switch try request(words) {
      case .page(let text): try StandardStream.output.writeBlocking(text)
      case .subcommand(let subcommand): return run(subcommand)
      }
      return ExitCode.done.rawValue
    } catch {
      // If nothing reads stderr, the write blocks; the third signal then ends the process, even if SIGINT was ignored.
      ProcessSignals.handleAll { _ in }
      return report(error, verb: leadingPorts(words).1.first)
    }
  }

  private static func run(_ subcommand: any Subcommand) -> Int32 {
    let (signal, exitCode) = (Locked<Int32?>(nil), Locked<Int32?>(nil))
    // Detached: a task of the main actor would switch executors at each call. It begins in `time.run`.
    let task = Task.detached(executorPreference: time) {
      let code = await Self.exitCode(of: subcommand)
      exitCode.withLock { $0 = code }
    }
    let stop: (@Sendable () -> Void)? = subcommand.mayMove ? { @Sendable in MovingRobots.all.stop() } : nil
    // Called before any other thread starts, because later threads inherit the blocked signals.
    ProcessSignals.handleAll(beforeSuspension: stop) { number in
      signal.withLock { $0 = number }
      task.cancel()
    }
    time.run { exitCode.withLock { $0 } == nil }
    TerminalScreen.restore()
    if let number = signal.withLock({ $0 }) { ProcessContext.end(by: number) }
    return exitCode.withLock { $0 } ?? ExitCode.ourBug.rawValue
  }

  enum Request {
    case page(String)
    case subcommand(any Subcommand)
  }

  /// Parses a command line; opens and prints nothing.
  static func request(_ words: ArraySlice<String>) throws(UsageError) -> Request {
    let (ports, words) = leadingPorts(words)
    guard let verb = words.first else {
      if let name = ports.first { throw UsageError("a command is missing after '\(name)'") }
      return .page(Help.overview(.short, .ofOutput))
    }
    let rest = words.dropFirst()
    switch verb {
    case "--version", "-V":
      if let surplus = ports.first ?? rest.first { throw UsageError("unexpected argument '\(surplus)'") }
      return .page(Version.text)
    case "-h" where rest.isEmpty: return .page(Help.overview(.short, .ofOutput))
    case "-h": return .page(try HelpCommand.page(rest.first ?? "", rest.dropFirst(), .short))
    case "--help": return .page(try HelpCommand.page(rest.first ?? HelpCommand.allCommands, rest.dropFirst()))
    default:
      let type = try type(verb)
      if let word = rest.prefix(while: { $0 != "--" }).first(where: { $0 == "--help" || $0 == "-h" }) {
        return .page(Help.page(type, word == "-h" ? .short : .full, .ofOutput))
      }
      let subcommand = try Synopsis.bind(type, ports + rest)
      guard let help = subcommand as? HelpCommand, help.words == nil else { return .subcommand(subcommand) }
      return .page(try help.text())
    }
  }

  /// Separates the options `--port` before the command, with their values, from the other words.
  private static func leadingPorts(_ words: ArraySlice<String>) -> ([String], ArraySlice<String>) {
    var rest = words
    while let word = rest.first, word == "--port" || word == "-p" || word.hasPrefix("--port=") {
      rest = rest.dropFirst(word.contains("=") ? 1 : 2)
    }
    return (Array(words.prefix(words.count - rest.count)), rest)
  }

  /// Returns the subcommand with a name; for another name, the error also suggests similar names among `pages`.
  static func type(_ name: String, or pages: [String] = []) throws(UsageError) -> any Subcommand.Type {
    if let type = subcommands.first(where: { $0.name == name }) { return type }
    if Synopsis.isOption(name) {
      let near = Suggestion.text(for: name, among: ["--help", "--version", "--port"])
      throw UsageError("'\(name)' stands before the command; options come after it" + near)
    }
    if pages.isEmpty, Topic.named(name) != nil {
      throw UsageError("'\(name)' is not a command but a topic", advice: "See 'sphero help \(name)'.")
    }
    let words = subcommands.map { $0.name } + ["--version", "--help"] + pages
    let page = pages.isEmpty ? nil : Suggestion.command(for: name)
    let synonym = page ?? Suggestion.verb(for: name, among: subcommands)
    throw UsageError("unknown command '\(name)'" + Suggestion.text(for: name, synonym: synonym, among: words))
  }

  private static func exitCode(of subcommand: any Subcommand) async -> Int32 {
    do {
      try await subcommand.run(Terminal())
      try Terminal.output.flush()
      return ExitCode.done.rawValue
    } catch {
      try? Terminal.output.flush()
      return report(error, verb: Swift.type(of: subcommand).name)
    }
  }

  private static func report(_ error: any Error, verb: String?) -> Int32 {
    // A closed pipe, as of `sphero stream | head`, is a normal end; a signal sets the exit status itself.
    if error as? OutputError == .closed || error is CancellationError { return ExitCode.done.rawValue }
    let failure = Failure(error)
    let style = Style.of(.error)
    try? StandardStream.error.writeBlocking(
      Progress.takeBack() + style.red("sphero: ") + complaint(failure, verb: verb).map { "\($0)\n" }.joined())
    return failure.code.rawValue
  }

  static func complaint(_ failure: Failure, verb: String?) -> [String] {
    let name = subcommands.first { $0.name == verb }.map { "\($0.name) " } ?? ""
    let usage = "See 'sphero \(name)--help'."
    let advice = failure.advice ?? (failure.code == .usage ? usage : nil)
    // The message may quote words of the command line; `printable` escapes their control characters.
    return [failure.message, advice].compactMap { $0.map { FieldValue.text($0).printable } }
  }
}

enum Version {
  /// The release date, for the manual page.
  static let date = "2026-11-25"

  static var text: String {
    #if compiler(>=6.5)
      let compiler = "Swift 6.5 or newer"
    #elseif compiler(>=6.4)
      let compiler = "Swift 6.4"
    #else
      let compiler = "Swift 6.3"
    #endif
    #if DEBUG
      let configuration = "debug"
    #else
      let configuration = "release"
    #endif
    #if os(macOS)
      let system = "macOS"
    #elseif canImport(Musl)
      let system = "Linux (musl)"
    #elseif os(Linux)
      let system = "Linux (glibc)"
    #else
      let system = "unknown system"
    #endif
    #if arch(x86_64)
      let processor = "x86_64"
    #elseif arch(arm64)
      let processor = "arm64"
    #elseif arch(arm)
      let processor = "arm"
    #else
      let processor = "unknown processor"
    #endif
    return """
      sphero \(Program.version)
      \(compiler), \(configuration), \(ProcessContext.linkage), \(system) \(processor)

      """
  }
}
