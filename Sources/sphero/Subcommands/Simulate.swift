// sphero simulate: simulated robots on pseudo-terminals or TCP ports.

import SpheroSimulator

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

  var serving = ServingOptions()
  var robots = 1
  var arguments = SimulatorArguments()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try serving.endpoints(&line, isPlural: true)
    try line.option(
      "robots", nil, &robots, as: .count, "How many share the floor, at most 100.")
    try arguments.options(&line)
    try serving.output(&line, isPlural: true)
  }

  func validate() throws(UsageError) {
    guard robots <= 100 else { throw UsageError("at most 100 robots share a floor") }
    _ = try arguments.parsed()
    try serving.tcpPort(for: robots)
  }

  func run(_ terminal: Terminal) async throws {
    let options = try arguments.parsed()
    let world = try await options.world(of: robots)
    let recorders = try await serving.serve(
      terminal, count: robots, hint: "lines typed here, like 'shake 1s', move it; "
    ) { index, listener in
      // The recorders are below the faults, and record what the client receives.
      try await world.robots[index].serve(listener, faults: options.faults(of: index))
    } background: {
      await TypedHand(world: world, terminal: terminal).follow()
    }
    try await recorders.finish(terminal) {
      for (index, robot) in world.robots.enumerated() {
        let sent = await robot.statistics
        await terminal.note(
          ServingOptions.label(index, of: robots)
            + "received \(sent.commands) commands, sent \(sent.frames) sensor frames in \(sent.packets) packets",
          isQuiet: serving.isQuiet)
      }
    }
    try Task.checkCancellation()
  }
}
