// sphero replay: a recording that answers as a robot on a pseudo-terminal or a TCP port.

import SpheroRecording

struct ReplayCommand: Subcommand {
  static let name = "replay"
  static let abstract = "Plays a recording as a robot on a pseudo-terminal or a TCP port until Ctrl-C."
  static let group = VerbGroup.bytes
  static let otherNames = ["play", "playback"]
  static let examples = [
    "sphero replay run.capture --link /tmp/sphero", "sphero replay run.capture --listen 4000 --verbose",
    "sphero replay run.capture --speed 10",
  ]

  var file = ""
  var serving = ServingOptions()
  var speed = 1.0

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file, "The recording; a file that is not a capture counts as the robot's bytes.")
    try serving.endpoints(&line)
    try line.option(
      "speed", nil, &speed, as: .decimal(0.001...1_000, placeholder: "factor"),
      "How many times faster than recorded to play it.")
    try serving.output(&line)
  }

  func validate() throws(UsageError) { try serving.tcpPort() }

  func run(_ terminal: Terminal) async throws {
    let replay: Replay
    do { replay = try await Replay.reading(path: file, speed: speed) } catch {
      throw Failure.recording(error, file) ?? error
    }
    let server = ReplayServer(replay, time: Program.time)
    let recorders = try await serving.serve(terminal) { _, listener in
      try await server.serve(listener) { ending in
        guard ending == .played else { return }
        await terminal.note(
          "the recording is over: the client was hung up, and the next one gets it from its beginning",
          isQuiet: serving.isQuiet)
      }
    }
    try await recorders.finish(terminal)
    try Task.checkCancellation()
  }
}
