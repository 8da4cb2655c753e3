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

  var link: String?
  var listen: String?
  var robots: Whole<Positive> = 1
  var arguments = SimulatorArguments()
  var captureFile: String?
  var isVerbose = false
  var isQuiet = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "link", "l", &link, as: .newFile,
      "Also reach it under this path; further robots under path-2 and so on.")
    try line.option(
      "listen", nil, &listen,
      "Serve on this TCP port instead, or on ADDRESS:PORT; of this machine alone without an address.")
    try line.option("robots", nil, &robots, "How many share the floor, at most 100.")
    try arguments.options(&line)
    try line.option(
      "capture", nil, &captureFile, as: .newFile,
      "Keep every byte, as the client sees it, in this file; of further robots in file-2 and so on.")
    try line.conflict("link", "listen", "a link leads to a pseudo-terminal, not to a TCP port")
    try line.flag("quiet", "q", &isQuiet, "Leave out remarks on stderr.")
    try line.flag("verbose", "v", &isVerbose, "Print each packet on stderr, as the client sees it.")
  }

  func validate() throws(UsageError) {
    guard robots.value <= 100 else { throw UsageError("at most 100 robots share a floor") }
    _ = try (arguments.parsed(), tcpPort())
  }

  func run(_ terminal: Terminal) async throws {
    let options = try arguments.parsed()
    let world = try await options.world(of: robots.value)
    let recorders = try await serve(world, options, terminal)
    let departure = Departure()
    var losses: [CaptureLoss] = []
    await withTaskGroup(of: CaptureLoss?.self) { group in
      for recorder in recorders { group.addTask { await recorder.finish(within: departure.rest) } }
      for await case let loss? in group { losses.append(loss) }
    }
    for (index, robot) in world.robots.enumerated() {
      let sent = await robot.statistics
      await terminal.note(
        label(index + 1)
          + "received \(sent.commands) commands, sent \(sent.frames) sensor frames in \(sent.packets) packets",
        isQuiet: isQuiet)
    }
    for loss in losses.dropFirst() { await terminal.note("\(loss)", isQuiet: false) }
    if let loss = losses.first { throw Recorder.failure(loss) }
    try Task.checkCancellation()
  }

  /// The path of a robot, counted from 1.
  func numbered(_ path: String?, _ number: Int) -> String? {
    path.map { number == 1 ? $0 : "\($0)-\(number)" }
  }

  /// What stands in front of a remark about a robot; nothing where there is but one.
  func label(_ number: Int) -> String { robots.value == 1 ? "" : "\(number): " }

  func recorder(_ number: Int, port: String) throws -> Recorder {
    try Recorder(
      file: numbered(captureFile, number), isVerbose: isVerbose, isQuiet: isQuiet, port: port,
      label: label(number))
  }
}
