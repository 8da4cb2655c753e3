// sphero simulate: robots on pseudo-terminals or TCP ports.

import SpheroProtocol
import SpheroRecording
import SpheroSimulator
import SpheroTransport

struct Simulate: Subcommand {
  static let name = "simulate"
  static let abstract = "Serves simulated robots on pseudo-terminals or TCP ports until Ctrl-C."
  static let group = VerbGroup.bytes
  static let otherNames = ["sim", "serve", "simulator"]
  static let examples = [
    "sphero simulate --link /tmp/sphero", "sphero simulate --latency 80ms --verbose",
    "sphero simulate --listen 4000",
    "sphero simulate --name Zoe --model ollie --battery 30% --fault drop=1%,close=10s:3s",
    "sphero simulate --link /tmp/sphero --robots 2 --floor room.txt",
    "echo 'knock 0 -1' | sphero simulate --link /tmp/sphero",
  ]

  var places = Places()
  var robots: Whole<Positive> = 1
  var arguments = SimulatorArguments()
  var captureFile: String?
  var isVerbose = false
  var isQuiet = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try places.options(&line, isPlural: true)
    try line.option("robots", nil, &robots, "How many share the floor, at most 100.")
    try arguments.options(&line)
    try line.option(
      "capture", nil, &captureFile, as: .newFile,
      "Keep every byte, as the client sees it, in this file; of further robots in file-2 and so on.")
    try line.flag("quiet", "q", &isQuiet, "Print no remarks on stderr.")
    try line.flag("verbose", "v", &isVerbose, "Print each packet on stderr, as the client sees it.")
  }

  func validate() throws(UsageError) {
    guard robots.value <= 100 else { throw UsageError("at most 100 robots share a floor") }
    _ = try (arguments.parsed(), places.tcpPort(for: robots.value))
  }

  func run(_ terminal: Terminal) async throws {
    let options = try arguments.parsed()
    let world = try await options.world(of: robots.value)
    let service = Places.Service(
      count: robots.value, isQuiet: isQuiet, hint: "lines typed here, like 'shake 1s', move it; ",
      recorder: recorder
    ) { index, place in
      // Below the faults: what is written down is what the client sees.
      try await world.robots[index].serve(place, faults: options.faults(of: index))
    } beside: {
      await TypedHand(world: world, terminal: terminal).follow()
    }
    let recorders = try await places.serve(service, terminal)
    try await recorders.finish(terminal) {
      for (index, robot) in world.robots.enumerated() {
        let sent = await robot.statistics
        await terminal.note(
          label(index + 1)
            + "received \(sent.commands) commands, sent \(sent.frames) sensor frames in \(sent.packets) packets",
          isQuiet: isQuiet)
      }
    }
    try Task.checkCancellation()
  }

  /// What stands in front of a remark about a robot; nothing where there is but one.
  private func label(_ number: Int) -> String { robots.value == 1 ? "" : "\(number): " }

  @Sendable private func recorder(_ number: Int, port: String) throws -> Recorder {
    try Recorder(
      file: Recorder.numbered(captureFile, number), isVerbose: isVerbose, isQuiet: isQuiet, port: port,
      label: label(number))
  }
}
