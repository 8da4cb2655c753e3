// The connection to a robot: options, the session from opening the port to the shutdown, captures.

import SpheroPort
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSerial
import SpheroSession
import SpheroSystem
import SpheroTransport

struct Connection: Sendable {
  var port: String?
  var ports: [String] = []
  /// The prefix of remarks if there are several robots; else empty.
  private(set) var label = ""
  private let takesSeveral: Bool
  private var makesCaptures = true
  var timeout = Duration.seconds(1)
  /// How long to wait for a busy or missing port; nil for the usual attempts.
  var wait: Duration?
  var captureFile: String?
  /// Whether the robot sleeps when the command ends.
  var sleepsAtEnd = false
  var isQuiet = false
  var isVerbose = false
  var printsStatistics = false
  /// The session that a line of `sphero run` uses; nil if the command connects itself.
  var session: RunSession?

  init(takesSeveral: Bool = false) { self.takesSeveral = takesSeveral }

  /// Declares the options; `captures` is false for commands with their own option of this name.
  mutating func options(_ line: inout some OptionVisitor, captures: Bool = true) throws(UsageError) {
    makesCaptures = captures
    try line.connection(&self)
  }

  /// Visits the options; called by the visitors themselves, since a line of a run has none of them.
  mutating func visit(_ line: inout some OptionVisitor) throws(UsageError) {
    let help = """
      Where the robot is: a device file, its Bluetooth address like 68:86:E7:01:02:03, ble:NAME, \
      tcp:HOST:PORT, \
      replay:FILE, or 'sim:' for a simulated one
      """
    if takesSeveral {
      try line.options("port", "p", &ports, as: .port, "\(help); several times for several robots.")
      port = ports.first
    } else {
      try line.option("port", "p", &port, as: .port, "\(help).")
    }
    try line.option(
      "timeout", nil, &timeout, as: .duration(minimum: .milliseconds(10)),
      "How long to wait for each answer; the first answer may take \(Self.firstAnswerFactor) times that, up to 15 s."
    )
    try line.option(
      "wait", nil, &wait,
      "How long to wait for a port that is busy or missing, or that refuses; without it, about 3 s for a busy one."
    )
    if makesCaptures {
      let several = takesSeveral ? "; of further robots in file-2 and so on" : ""
      try line.option(
        "capture", nil, &captureFile, as: .newFile,
        "Keep every byte, with its time and direction, in this file\(several); "
          + "an existing file is not overwritten.")
    }
    try line.flag(
      "sleep", nil, &sleepsAtEnd,
      "Put the robot to sleep when the command ends, also by Ctrl-C; a shake wakes it.")
    try line.flag("quiet", "q", &isQuiet, "Print no remarks on stderr.")
    try line.flag(
      "verbose", "v", &isVerbose, "Print each packet on stderr, and at the end what the session has counted.")
    try line.flag(
      "statistics", nil, &printsStatistics,
      "Print what the session has counted as a JSON object on stderr.")
  }

  /// The timeout of the first answer in timeouts: a link over RFCOMM is open before the robot receives.
  private static let firstAnswerFactor = 15

  /// A connection for each robot; its label names the robot if there are several.
  var each: [Connection] {
    guard ports.count > 1 else { return [self] }
    return ports.enumerated().map { index, port in
      var connection = self
      (connection.port, connection.ports, connection.label) = (port, [port], "\(port): ")
      connection.captureFile = Recorder.numbered(captureFile, index + 1)
      return connection
    }
  }

  /// A connection for a second robot at a port, whose remarks begin with the port and whose capture is numbered.
  func second(at port: String) -> Connection {
    var connection = self
    (connection.port, connection.ports, connection.label) = (port, [port], "\(port): ")
    connection.captureFile = Recorder.numbered(captureFile, 2)
    return connection
  }

