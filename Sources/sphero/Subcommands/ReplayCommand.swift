// sphero replay: a recording as a robot on a pseudo-terminal or a TCP port.

import SpheroProtocol
import SpheroRecording
import SpheroTransport

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
  var places = Places()
  var speed = Speed(factor: 1)
  var captureFile: String?
  var isQuiet = false
  var isVerbose = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file, "The recording; a file that is not a capture counts as the robot's bytes.")
    try places.options(&line)
    try line.option("speed", nil, &speed, "How many times faster than recorded to play it.")
    try line.option(
      "capture", nil, &captureFile, as: .newFile,
      "Keep every byte, as the client sees it, in this file; an existing file is not overwritten.")
    try line.flag("quiet", "q", &isQuiet, "Print no remarks on stderr.")
    try line.flag("verbose", "v", &isVerbose, "Print each packet on stderr, as the client sees it.")
  }

  func validate() throws(UsageError) { _ = try places.tcpPort() }

  func run(_ terminal: Terminal) async throws {
    let replay: Replay
    do { replay = try await Replay.reading(path: file, speed: speed.factor) } catch {
      throw Failure.recording(error, file) ?? error
    }
    let server = ReplayServer(replay, time: Program.time)
    let service = Places.Service(isQuiet: isQuiet, hint: "", recorder: recorder) { _, place in
      try await server.serve(place) { ending in
        guard ending == .played else { return }
        await terminal.note(
          "the recording is over: the client was hung up, and the next one gets it from its beginning",
          isQuiet: isQuiet)
      }
    }
    let recorders = try await places.serve(service, terminal)
    try await recorders.finish(terminal)
    try Task.checkCancellation()
  }

  @Sendable private func recorder(_ number: Int, port: String) throws -> Recorder {
    try Recorder(file: captureFile, isVerbose: isVerbose, isQuiet: isQuiet, port: port)
  }
}

/// How many times faster than recorded.
struct Speed: Argument {
  var factor: Double

  init(factor: Double) { self.factor = factor }

  init?(argument: String) {
    // What Double takes beyond that, like "nan" or "0x1p3", is not a factor.
    guard argument.allSatisfy({ "0123456789.".contains($0) }), let factor = Double(argument),
      (0.001...1_000).contains(factor)
    else { return nil }
    self.factor = factor
  }

  var argumentText: String? { Frequency.text(factor) }
  static var placeholder: String { "factor" }
  static var allowed: String? { "0.001...1000" }
}
