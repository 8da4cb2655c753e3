// Where a command's results and remarks go, and the robot it talks to.

import SpheroPort
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSerial
import SpheroSession
import SpheroTransport

/// What a command has around it.
struct Terminal: Sendable {
  /// Where results go.
  static let output = BufferedOutput(.output, on: Program.time)

  /// The line of a run that prints; nil outside of runs.
  var line: LineOutput?

  /// Prints a line of results.
  func print(_ line: String) async throws { try await print(Array((line + "\n").utf8)) }

  /// Prints whole lines of results.
  nonisolated(nonsending) func print(_ lines: [UInt8]) async throws {
    guard let line else { return try await Self.output.write(lines) }
    try await line.print(lines)
  }

  /// Tells a person something that is not a result.
  func note(_ line: String, _ connection: Connection) async {
    await note(connection.label + line, isQuiet: connection.isQuiet)
  }

  /// Tells a person something that is not a result, unless the person wants none of it.
  func note(_ line: String, isQuiet: Bool) async {
    if let answer = self.line { return answer.add(remark: line) }
    guard !isQuiet else { return }
    if TerminalScreen.hold("sphero: \(line)\n") { return }
    // A remark stands after the results that it is about, also where both go to one file.
    try? Self.output.flush()
    // Remarks that nobody can read any more are no reason to stop.
    let text = "sphero: \(FieldValue.text(line).printable)\n"
    try? await StandardStream.error.write(Progress.takeBack() + text)
  }
}

/// The options of every command that connects.
struct Connection: Sendable {
  var port: String?
  /// The ports of several robots, where the verb takes several.
  var ports: [String] = []
  /// What stands in front of remarks where there are several robots.
  private(set) var label = ""
  private let takesSeveral: Bool
  private var makesCaptures = true
  var timeout = Wait(duration: .seconds(1))
  var captureFile: String?
  var isQuiet = false
  var isVerbose = false
  var tellsStatistics = false
  /// What a line of `sphero run` acts on; nil where the command connects by itself.
  var session: RunSession?

  /// The options with their defaults.
  ///
  /// - Parameter takesSeveral: Whether '--port' may be given several times.
  init(takesSeveral: Bool = false) { self.takesSeveral = takesSeveral }

  mutating func options(_ line: inout some OptionVisitor, captures: Bool = true) throws(UsageError) {
    makesCaptures = captures
    try line.connection(&self)
  }

  /// Visits the options.
  mutating func visit(_ line: inout some OptionVisitor) throws(UsageError) {
    let help = "Where the robot is: \(Self.kinds)"
    if takesSeveral {
      try line.options("port", "p", &ports, as: .port, "\(help); several times for several robots.")
      port = ports.first
    } else {
      try line.option("port", "p", &port, as: .port, "\(help).")
    }
    try line.option(
      "timeout", nil, &timeout,
      "How long to wait for each answer; the first answer may take \(Self.firstAnswerFactor) times that, up to 15 s."
    )
    if makesCaptures {
      let several = takesSeveral ? "; of further robots in file-2 and so on" : ""
      try line.option(
        "capture", nil, &captureFile, as: .newFile,
        "Keep every byte, with its time and direction, in this file\(several); "
          + "an existing file is not overwritten.")
    }
    try line.flag("quiet", "q", &isQuiet, "Print no remarks on stderr.")
    try line.flag(
      "verbose", "v", &isVerbose, "Print each packet on stderr, and at the end what the session has counted.")
    try line.flag(
      "statistics", nil, &tellsStatistics, "Print what the session has counted as a JSON object on stderr.")
  }

  /// The wait for the first answer, in waits for an answer: a link over RFCOMM is open before the robot hears.
  private static let firstAnswerFactor = 15

  /// What a port can be.
  private static let kinds = """
    a device file, its Bluetooth address like 68:86:E7:01:02:03, tcp:HOST:PORT, replay:FILE, \
    or 'sim:' for a simulated one
    """

  /// A connection for each robot, whose remarks name it where there are several.
  var each: [Connection] {
    guard ports.count > 1 else { return [self] }
    return ports.enumerated().map { index, port in
      var connection = self
      (connection.port, connection.ports, connection.label) = (port, [port], "\(port): ")
      connection.captureFile = Recorder.numbered(captureFile, index + 1)
      return connection
    }
  }

  /// Makes sure that each robot has a port, and a name, of its own.
  func validate() throws(UsageError) {
    guard let twice = ports.indices.first(where: { ports[..<$0].contains(ports[$0]) }) else { return }
    throw UsageError(
      "--port '\(ports[twice])' is given twice",
      advice: "Name each robot once; a simulated one differs by an option, as sim:name=Zoe.")
  }

  /// The port to use.
  func resolvedPort() throws -> Port {
    if let port = port ?? ProcessContext.environment("SPHERO_PORT") { return try Port(parsing: port) }
    let candidates = SerialDevice.candidates()
    if candidates.count == 1 { return .device(path: candidates[0].path) }
    let found =
      candidates.isEmpty
      ? "there is no robot's device file"
      : "there are several: \(candidates.map(\.path).joined(separator: ", "))"
    throw Failure(
      .noRobot, "no port: \(found)",
      advice: "Name one with --port or $SPHERO_PORT, or try '--port sim:'. 'sphero devices' says more.")
  }