  func validate() throws(UsageError) {
    guard let twice = ports.indices.first(where: { ports[..<$0].contains(ports[$0]) }) else { return }
    throw UsageError(
      "--port '\(ports[twice])' is given twice",
      advice: "Name each robot once; a simulated one differs by an option, as sim:name=Zoe.")
  }

  /// The port of `--port`, of `$SPHERO_PORT`, or the only device file of a robot.
  func resolvedPort() throws -> Port {
    if let port = port ?? ProcessContext.environment("SPHERO_PORT") { return try Port(parsing: port) }
    let candidates = SerialDevice.candidates()
    if candidates.count == 1 { return .device(path: candidates[0].path) }
    let found =
      candidates.isEmpty
      ? "no robot is named"
      : "there are several: \(candidates.map(\.path).joined(separator: ", "))"
    throw Failure(
      .noRobot, "no port: \(found)",
      advice:
        "Name its address with --port or $SPHERO_PORT; 'sphero devices' lists robots. Without one, try '--port sim:'."
    )
  }

  /// Whether the port is a device file or the address of a robot.
  var hasDevice: Bool { [.device, .bluetooth].contains((try? resolvedPort())?.kind) }

  /// Whether the port is a recording, which ends.
  var isReplay: Bool { (try? resolvedPort())?.kind == .recording }

  /// Connects the robot for the duration of `body` and restores its state afterwards; in a run, uses its robot.
  ///
  /// `takeover` asks the process that holds the port to release it, and `reopens` opens a lost link again. `watch`
  /// wraps the open line, and receives its captures; `onOpen` receives the opener of the line. `onNotice` is nil if stderr displays the remarks of the session.
  func withRobot<Result>(
    takeover: Takeover? = nil, reopens: Bool = false, adjust: (inout Robot.Settings) -> Void = { _ in },
    onNotice: (@Sendable (Notice) -> Void)? = nil,
    watch: (any Transport, [CaptureWriter]) -> any Transport = { line, _ in line },
    onOpen: (PortOpener) async -> Void = { _ in },
    figures: () -> [Field] = { [] },
    _ body: (Robot) async throws -> Result
  ) async throws -> Result {
    if let session { return try await body(session.robot) }
    let port = try resolvedPort()
    let reopens = reopens && port.kind != .recording
    let opener = PortOpener(port, time: Program.time)
    let time = opener.time
    var settings = Robot.Settings(timeout: timeout)
    settings.connectTimeout = max(
      timeout, min(settings.connectTimeout, timeout * Self.firstAnswerFactor))
    settings.shutdownTimeout = ShutdownDeadline.robotLimit * opener.pace
    settings.sleepsAtShutdown = sleepsAtEnd
    adjust(&settings)
    let remarks = RemarkPrinter(of: self, reportsLoss: reopens)
    let shutdown = ShutdownDeadline()
    var robot: Robot?
    let outcome: Swift.Result<Result, any Error>
    do {
      let line = try await OpeningProgress.open(opener, self, takeover: takeover)
      await onOpen(opener)
      outcome = .success(
        try await withTaskCancellationHandler {
          try await recorded(line, port, time, shutdown) { line, captures in
            let reopening = Reconnection {
              let line = try await opener.open()
              for capture in captures { capture.record(CaptureMark(.reconnection)) }
              return line.noted(by: captures)
            }
            return try await Robot.withRobot(
              on: watch(line, captures), time: time, settings: settings,
              reopening: reopens ? reopening : nil, onNotice: onNotice ?? { remarks.add($0) }
            ) { connected in
              robot = connected
              MovingRobots.all.add(connected)
              defer {
                MovingRobots.all.remove(connected)
                shutdown.begin()
              }
              return try await body(connected)
            }
          }
        } onCancel: {
          shutdown.begin()
        })
    } catch { outcome = .failure(error) }
    await remarks.finish(within: shutdown.remaining)
    if let robot { await report(await robot.statistics, figures()) }
    do { return try outcome.get() } catch {
      guard port.kind == .recording, let path = port.path else { throw error }
      throw Failure.recording(error, path) ?? error
    }
  }

