// The connection to one or several robots: its options, and the session from opening the port to the shutdown.

import SpheroPort
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSerial
import SpheroSession
import SpheroSystem
import SpheroTransport

struct Connection: Sendable {
  /// The values of `--port`, which only a command for several robots accepts more than once.
  private(set) var ports: [String] = []
  var port: String? {
    get { ports.first }
    set { ports = newValue.map { [$0] } ?? [] }
  }
  /// The prefix of remarks: the port if there are several robots, otherwise empty.
  private(set) var label = ""
  var timeout = Duration.seconds(1)
  /// How long to wait for a busy or missing port; nil for the default attempts.
  var wait: Duration?
  var captureFile: String?
  var captureOutput: CaptureOutput?
  var sleepsAtEnd = false
  var isQuiet = false
  var isVerbose = false
  var printsStatistics = false
  /// The session of `sphero run` that its commands use; nil if the command connects itself.
  var session: RunSession?

  /// Declares the options; a line of `sphero run` has none of them, but the connection of the run.
  ///
  /// `takesSeveral` permits several ports; `captures` is false for commands that capture by other options.
  mutating func options(
    _ line: inout Synopsis, takesSeveral: Bool = false, captures: Bool = true
  ) throws(UsageError) {
    if let context = line.context {
      self = context.connection
      return
    }
    let help = """
      Where the robot is: a device file, its Bluetooth address like 68:86:E7:01:02:03, ble:NAME, \
      tcp:HOST:PORT, \
      replay:FILE, or 'sim:' for a simulated one
      """
    if takesSeveral {
      try line.options("port", "p", &ports, as: .port, "\(help); several times for several robots.")
      if let twice = ports.indices.first(where: { ports[..<$0].contains(ports[$0]) }) {
        throw UsageError(
          "--port '\(ports[twice])' is given twice",
          advice: "Name each robot once; a simulated one differs by an option, as sim:name=Zoe.")
      }
    } else {
      try line.option("port", "p", &port, as: .port, "\(help).")
    }
    try line.option(
      "timeout", nil, &timeout, as: .duration(minimum: .milliseconds(10)),
      "How long to wait for each answer; the first answer may take \(Self.firstAnswerFactor) times that, up to 15 s or the given time, whichever is longer."
    )
    try line.option(
      "wait", nil, &wait,
      "How long to wait for a port that is busy or missing, or that refuses; not for one that opens and is lost, nor for replay: and sim:. Without it, about 3 s for a busy one."
    )
    if captures {
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

  /// The timeout of the first answer as a multiple of ``timeout``: an RFCOMM link opens before the robot receives.
  private static let firstAnswerFactor = 15

  /// A connection to one of several robots: the port begins its remarks, the number from 1 ends the name of its capture.
  func at(_ port: String, number: Int) -> Connection {
    var connection = self
    (connection.ports, connection.label) = ([port], "\(port): ")
    connection.captureFile = Recorder.numbered(captureFile, number)
    return connection
  }

  /// The port of `--port` or `$SPHERO_PORT`, or else the only device file of a robot.
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

  var isReplay: Bool { (try? resolvedPort())?.kind == .recording }

  /// Connects the robot for the duration of `body`, and restores its state; a line of a run receives that of the run.
  ///
  /// `takeover` asks the process that holds the port to release it, `reopens` opens a lost link again, and `adjust`
  /// changes the settings of the session. stderr displays the notices for which `handles` returns false.
  /// Once the line is open, `onOpen` receives its opener, and `onCaptures` receives the captures that record it.
  /// `wrapping` returns the line that the session uses, given the open one and its clock.
  /// `figures` are fields that `--statistics` adds to those of the session.
  func withRobot<Value>(
    takeover: Takeover? = nil, reopens: Bool = false, adjust: (inout Robot.Settings) -> Void = { _ in },
    handles: @escaping @Sendable (Notice) -> Bool = { _ in false },
    onOpen: (PortOpener) async -> Void = { _ in },
    onCaptures: ([CaptureWriter]) -> Void = { _ in },
    wrapping: (any Transport, any TimeSource) -> any Transport = { line, _ in line },
    figures: @autoclosure () -> [Field] = [],
    _ body: (Robot) async throws -> Value
  ) async throws -> Value {
    if let session {
      onCaptures(session.captures.withLock { $0 })
      return try await body(session.robot)
    }
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
    let outcome = await result {
      let line = try await open(opener, port.kind, takeover: takeover)
      await onOpen(opener)
      return try await withTaskCancellationHandler {
        try await withRecording(of: line, port, time, shutdown) { line, captures in
          onCaptures(captures)
          let reopening = Reconnection {
            let line = try await opener.open()
            for capture in captures { capture.record(CaptureMark(.reconnection)) }
            return line.recorded(by: captures)
          }
          return try await Robot.withRobot(
            on: wrapping(line, time), time: time, settings: settings,
            reopening: reopens ? reopening : nil, onNotice: { if !handles($0) { remarks.add($0) } }
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
      }
    }
    await remarks.finish(within: shutdown.remaining)
    if let robot {
      if await robot.isStopPending {
        await Terminal().note("the ball may roll on: 'sphero stop' stops it once the robot is in reach", self)
      }
      await report(await robot.statistics, figures())
    }
    do { return try outcome.get() } catch {
      guard case .recording(let path) = port else { throw error }
      throw await Failure.recording(error, path) ?? error
    }
  }

  /// Records the bytes of an open line for the duration of `body`, which receives the recorded line, and the captures
  /// for the lines of reconnections; throws a ``Failure`` if the capture cannot be created or is incomplete.
  private func withRecording<Value>(
    of line: some Transport, _ port: Port, _ time: any TimeSource, _ shutdown: ShutdownDeadline,
    _ body: (any Transport, [CaptureWriter]) async throws -> Value
  ) async throws -> Value {
    let recorder: Recorder
    do throws(Failure) {
      recorder = try Recorder(
        file: captureFile, output: captureOutput, isVerbose: isVerbose, isQuiet: isQuiet,
        port: port.description, link: port.kind.description, label: label, time: time)
    } catch {
      await line.close()
      throw error
    }
    let captures = recorder.captures
    let outcome = await result { try await body(line.recorded(by: captures), captures) }
    if let loss = await recorder.finish(within: shutdown.remaining) {
      if case .success = outcome { throw Recorder.failure(loss) }
      // The first failure determines the exit code; this one is a remark.
      await Terminal().note("\(label)\(loss)", isQuiet: false)
    }
    return try outcome.get()
  }

  /// Runs `body` with a connection for each robot, all at once.
  ///
  /// With several robots, the failure of one is printed with its port and does not end the others.
  /// A closed stdout and a cancellation end all of them.
  ///
  /// Throws the error of a single robot; for several, a ``Failure`` with the highest exit code.
  func forEachRobot(
    _ terminal: Terminal, _ body: @escaping @Sendable (Connection) async throws -> Void
  ) async throws {
    guard ports.count > 1 else { return try await body(self) }
    let connections = ports.enumerated().map { index, port in at(port, number: index + 1) }
    // Reports a malformed port before any port is opened.
    for connection in connections { _ = try connection.resolvedPort() }
    var failures: [(port: String, code: ExitCode)] = []
    try await withThrowingTaskGroup(of: (port: String, code: ExitCode)?.self) { group in
      for connection in connections {
        group.addTask {
          do {
            try await body(connection)
            return nil
          } catch let error where error is CancellationError || error is OutputError {
            throw error
          } catch {
            try Task.checkCancellation()
            let failure = Failure(error)
            let advice = failure.advice.map { ". \($0)" } ?? ""
            // The message of a port that cannot be opened begins with the port.
            let isNamed = connection.port.map { failure.message.hasPrefix($0) } ?? false
            await terminal.note((isNamed ? "" : connection.label) + failure.message + advice, isQuiet: false)
            return (connection.port ?? "", failure.code)
          }
        }
      }
      for try await case let failure? in group { failures.append(failure) }
    }
    guard let worst = failures.max(by: { $0.code.rawValue < $1.code.rawValue }) else { return }
    // In the order of the command line, not in that of the failures.
    let ports = ports.filter { port in failures.contains { $0.port == port } }
    throw Failure(
      worst.code,
      "\(failures.count) of \(connections.count) robots failed: \(ports.joined(separator: ", "))",
      advice: "See the errors above.")
  }

  private func report(_ statistics: HostStatistics, _ figures: [Field]) async {
    if isVerbose { await Terminal().note(label + statistics.line, isQuiet: false) }
    guard printsStatistics else { return }
    let text = statistics.json(of: label.isEmpty ? nil : port, figures)
    // A closed stderr is not an error.
    try? await Terminal.writeError(Progress.takeBack() + text + "\n")
  }
}

extension Transport {
  /// The line with its bytes recorded; without captures the line itself, since each layer costs as much as a read.
  fileprivate func recorded(by captures: [CaptureWriter]) -> any Transport {
    captures.isEmpty ? self : RecordingTransport(self, to: captures)
  }
}

extension Robot {
  /// Requests reports of battery and collisions, if the firmware supports them; returns all events except sensor data.
  func reportedEvents() async throws -> EventSequence<TimedEvent<EventPacket>> {
    let events = timedEvents()
    do { try await send(Core.SetPowerNotification(isOn: true)) } catch SessionError.refused {}
    do { try await send(Sensing.ConfigureCollisionDetection()) } catch SessionError.refused {}
    return events
  }
}

/// Returns the value or the error of `body`, so that the caller can clean up before it throws the error.
nonisolated(nonsending) func result<Value>(
  of body: () async throws -> Value
) async -> Result<Value, any Error> {
  do { return .success(try await body()) } catch { return .failure(error) }
}

final class ShutdownDeadline: Sendable {
  /// The time limit of the robot's part, the first one; a robot usually confirms the stop much sooner.
  static let robotLimit = Duration.milliseconds(600)

  private let start = Locked<Duration?>(nil)

  func begin() { start.withLock { $0 = $0 ?? SystemTime().now } }

  /// The time that remains for the next step; starts the shutdown if necessary.
  var remaining: Duration {
    begin()
    let now = SystemTime().now
    // All steps take at most 900 ms; each has at least 50 ms.
    return max(.milliseconds(50), (start.withLock { $0 } ?? now) + .milliseconds(900) - now)
  }
}

extension Connection {
  /// Opens the port within `--wait`, or with the usual attempts of its kind without it, and reports the wait: as a
  /// countdown on a terminal, as one remark elsewhere.
  private func open(
    _ opener: PortOpener, _ kind: Port.Kind, takeover: Takeover?
  ) async throws -> any Transport {
    var policy = RetryPolicy()
    if let wait { policy.limit = wait }
    // Without `--wait`, a server or a robot with Bluetooth LE is tried once: see `PortOpener.open`.
    let isTriedOnce = wait == nil && kind != .device && kind != .bluetooth
    let limit = policy.limit ?? policy.pause * (policy.attempts - 1)
    let failure = Locked<LinkError?>(nil)
    policy.onRetry = { error in failure.withLock { $0 = error } }
    let start = Program.time.now
    let reports = Task(executorPreference: Program.time) {
      var isReported = false
      while true {
        let failure = failure.withLock { $0 }
        let elapsed = Program.time.now - start
        // The first attempt may take long, for example if a host does not answer.
        if !isQuiet, failure != nil || elapsed >= .seconds(1) {
          // Without `--wait`, the limit counts only the pauses between attempts; the first one may exceed it.
          let isCounted = !isTriedOnce && (failure != nil || wait != nil)
          let line = Self.openingLine(failure, left: isCounted ? limit - elapsed : nil)
          // Several robots would overwrite each other's line.
          if label.isEmpty, Progress.isPossible {
            await Progress.show(line)
          } else if failure != nil, !isReported, wait != nil {
            await Terminal().note(line, self)
          }
        }
        isReported = failure != nil
        do { try await Program.time.sleep(for: .milliseconds(250)) } catch { return }
      }
    }
    let line = await result { [policy] in
      try await opener.open(retryPolicy: isTriedOnce ? nil : policy, takeover: takeover)
    }
    reports.cancel()
    await reports.value
    try? StandardStream.error.writeBlocking(Progress.takeBack())
    return try line.get()
  }

  /// The countdown, such as `/dev/rfcomm0 is held by cat (pid 7); waiting for it, 27 s left`.
  static func openingLine(_ failure: LinkError?, left: Duration?) -> String {
    let state = failure.map { "\($0.message); waiting for it" } ?? "connecting"
    guard let left else { return state }
    let isLastSecond = left > .zero && left < .seconds(1)
    let seconds = isLastSecond ? "less than 1" : "\(max(0, Int((left / .seconds(1)).rounded(.up))))"
    return "\(state), \(seconds) s left"
  }
}
