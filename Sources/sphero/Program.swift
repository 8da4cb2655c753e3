// From words to an exit code: the only place where an outcome becomes one.

import SpheroProcess
import SpheroSystem
import SpheroTransport

/// The program behind the command line.
enum Program {
  static let version = "0.1.0"

  /// The clock of all commands, on whose thread they run.
  static let time = EventLoop()

  /// All verbs, in the order of the help page.
  static let subcommands: [any Subcommand.Type] = [
    Devices.self, Info.self, Ping.self, Stream.self, Roll.self, Stop.self, Turn.self, Go.self,
    Follow.self, Collisions.self, Calibrate.self, LED.self, Sleep.self, Survey.self, Raw.self, Decode.self,
    Simulate.self,
  ]

  /// Runs a command line.
  ///
  /// - Parameter words: The words behind the program's name.
  /// - Returns: The exit code.
  static func run(_ words: [String]) -> Int32 {
    do {
      guard let subcommand = try subcommand(words) else { return ExitCode.done.rawValue }
      return run(subcommand)
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
    TerminationSignal.takeAll { number in
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
    if let number = interruption.withLock({ $0 }) { return 128 + number }
    return outcome.withLock { $0 } ?? ExitCode.ourBug.rawValue
  }

  /// The subcommand that the words mean; nil where a page was printed instead.
  private static func subcommand(_ words: [String]) throws -> (any Subcommand)? {
    guard let verb = words.first else {
      try show(Help.overview)
      return nil
    }
    let rest = Array(words.dropFirst())
    switch verb {
    case "--version":
      try show("sphero \(version)\n")
      return nil
    case "help", "--help", "-h":
      guard let name = rest.first, name != "help" else {
        try show(Help.overview)
        return nil
      }
      try show(Help.page(try type(name)))
      return nil
    default:
      let type = try type(verb)
      if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        try show(Help.page(type))
        return nil
      }
      return try Binder.bind(type, rest)
    }
  }

  private static func type(_ name: String) throws(UsageError) -> any Subcommand.Type {
    if let type = subcommands.first(where: { $0.name == name }) { return type }
    if name.hasPrefix("-") { throw UsageError("'\(name)' stands before the command; options come behind it") }
    let suggestion = Suggestion.text(for: name, among: subcommands.map { $0.name } + ["help"])
    throw UsageError("unknown command '\(name)'\(suggestion)")
  }

  private static func show(_ page: String) throws { try StandardStream.output.writeAtOnce(page) }

  private static func outcomeOf(_ subcommand: any Subcommand) async -> Int32 {
    do {
      try await subcommand.run(Terminal())
      return ExitCode.done.rawValue
    } catch { return report(error, verb: Swift.type(of: subcommand).name) }
  }

  /// Tells what went wrong, and its exit code.
  private static func report(_ error: any Error, verb: String?) -> Int32 {
    // Nobody reads the results any more: that is an end like any other.
    if error as? OutputError == .closed { return ExitCode.done.rawValue }
    if error is CancellationError { return ExitCode.done.rawValue }
    let failure = Failure(error)
    let isVerb = subcommands.contains { $0.name == verb }
    let usage = "See 'sphero \(isVerb ? "\(verb ?? "") " : "")--help'."
    let advice = failure.advice ?? (failure.code == .usage ? usage : nil)
    try? StandardStream.error.writeAtOnce("sphero: \(failure.message)\n" + (advice.map { "\($0)\n" } ?? ""))
    return failure.code.rawValue
  }
}