  /// Records the bytes of an open line for the duration of `body`, which also receives the captures for lines that
  /// replace it; throws a ``Failure`` if the capture cannot be created or is incomplete.
  private func recorded<Result>(
    _ line: some Transport, _ port: Port, _ time: any TimeSource, _ shutdown: ShutdownDeadline,
    _ body: (any Transport, [CaptureWriter]) async throws -> Result
  ) async throws -> Result {
    let recorder: Recorder
    do throws(Failure) {
      recorder = try Recorder(
        file: captureFile, isVerbose: isVerbose, isQuiet: isQuiet, port: port.description,
        link: port.kind.description, label: label, time: time)
    } catch {
      await line.close()
      throw error
    }
    let captures = recorder.captures
    let outcome: Swift.Result<Result, any Error>
    do {
      outcome = .success(try await body(line.noted(by: captures), captures))
    } catch { outcome = .failure(error) }
    guard let loss = await recorder.finish(within: shutdown.remaining) else { return try outcome.get() }
    if case .failure = outcome {
      // The first failure determines the exit code; this one is a remark.
      await Terminal().note("\(label)\(loss)", isQuiet: false)
    }
    _ = try outcome.get()
    throw Recorder.failure(loss)
  }

  private func report(_ statistics: HostStatistics, _ figures: [Field]) async {
    if isVerbose { await Terminal().note(label + statistics.line, isQuiet: false) }
    guard printsStatistics else { return }
    let text = statistics.json(of: label.isEmpty ? nil : port, figures)
    // A closed stderr is not an error.
    try? await StandardStream.error.write(Progress.takeBack() + text + "\n")
  }
}

extension Transport {
  /// The line with its bytes recorded; the line itself without captures, since each layer costs as much as a read.
  fileprivate func noted(by captures: [CaptureWriter]) -> any Transport {
    captures.isEmpty ? self : RecordingTransport(self, to: captures)
  }
}

extension Robot {
  /// Requests reports of battery and collisions, as far as the firmware supports them; returns all events but
  /// sensor data.
  func reportedEvents() async throws -> EventSequence<TimedEvent<EventPacket>> {
    let events = timedEvents()
    do { try await send(Core.SetPowerNotification(isOn: true)) } catch SessionError.refused {}
    do { try await send(Sensing.ConfigureCollisionDetection()) } catch SessionError.refused {}
    return events
  }
}

/// Prints the remarks of a session without blocking it.
private struct RemarkPrinter: Sendable {
  private let mailbox = Mailbox<Notice>(capacity: 256)
  private let task: Task<Void, Never>
  private let reportsLoss: Bool

  /// `reportsLoss` is false if a lost link is not opened again, which is an error already.
  init(of connection: Connection, reportsLoss: Bool) {
    self.reportsLoss = reportsLoss
    task = Task(executorPreference: Program.time) { [mailbox] in
      while let notices = try? await mailbox.receive() {
        for notice in notices {
          let suffix = notice == .disconnected ? "; reconnecting for up to a minute" : ""
          await Terminal().note("\(notice)" + suffix, connection)
        }
      }
    }
  }

  func add(_ notice: Notice) {
    if notice != .connected, reportsLoss || notice != .disconnected { mailbox.push([notice]) }
  }

  /// Waits until all remarks are printed, for at most `limit`: a reader of stderr may block.
  func finish(within limit: Duration) async {
    mailbox.finish()
    let timer = Task(executorPreference: Program.time) {
      do { try await Program.time.sleep(for: limit) } catch { return }
      task.cancel()
    }
    await task.value
    timer.cancel()
  }
}

/// The deadline of the shutdown, which begins with the end of a command or with Ctrl-C.
final class ShutdownDeadline: Sendable {
  /// The part for the robot, which usually confirms the stop much sooner.
  static let robotLimit = Duration.milliseconds(600)
  private static let limit = Duration.milliseconds(900)
  /// The minimum for the last step.
  private static let minimum = Duration.milliseconds(50)

