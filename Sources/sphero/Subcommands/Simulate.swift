// sphero simulate: robots on pseudo-terminals.

import SpheroProtocol
import SpheroRecording
import SpheroSerial
import SpheroSimulator
import SpheroTransport

struct Simulate: Subcommand {
  static let name = "simulate"
  static let abstract = "Serves simulated robots on pseudo-terminals until Ctrl-C."
  static let examples = [
    "sphero simulate --link /tmp/sphero", "sphero simulate --latency 80ms --verbose",
    "sphero simulate --name Zoe --model ollie --battery 30% --fault drop=1%,close=10s:3s",
    "sphero simulate --link /tmp/sphero --robots 2 --floor room.txt",
    "echo 'knock 0 -1' | sphero simulate --link /tmp/sphero",
  ]

  var link: String?
  var robots: Whole<Positive> = 1
  var arguments = SimulatorArguments()
  var captureFile: String?
  var isVerbose = false
  var isQuiet = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "link", "l", &link, "Also reach it under this path; further robots under path-2 and so on.")
    try line.option("robots", nil, &robots, "How many share the floor, at most 100.")
    try arguments.options(&line)
    try line.option(
      "capture", nil, &captureFile,
      "Keep every byte, as the client sees it, in this file; of further robots in file-2 and so on.")
    try line.flag("quiet", "q", &isQuiet, "Leave out remarks on stderr.")
    try line.flag("verbose", "v", &isVerbose, "Print each packet on stderr, as the client sees it.")
  }

  func validate() throws(UsageError) {
    guard robots.value <= 100 else { throw UsageError("at most 100 robots share a floor") }
    _ = try arguments.parsed()
  }

  func run(_ terminal: Terminal) async throws {
    let parsed = try arguments.parsed()
    let world = try await parsed.world(of: robots.value)
    var lines: [PseudoTerminal] = []
    defer { for line in lines { line.close() } }
    for number in 1...robots.value { lines.append(try Self.open(numbered(link, number))) }
    let paths = lines.indices.map { numbered(link, $0 + 1) ?? lines[$0].path }
    // Only now: a line that does not open must not cost an old capture.
    let recorders = try paths.enumerated().map { try recorder($0.offset + 1, port: $0.element) }
    for path in paths { try await terminal.print(path) }
    await terminal.note(
      "try it with 'sphero ping --port \(paths[0])'; lines typed here, like 'shake 1s', move it; Ctrl-C ends it",
      isQuiet: isQuiet)
    await withTaskGroup(of: Void.self) { [lines] group in
      for (index, robot) in world.robots.enumerated() {
        let port = FaultyPort(of: .robot, plan: parsed.faults(of: index), time: world.time)
        let captures = recorders[index].captures
        group.addTask {
          await Self.serve(robot, lines[index], numbered(link, index + 1), port, world.time, captures)
        }
      }
      group.addTask { await TypedHand(world: world, terminal: terminal).follow() }
    }
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
  private func numbered(_ path: String?, _ number: Int) -> String? {
    path.map { number == 1 ? $0 : "\($0)-\(number)" }
  }

  /// What stands in front of a remark about a robot; nothing where there is but one.
  private func label(_ number: Int) -> String { robots.value == 1 ? "" : "\(number): " }

  private func recorder(_ number: Int, port: String) throws -> Recorder {
    try Recorder(
      file: numbered(captureFile, number), isVerbose: isVerbose, isQuiet: isQuiet, port: port,
      label: label(number))
  }

  private static func open(_ link: String?) throws -> PseudoTerminal {
    do throws(LinkError) { return try PseudoTerminal(link: link) } catch {
      throw Failure(
        .cannotCreate, error.description,
        advice: "Choose a path where no file is, in a folder that you may write to.")
    }
  }

  /// Serves a robot until the task is cancelled; a line that broke by plan, or hung up to sleep, comes back.
  private static func serve(
    _ robot: SimulatedRobot, _ first: PseudoTerminal, _ link: String?, _ port: FaultyPort,
    _ time: any TimeSource, _ captures: [CaptureWriter]
  ) async {
    var line: PseudoTerminal? = first
    while !Task.isCancelled {
      let current = line
      line = nil
      // Below the faults: what is written down is what the client sees.
      let served = try? await port.open {
        if current == nil { for capture in captures { capture.note(CaptureMark(.reconnection)) } }
        return RecordingTransport(try current ?? PseudoTerminal(link: link), of: .robot, to: captures)
      }
      if let served {
        await robot.serve(served)
        await served.close()
      }
      guard (try? await time.sleep(for: .milliseconds(500))) != nil else { return }
    }
  }
}