  /// Connects the robot for as long as `body` runs, and leaves it as it was found; in a run, takes the run's robot.
  ///
  /// - Parameters:
  ///   - takeover: The program that is asked to give the port up.
  ///   - reopens: Whether a lost link is opened again.
  ///   - adjust: Changes the settings of the session.
  ///   - onNotice: Gets the remarks of the session; where it is left out they are printed on stderr.
  ///   - watch: Wraps the open line for whoever looks at its bytes; the captures are those of the line.
  ///   - figures: What stands after the statistics of the session, at the end.
  ///   - body: What to do with the robot.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; `LinkError`, `PortError`, `Failure`.
  func withRobot<Result>(
    takeover: Takeover? = nil, reopens: Bool = false, adjust: (inout Robot.Settings) -> Void = { _ in },
    onNotice: (@Sendable (Notice) -> Void)? = nil,
    watch: (any Transport, [CaptureWriter]) -> any Transport = { line, _ in line },
    figures: () -> [Field] = { [] },
    _ body: (Robot) async throws -> Result
  ) async throws -> Result {
    if let session { return try await body(session.robot) }
    let port = try resolvedPort()
    let reopens = reopens && port.comesBack
    var settings = Robot.Settings(timeout: timeout.duration)
    settings.connectTimeout = max(
      timeout.duration, min(settings.connectTimeout, timeout.duration * Self.firstAnswerFactor))
    settings.leaveTimeout = Departure.robotLimit
    adjust(&settings)
    let remarks = Remarks(of: self, tellsLoss: reopens)
    let departure = Departure()
    var robot: Robot?
    let outcome: Swift.Result<Result, any Error>
    do {
      let opener = PortOpener(port, time: Program.time)
      let line = try await opener.open(takeover: takeover)
      outcome = .success(
        try await withTaskCancellationHandler {
          try await recorded(line, port: port.description, departure) { line, captures in
            let reopening = Reopening {
              let line = try await opener.open()
              for capture in captures { capture.note(CaptureMark(.reconnection)) }
              return line.noted(by: captures)
            }
            return try await Robot.withRobot(
              on: watch(line, captures), time: Program.time, settings: settings,
              reopening: reopens ? reopening : nil, onNotice: onNotice ?? { remarks.add($0) }
            ) { connected in
              robot = connected
              MovingRobots.all.add(connected)
              defer {
                MovingRobots.all.remove(connected)
                departure.begin()
              }
              return try await body(connected)
            }
          }
        } onCancel: {
          departure.begin()
        })
    } catch { outcome = .failure(error) }
    await remarks.finish(within: departure.rest)
    if let robot { await tell(await robot.statistics, figures()) }
    do { return try outcome.get() } catch { throw Self.explained(error, port) }
  }

  /// Whether the port is a recording, which ends.
  var isReplay: Bool { (try? resolvedPort())?.kind == .recording }

  /// What an error means where the port is a recording: there is no robot to wake.
  private static func explained(_ error: any Error, _ port: Port) -> any Error {
    guard port.kind == .recording, let path = port.path else { return error }
    return Failure.recording(error, path) ?? error
  }

  /// Tells what a session has counted, where that is asked for.
  private func tell(_ statistics: HostStatistics, _ figures: [Field]) async {
    if isVerbose { await Terminal().note(label + statistics.line, isQuiet: false) }
    guard tellsStatistics else { return }
    let text = statistics.json(of: label.isEmpty ? nil : port, figures)
    // Nobody reads it: no reason to fail.
    try? await StandardStream.error.write(Progress.takeBack() + text + "\n")
  }
}

extension Port {
  /// Whether it may come back once it is lost: what is recorded is over.
  fileprivate var comesBack: Bool { kind != .recording }
}

/// Prints the remarks of a session as they come, without holding it up.
private struct Remarks: Sendable {
  private let mailbox = Mailbox<Notice>(capacity: 256)
  private let printer: Task<Void, Never>
  private let tellsLoss: Bool

  /// Begins to print.
  ///
  /// - Parameters:
  ///   - connection: Of which robot they are, and whether anybody wants them.
  ///   - tellsLoss: Whether a lost link is a remark; where it does not come back, it is an error that says so itself.
  init(of connection: Connection, tellsLoss: Bool) {
    self.tellsLoss = tellsLoss
    printer = Task(executorPreference: Program.time) { [mailbox] in
      while let notices = try? await mailbox.receive() {
        for notice in notices { await Terminal().note(Self.text(notice), connection) }
      }
    }
  }

  private static func text(_ notice: Notice) -> String {
    notice == .disconnected ? "\(notice); reconnecting for up to a minute" : notice.description
  }

  func add(_ notice: Notice) {
    if notice != .connected, tellsLoss || notice != .disconnected { mailbox.push([notice]) }
  }

  /// Waits until all is printed, but not for ever: nobody may read it.
  func finish(within patience: Duration) async {
    mailbox.finish()
    let limit = Task(executorPreference: Program.time) {
      do { try await Program.time.sleep(for: patience) } catch { return }
      printer.cancel()
    }
    await printer.value
    limit.cancel()
  }
}