  private let start = Locked<Duration?>(nil)

  /// Starts the time; later calls have no effect.
  func begin() { start.withLock { $0 = $0 ?? SystemTime().now } }

  /// The time for the next step; starts the time if necessary.
  var remaining: Duration {
    begin()
    let now = SystemTime().now
    return max(Self.minimum, (start.withLock { $0 } ?? now) + Self.limit - now)
  }
}

/// The writers of one line.
struct Recorder: Sendable {
  private let capture: CaptureWriter?
  private let trace: CaptureWriter?

  var captures: [CaptureWriter] { [capture, trace].compactMap { $0 } }

  /// Creates the capture, if any; its header has the port, and printed packets and remarks begin with the label.
  init(
    file: String?, isVerbose: Bool, isQuiet: Bool, port: String, link: String? = nil, label: String = "",
    printsMarks: Bool = true, time: any TimeSource = Program.time
  ) throws(Failure) {
    let header = CaptureHeader(program: "sphero", version: Program.version, port: port, link: link)
    if let file {
      let sink: CaptureFile
      do throws(LinkError) { sink = try CaptureFile(file, isReplacing: false) } catch {
        if case .failed(_, _, let code) = error, SystemError(code: code).alreadyExists {
          throw Failure(
            .cannotCreate, "\(file) already exists, and captures do not overwrite files",
            advice: "Choose another name, or remove the file first.")
        }
        throw Failure(
          .cannotCreate, error.message, advice: "Choose a file in a folder that you may write to.")
      }
      capture = CaptureWriter(to: sink, header: header, time: time) { reason in
        await Terminal().note("\(label)the capture ends here: \(reason)", isQuiet: isQuiet)
      }
    } else {
      capture = nil
    }
    let printer = PacketPrinter(label: label, printsMarks: printsMarks)
    trace = isVerbose ? CaptureWriter(to: printer, header: header, time: time) : nil
  }

  /// Finishes both writers, and returns the loss of the capture.
  func finish(within limit: Duration) async -> CaptureLoss? {
    async let traced = trace?.finish(within: limit)
    let loss = await capture?.finish(within: limit)
    _ = await traced
    return loss ?? nil
  }

  /// The file of the robot with a number from 1: `path`, `path-2`, `path-3` and so on.
  static func numbered(_ path: String?, _ number: Int) -> String? {
    path.map { number == 1 ? $0 : "\($0)-\(number)" }
  }

  /// A file name with the present time in UTC, such as `record-20261122T074617Z.capture`.
  static func freshName(of verb: String) -> String {
    let time = WallTime(sinceEpoch: SystemTime().wallClock).description
    return "\(verb)-\(time.prefix { $0 != "." }.filter { $0 != ":" && $0 != "-" })Z.capture"
  }

  static func failure(_ loss: CaptureLoss) -> Failure {
    Failure(.linkLost, "\(loss)", advice: "Make room, or read the pipe faster, and capture again.")
  }
}

/// Prints packets and their meanings on stderr.
private actor PacketPrinter: CaptureSink {
  private let label: String
  private let printsMarks: Bool
  private var dissector = Dissector()

  init(label: String, printsMarks: Bool) { (self.label, self.printsMarks) = (label, printsMarks) }

  func write(_ record: CaptureRecord) async throws {
    switch record {
    case .header: break
    case .mark(let mark): if printsMarks { try await StandardStream.error.write("\(label)\(mark)\n") }
    case .line(let line):
      for item in dissector.append(line.bytes, from: line.sender, at: line.time) {
        let bytes = CaptureLine(from: item.sender, bytes: item.bytes)
        try await StandardStream.error.write("\(label)\(bytes)  \(item.meaning)\n")
      }
    }
  }
}
