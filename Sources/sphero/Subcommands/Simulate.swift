// sphero simulate: robots on pseudo-terminals or TCP ports.

import SpheroModel
import SpheroProtocol
import SpheroSerial
import SpheroSimulator
import SpheroSystem
import SpheroTransport

struct Simulate: Subcommand {
  static let name = "simulate"
  static let abstract = "Serves simulated robots on pseudo-terminals or TCP ports until Ctrl-C."
  static let examples = [
    "sphero simulate --link /tmp/sphero", "sphero simulate --latency 80ms", "sphero simulate --listen 4000",
    "sphero simulate --link /tmp/sphero --robots 2 --options model=ollie,drop=1%",
  ]

  var link: String?
  var listen: String?
  var robots: Whole<Positive> = 1
  var latency = Duration.zero
  var seed: Whole<Positive> = 1
  var options: String?
  var isQuiet = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "link", "l", &link, "Also reach it under this path; further robots under path-2 and so on.")
    try line.option(
      "listen", nil, &listen,
      "Serve on this TCP port instead, or on ADDRESS:PORT; of this machine alone without an address.")
    try line.option("robots", nil, &robots, "How many share the floor, at most 100.")
    try line.option("latency", nil, &latency, "How long each command is on its way: a slow robot.")
    try line.option("seed", nil, &seed, "Where the noise of the sensors begins.")
    try line.option(
      "options", "o", &options,
      "What robots and lines are like: \(SimulatorOptions.names.joined(separator: ", ")).")
    try line.flag("quiet", "q", &isQuiet, "Leave out remarks on stderr.")
  }

  func validate() throws(UsageError) {
    guard robots.value <= 100 else { throw UsageError("at most 100 robots share a floor") }
    guard listen == nil || link == nil else { throw UsageError("choose '--link' or '--listen'") }
    _ = try (parsed(), tcpPort())
  }

  /// The options as one value; those that stand alone begin it.
  private func parsed() throws(UsageError) -> SimulatorOptions {
    var parsed = SimulatorOptions()
    (parsed.robot.latency, parsed.robot.seed) = (latency, UInt64(seed.value))
    parsed.faults.seed = UInt64(seed.value)
    do throws(SimulatorOptionError) { try parsed.apply(options ?? "") } catch {
      throw UsageError(error.description)
    }
    return parsed
  }

  func run(_ terminal: Terminal) async throws {
    let parsed = try parsed()
    let floor = try parsed.floorPath.map(Self.floor) ?? Floor()
    let time: any TimeSource = parsed.pace == 1 ? SystemTime() : ScaledTime(SystemTime(), pace: parsed.pace)
    let world = SimulatedWorld(configurations(parsed), on: floor, time: time)
    try await serve(world.robots, parsed.faults, terminal)
    for robot in world.robots {
      let sent = await robot.statistics
      await terminal.note(
        "received \(sent.commands) commands, sent \(sent.frames) sensor frames in \(sent.packets) packets",
        isQuiet: isQuiet)
    }
    try Task.checkCancellation()
  }

  private func configurations(_ parsed: SimulatorOptions) -> [SimulatedRobot.Configuration] {
    (0..<robots.value).map { index in
      var configuration = parsed.robot
      configuration.seed &+= UInt64(index)
      if index > 0 { configuration.name += "-\(index + 1)" }
      return configuration
    }
  }

  func path(_ number: Int) -> String? { link.map { number == 1 ? $0 : "\($0)-\(number)" } }

  /// Reads the file of a floor, at most a megabyte.
  private static func floor(_ path: String) throws -> Floor {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let descriptor = try System.openFile(path)
      defer { System.close(descriptor) }
      while bytes.count < 1 << 20 {
        let piece = try System.read(descriptor, atMost: 1 << 16)
        guard !piece.isEmpty else { break }
        bytes += piece
      }
    } catch {
      throw Failure(
        .noInput, "\(path): \(System.message(of: error.code))", advice: "Name a file that describes a floor.")
    }
    do throws(FloorError) { return try Floor(parsing: String(decoding: bytes, as: UTF8.self)) } catch {
      throw Failure(.badData, "\(path): \(error.description)", advice: "Correct that line.")
    }
  }
}
