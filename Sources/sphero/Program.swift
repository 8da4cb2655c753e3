// From words to an exit code: the only place where an outcome becomes one.

import SpheroProcess
import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// The program behind the command line.
enum Program {
  static let version = "0.1.0"

  /// The clock of all commands, on whose thread they run.
  static let time = EventLoop()

  /// All verbs, in the order of the help page.
  static let subcommands: [any Subcommand.Type] = [
    Devices.self, Doctor.self, Info.self, Ping.self, Stream.self, MonitorCommand.self, Collisions.self,
    Roll.self,
    Turn.self, Go.self, Follow.self, DriveCommand.self, Stop.self, Calibrate.self, LED.self, Sleep.self,
    Survey.self, Raw.self, Decode.self, PlotCommand.self, Record.self, Simulate.self, ReplayCommand.self,
    RunCommand.self, MacroFile.self, BasicFile.self, Completions.self, Manual.self,
  ]

  /// Runs a command line.
  ///
  /// - Parameter words: The words after the program's name.
  /// - Returns: The exit code.
  static func run(_ words: ArraySlice<String>) -> Int32 {
    do {
      switch try request(words) {
      case .page(let text):
        try StandardStream.output.writeAtOnce(text())
        return ExitCode.done.rawValue
      case .version:
        try StandardStream.output.writeAtOnce(Version.text)
        return ExitCode.done.rawValue
      case .subcommand(let subcommand): return run(subcommand)
      }
    } catch {
      // Whoever reads the error may take nothing, and would hold the process for ever.
      TerminationSignal.takeAll { _ in }
      return report(error, verb: words.first)
    }
  }

  /// Runs a subcommand on this thread, until it has ended by itself or by a signal.
  private static func run(_ subcommand: any Subcommand) -> Int32 {
    let interruption = Locked<Int32?>(nil)
    let runner = Locked<Task<Void, Never>?>(nil)
    // Before any other thread runs, so that all of them leave the signals to one.
    let prepare: (@Sendable () -> Void)? = subcommand.mayMove ? { @Sendable in MovingRobots.all.stop() } : nil
    TerminationSignal.takeAll(beforeSuspension: prepare) { number in
      interruption.withLock { $0 = number }
      runner.withLock { $0?.cancel() }
    }
    let outcome = Locked<Int32?>(nil)
    // Not on the main actor: each call from there would cost a hop.
    let task = Task.detached(executorPreference: time) {
      let code = await outcomeOf(subcommand)
      outcome.withLock { $0 = code }
    }
    runner.withLock { $0 = task }
    if interruption.withLock({ $0 }) != nil { task.cancel() }
    time.run { outcome.withLock { $0 } == nil }
    TerminalScreen.restore()
    if let number = interruption.withLock({ $0 }) { ProcessContext.end(by: number) }
    return outcome.withLock { $0 } ?? ExitCode.ourBug.rawValue
  }

  /// What somebody asks for.
  enum Request {
    /// A page to read; its layout is found out when it is printed.
    case page(() -> String)
    /// What was built, and how; bytes, so that it starts at once.
    case version
    /// A command, with its options.
    case subcommand(any Subcommand)
  }

  /// What the words ask for; nothing is opened or printed.
  static func request(_ words: ArraySlice<String>) throws(UsageError) -> Request {
    guard let verb = words.first else { return .page { Help.overview(.short, .ofOutput) } }
    let rest = words.dropFirst()
    switch verb {
    case "--version", "-V":
      if let surplus = rest.first { throw UsageError("unexpected argument '\(surplus)'") }
      return .version
    case "-h": return .page { Help.overview(.short, .ofOutput) }
    case "help", "--help": return .page(try page(rest))
    default:
      let type = try type(verb)
      switch rest.prefix(while: { $0 != "--" }).first(where: { $0 == "--help" || $0 == "-h" }) {
      case "-h": return .page { Help.page(type, .short, .ofOutput) }
      case .some: return .page { Help.page(type, .full, .ofOutput) }
      case nil: return .subcommand(try Binder.bind(type, Array(rest)))
      }
    }
  }

  /// The page that `sphero help` prints for some words: of a verb, a topic, or a command of the protocol.
  private static func page(_ words: ArraySlice<String>) throws(UsageError) -> () -> String {
    guard let name = words.first, name != "help" else { return { Help.overview(.full, .ofOutput) } }
    if let surplus = words.dropFirst().first { throw UsageError("unexpected argument '\(surplus)'") }
    if let topic = Topic.named(name) { return { topic.page(.ofOutput) } }
    if name.contains("."),
      let type = Catalogue.commands.first(where: { $0.name.lowercased() == name.lowercased() })
    {
      return { Topic.command(type, .ofOutput) }
    }
    let type = try type(
      name, or: Topic.all.map(\.name) + (name.contains(".") ? Catalogue.commands.map { $0.name } : []))
    return { Help.page(type, .full, .ofOutput) }
  }

  /// The verb of a name.
  private static func type(
    _ name: String, or pages: [String] = []
  ) throws(UsageError) -> any Subcommand.Type {
    if let type = subcommands.first(where: { $0.name == name }) { return type }
    if Binder.isOption(name) {
      let near = Suggestion.text(for: name, among: ["--help", "--version"])
      throw UsageError("'\(name)' stands before the command; options come after it" + near)
    }
    if pages.isEmpty, Topic.named(name) != nil {
      throw UsageError("'\(name)' is not a command but a topic", advice: "See 'sphero help \(name)'.")
    }
    let other = subcommands.first { $0.otherNames.contains(name.lowercased()) }
    let near = Suggestion.text(
      for: name, among: subcommands.map { $0.name } + ["help", "--version", "--help"] + pages)
    throw UsageError("unknown command '\(name)'" + (other.map { "; did you mean '\($0.name)'?" } ?? near))
  }

  private static func outcomeOf(_ subcommand: any Subcommand) async -> Int32 {
    do {
      do { try await subcommand.run(Terminal()) } catch {
        try? Terminal.output.flush()
        throw error
      }
      try Terminal.output.flush()
      return ExitCode.done.rawValue
    } catch { return report(error, verb: Swift.type(of: subcommand).name) }
  }

  /// Tells what went wrong, and its exit code.
  private static func report(_ error: any Error, verb: String?) -> Int32 {
    // Nobody reads the results any more: that is an end like any other.
    if error as? OutputError == .closed { return ExitCode.done.rawValue }
    if error is CancellationError { return ExitCode.done.rawValue }
    let failure = Failure(error)
    let style = Style(of: .error)
    try? StandardStream.error.writeAtOnce(
      Progress.takeBack() + style.red("sphero: ") + complaint(failure, verb: verb).map { "\($0)\n" }.joined())
    return failure.code.rawValue
  }

  /// The lines that report a failure: the sentence and, where there is one, the next step.
  static func complaint(_ failure: Failure, verb: String?) -> [String] {
    let isVerb = subcommands.contains { $0.name == verb }
    let usage = "See 'sphero \(isVerb ? "\(verb ?? "") " : "")--help'."
    let advice = failure.advice ?? (failure.code == .usage ? usage : nil)
    // Words of the command line, a file or a robot are echoed: they must not drive the terminal.
    return [failure.message, advice].compactMap { $0.map { FieldValue.text($0).printable } }
  }
}
