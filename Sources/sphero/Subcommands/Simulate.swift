// sphero simulate: a robot on a pseudo-terminal.

import SpheroSerial
import SpheroSimulator
import SpheroTransport

struct Simulate: Subcommand {
  static let name = "simulate"
  static let abstract = "Serves a simulated robot on a pseudo-terminal until Ctrl-C."
  static let examples = ["sphero simulate --link /tmp/sphero", "sphero simulate --latency 80ms"]

  var link: String?
  var latency = Duration.zero
  var seed: Whole<Positive> = 1
  var isQuiet = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("link", "l", &link, "Also reach it under this path.")
    try line.option("latency", nil, &latency, "How long each command waits: a slow robot.")
    try line.option("seed", nil, &seed, "Where the noise of the sensors begins.")
    try line.flag("quiet", "q", &isQuiet, "Leave out remarks on stderr.")
  }

  func run(_ terminal: Terminal) async throws {
    let line: PseudoTerminal
    do throws(LinkError) { line = try PseudoTerminal(link: link) } catch {
      throw Failure(
        .cannotCreate, error.description,
        advice: "Choose a path where no file is, in a folder that you may write to.")
    }
    defer { line.close() }
    var configuration = SimulatedRobot.Configuration()
    (configuration.latency, configuration.seed) = (latency, UInt64(seed.value))
    let robot = SimulatedRobot(configuration)
    try await terminal.print(link ?? line.path)
    await robot.serve(line)
    let sent = await robot.statistics
    await terminal.note(
      "received \(sent.commands) commands, sent \(sent.frames) sensor frames in \(sent.packets) packets",
      isQuiet: isQuiet)
    try Task.checkCancellation()
  }
}
