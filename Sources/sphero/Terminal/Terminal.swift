// Where a command's results and remarks go, and the robot it talks to.

import SpheroProcess
import SpheroProtocol
import SpheroSerial
import SpheroSession
import SpheroSimulator
import SpheroTransport

/// What a command has around it.
struct Terminal: Sendable {
  /// Prints a line of results at once: a robot is live.
  func print(_ line: String) async throws { try await StandardStream.output.write(line + "\n") }

  /// Tells a person something that is no result.
  func note(_ line: String, _ connection: Connection) async { await note(line, isQuiet: connection.isQuiet) }

  /// Tells a person something that is no result, unless the person wants none of it.
  func note(_ line: String, isQuiet: Bool) async {
    guard !isQuiet else { return }
    // Remarks that nobody can read any more are no reason to stop.
    try? await StandardStream.error.write("sphero: \(line)\n")
  }
}

/// The options of every command that connects.
struct Connection: Sendable {
  var port: String?
  var timeout = Wait(duration: .seconds(1))
  var captureFile: String?
  var isQuiet = false
  var isVerbose = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("port", "p", &port, "Device file of the robot, or 'sim:' for a simulated one.")
    try line.option("timeout", nil, &timeout, "How long to wait for each answer.")
    try line.option(
      "capture", nil, &captureFile, "Keep every byte, with its time and direction, in this file.")
    try line.flag("quiet", "q", &isQuiet, "Leave out remarks on stderr.")
    try line.flag("verbose", "v", &isVerbose, "Print each packet on stderr.")
  }

  /// The device file to use.
  func resolvedPort() throws(Failure) -> String {
    if let port = port ?? ProcessContext.environment("SPHERO_PORT") { return port }
    let candidates = SerialDevice.candidates()
    if candidates.count == 1 { return candidates[0].path }
    let found =
      candidates.isEmpty
      ? "there is no robot's device file"
      : "there are several: \(candidates.map(\.path).joined(separator: ", "))"
    throw Failure(
      .noRobot, "no port: \(found)",
      advice: "Name one with --port or $SPHERO_PORT, or try '--port sim:'. 'sphero devices' says more.")
  }

  /// Connects the robot for as long as `body` runs, and leaves it as it was found.
  func withRobot<Result>(_ body: (Robot) async throws -> Result) async throws -> Result {
    let port = try resolvedPort()
    let patience = Robot.Patience(timeout: timeout.duration)
    guard port == "sim:" else {
      return try await recorded(try await SerialDevice.open(port), port: port) { line in
        try await Robot.withRobot(on: line, patience: patience, body)
      }
    }
    let (host, device) = MemoryTransport.pair()
    let life = Task { await SimulatedRobot().serve(device) }
    let outcome: Swift.Result<Result, any Error>
    do {
      outcome = .success(
        try await recorded(host, port: port) { line in
          try await Robot.withRobot(on: line, patience: patience, body)
        })
    } catch { outcome = .failure(error) }
    await life.value
    return try outcome.get()
  }
}
