// A connected robot: an actor around the conversation, with one reader, one writer and one timer.

// The types of the session's interface: requests, samples, errors, notices, settings, motion.
@_exported public import SpheroHost
@_exported public import SpheroMotion
import SpheroProtocol
public import SpheroTransport

/// A robot at the other end of a line.
///
/// ``withRobot(on:time:settings:reopening:onNotice:isolation:_:)`` connects a robot for the duration of a closure;
/// use ``connect(on:time:settings:reopening:onNotice:)`` and ``close()`` for longer sessions.
/// `Conversation` makes all decisions; the actor moves bytes and waits.
public actor Robot {
  /// Timeouts, retries and rates of a session.
  public typealias Settings = HostSettings

  /// The clock of the session. Wait with it instead of `Task.sleep`, for which the virtual time of a test does not wait.
  public nonisolated let time: any TimeSource
  var conversation: Conversation
  var answers: [RequestID: PendingAnswer] = [:]
  var channels: [SampleChannel] = []
  var listeners: [Listener] = []
  /// The number of samples that the removed channels have dropped.
  var droppedSamples = 0
  var runningProgram: RunningProgram?
  /// The number of calls of ``stopMotion()`` that had a motion or a program to stop.
  package internal(set) var suspendedMotions = 0
  /// Ends with the abort of a program by ``stopMotion()``, confirmed or not; nil before the first one.
  var suspension: AutoResetEvent?

  private var transport: any Transport
  private let reopening: Reconnection?
  private let onNotice: (@Sendable (Notice) -> Void)?
  /// The error that ended the line, which unanswered requests throw; nil while a line is open.
  private(set) var lineError: (any Error)?
  /// The number of the request that started the last program inside the robot that may roll the ball; nil without one.
  var motionOfProgram: Int?
  /// The number of the current line; a task with an earlier number has no further effect.
  private var lineNumber = 0
  /// Ends when the robot answers for the first time; throws if it does not.
  private let connected = AutoResetEvent()
  /// Signaled when the conversation has output, or is over.
  private let outputReady = AutoResetEvent()
  /// Signaled when the line must be closed, or the conversation is over.
  private let lineEnded = AutoResetEvent()
  private var timer: (deadline: Duration, task: Task<Void, Never>)?
  /// Ends with the session.
  private(set) var mainTask: Task<Void, Never>?

  private init(
    on transport: any Transport, time: any TimeSource, settings: Settings, reopening: Reconnection?,
    onNotice: (@Sendable (Notice) -> Void)?
  ) {
    (self.transport, self.time, self.reopening, self.onNotice) = (transport, time, reopening, onNotice)
    var settings = settings
    if settings.firstSequence == 0 { settings.firstSequence = .random(in: 1...255) }
    settings.wallClockStart = time.wallClockStart
    conversation = Conversation(settings, at: time.now)
  }

  // MARK: Connecting and leaving

  /// Connects a robot for the duration of `body`.
  ///
  /// Before this returns, also after an error or a cancellation, ``close()`` stops what was started.
  /// The parameters are those of ``connect(on:time:settings:reopening:onNotice:)``; `body` runs on the actor of the caller.
  ///
  /// - Throws: The error of `body`; the errors of ``connect(on:time:settings:reopening:onNotice:)``.
  public static func withRobot<Result>(
    on transport: any Transport, time: (any TimeSource)? = nil, settings: Settings = Settings(),
    reopening: Reconnection? = nil, onNotice: (@Sendable (Notice) -> Void)? = nil,
    isolation: isolated (any Actor)? = #isolation, _ body: (Robot) async throws -> Result
  ) async throws -> Result {
    let robot = try await connect(
      on: transport, time: time, settings: settings, reopening: reopening, onNotice: onNotice)
    let outcome: Swift.Result<Result, any Error>
    do { outcome = .success(try await body(robot)) } catch { outcome = .failure(error) }
    await robot.close()
    return try outcome.get()
  }

  /// Connects a robot until ``close()`` is called.
  ///
  /// A robot that the program releases without ``close()`` stays connected, streams on, and continues a
  /// ``drive(_:speed:)`` until the process ends; ``withRobot(on:time:settings:reopening:onNotice:isolation:_:)`` always closes.
  ///
  /// - Parameters:
  ///   - transport: The line, which is closed at the end, and if no robot answers.
  ///   - time: The clock for timeouts; nil for that of the line.
  ///   - settings: Timeouts, retries and rates.
  ///   - reopening: How a lost line is reopened; nil to end the session instead.
  ///   - onNotice: Receives every notice, including those of connecting and leaving; it must return quickly.
  /// - Returns: The robot, which has answered.
  /// - Throws: `SessionError.notConnected` if no robot answers; the transport's error; `CancellationError`.
  public static func connect(
    on transport: any Transport, time: (any TimeSource)? = nil, settings: Settings = Settings(),
    reopening: Reconnection? = nil, onNotice: (@Sendable (Notice) -> Void)? = nil
  ) async throws -> Robot {
    let robot = Robot(
      on: transport, time: time ?? transport.clock ?? SystemTime(), settings: settings, reopening: reopening,
      onNotice: onNotice)
    await robot.start()
    do {
      _ = try await robot.connected.wait()
      return robot
    } catch {
      await robot.close()
      throw error
    }
  }

  /// Stops what the program has started (rolling, streaming), and closes the line, also in a cancelled task.
  ///
  /// The stop takes at most `HostSettings.shutdownTimeout`, or twice that if the process had no processor time to send it;
  /// after a program inside the robot, the measurement of the heading takes up to 0.3 s more.
  /// Pending requests throw an error, and sequences end.
  public func close() async {
    // A separate task, because a cancelled one would not wait for the heading.
    await time.start { await self.stopAfterProgram() }.value
    conversation.shutDown(at: time.now)
    flush()
    // The task is not a child of the caller's: a cancelled caller waits for its end as well.
    await mainTask?.value
  }

  /// Whether neither a motion nor a stop followed a program; a stop that still measures its heading may never be sent.
  private var mayRollAfterProgram: Bool {
    motionOfProgram == conversation.newestMotion && conversation.newestStop < conversation.newestMotion
  }

  /// Records a stop for the shutdown if a program inside the robot was the last to move the ball.
  private func stopAfterProgram() async {
    guard mayRollAfterProgram, lostAt == nil, !isClosed else { return }
    motionOfProgram = nil
    guard await prepareStop() else { return }
    _ = conversation.enqueue(stopOnHeading, at: time.now)
  }

  /// Whether the session has ended, by ``close()`` or by the loss of its line.
  ///
  /// After a loss, a request may throw the error before this property is true.
  public var isClosed: Bool { conversation.isOver }

  /// When the line was lost, by the clock of the session; nil while it is up.
  package var lostAt: Duration? { conversation.lostAt }

  /// Whether a lost line has left the ball moving, or a program that may move it, and no robot has received a stop since.
  package var isStopPending: Bool {
    conversation.isStopPending || (lostAt != nil && mayRollAfterProgram)
  }

  /// Counts of packets, bytes, retries and losses so far.
  public var statistics: HostStatistics {
    var statistics = conversation.statistics
    statistics.droppedSamples = droppedSamples + channels.reduce(0) { $0 + $1.dropped }
    return statistics
  }

  /// Lets the ball roll on when the session ends or its link drops; call it before the first motion.
  ///
  /// A robot whose permanent options enable motion timeouts stops 65 s after the last motion command, the longest timeout.
  public func keepRolling() { conversation.keepRolling() }

  private func start() { mainTask = time.start { await self.serveLines() } }

  // MARK: Lines

  private func serveLines() async {
    while true {
      let (line, number) = (transport, lineNumber)
      await untilFirstEnd(of: { await self.read(line, number) }, { await self.write(line, number) })
      await transport.close()
      guard !conversation.isOver, await reopen() else { break }
    }
    timer?.task.cancel()
    if !conversation.isOver { conversation.abandon(.disconnected(command: "the stream"), at: time.now) }
    flush()
    connected.finish(throwing: lineError ?? SessionError.leaving)
    for channel in channels { channel.finish() }
    for listener in listeners { listener.finish(lineError) }
    listeners = []
  }

  /// Runs tasks until one of them, the line or the conversation ends, and then invalidates the line number, so that
  /// leftover tasks have no effect.
  private func untilFirstEnd(of tasks: (@Sendable () async -> Void)...) async {
    let number = lineNumber
    await withTaskGroup(of: Void.self) { group in
      for task in tasks { group.addTask { await task() } }
      group.addTask { await self.untilEnd(number) }
      await group.next()
      lineNumber += 1
      group.cancelAll()
    }
  }

  private func read(_ line: any Transport, _ number: Int) async {
    let timestamped = (line as? any TimestampedTransport).flatMap { $0.sharesClock(of: time) ? $0 : nil }
    do {
      while true {
        let received =
          if let timestamped { try await timestamped.readChunks() } else {
            try await line.read().map { [TimestampedChunk($0, at: time.now)] }
          }
        guard let chunks = received else { break }
        guard number == lineNumber else { return }
        for chunk in chunks { conversation.receive(chunk.bytes, at: chunk.time) }
        flush()
        // Backpressure: consumers that must not lose samples need room first.
        while let full = channels.first(where: { $0.appliesBackpressure }) {
          _ = try await full.roomAvailable.wait()
        }
      }
      lose(LinkError.closed, number)
    } catch { lose(error, number) }
  }

  private func write(_ line: any Transport, _ number: Int) async {
    while number == lineNumber, !conversation.isOver {
      let bytes = conversation.takeOutput(at: time.now)
      flush()
      if let bytes {
        do { try await line.write(bytes) } catch { return lose(error, number) }
      } else {
        do { _ = try await outputReady.wait() } catch { return }
      }
    }
  }

  /// Waits until the line or the conversation ends, even if the reader and the writer are blocked.
  private func untilEnd(_ number: Int) async {
    while number == lineNumber, !conversation.isOver {
      do { _ = try await lineEnded.wait() } catch { return }
    }
  }

  private func lose(_ error: any Error, _ number: Int) {
    guard number == lineNumber, !conversation.isOver else { return }
    lineNumber += 1
    lineError = error
    conversation.lineLost(at: time.now, silenceLimit: reopening?.limit ?? .zero)
    flush()
  }

  /// Reopens a lost line if a robot has answered before; returns whether a line is open.
  private func reopen() async -> Bool {
    guard let reopening, connected.hasEnded else { return false }
    await untilFirstEnd(of: { await self.tryToReopen(reopening) })
    // If the session has ended meanwhile, the open line must still be closed.
    return lineError == nil
  }

  private func tryToReopen(_ reopening: Reconnection) async {
    // The limit counts from the loss, even if a reopened line is lost before a robot answers.
    let deadline = (conversation.lostAt ?? time.now) + reopening.limit
    // Without a pause, the clock of a test would stand still while attempts fail.
    var pause = max(reopening.initialDelay, .milliseconds(1))
    while !Task.isCancelled, !conversation.isOver, time.now < deadline {
      do {
        try await time.sleep(until: min(time.now + pause, deadline))
        let line = try await reopening.open()
        guard !Task.isCancelled, !conversation.isOver else { return await line.close() }
        transport = line
        lineError = nil
        conversation.reconnected(at: time.now)
        return flush()
      } catch is CancellationError {
        return
      } catch {
        lineError = error
        pause = max(min(pause * 2, reopening.maximumDelay), .milliseconds(1))
      }
    }
  }

  // MARK: Update

  /// Acts on the updates of the conversation, wakes the writer, and sets the timer.
  func flush() {
    for item in conversation.takeUpdates() {
      switch item {
      case .connected: connected.finish()
      case .failed(let error): fail(error)
      case .completed(let id, let result):
        answers.removeValue(forKey: id)?.complete(result.mapError(explained))
      case .event(let packet, let arrival):
        for listener in listeners { listener.receiveEvent(TimedEvent(arrival: arrival, event: packet)) }
      case .streamStarted(let id): channels.first { $0.id == id }?.started.finish()
      case .samples(let id, let samples): channels.first { $0.id == id }?.push(samples, at: time.now)
      case .streamEnded(let id, let error): endStream(id, error.map(explained))
      case .left: break
      case .notice(let notice):
        onNotice?(notice)
        for listener in listeners { listener.receiveNotice(notice) }
      }
    }
    let (isOver, hasOutput, deadline) = Self.poll(&conversation)
    if isOver { lineEnded.signal() }
    if isOver || hasOutput { outputReady.signal() }
    setTimer(isOver ? nil : deadline)
  }

  /// Reads what the writer and the timer need; `inout`, because a property of the actor would be copied for each value.
  private static func poll(_ conversation: inout Conversation) -> (
    isOver: Bool, hasOutput: Bool, deadline: Duration?
  ) {
    (conversation.isOver, conversation.hasOutput, conversation.nextDeadline)
  }

  private func fail(_ error: SessionError) {
    lineError = error
    connected.finish(throwing: error)
    // The handshake has failed on a reopened line, so the session opens another line.
    if !conversation.isOver {
      lineNumber += 1
      lineEnded.signal()
    }
  }

  /// Calls the conversation; an error that the line caused is thrown as that of the line.
  func attempt<T>(_ call: (inout Conversation) throws(SessionError) -> T) throws -> T {
    defer { flush() }
    do throws(SessionError) { return try call(&conversation) } catch { throw explained(error) }
  }

  /// The error of the line if it is the cause of `error`; otherwise `error`.
  func explained(_ error: SessionError) -> any Error {
    switch error {
    // After the final loss of the line, requests end with `leaving`, as after `close()`.
    case .disconnected, .leaving: lineError ?? error
    default: error
    }
  }

  /// Ensures that the conversation is called at its deadline.
  private func setTimer(_ deadline: Duration?) {
    guard let deadline else {
      timer?.task.cancel()
      timer = nil
      return
    }
    // A timer that fires too early sets the next one.
    if let timer, timer.deadline <= deadline { return }
    timer?.task.cancel()
    let time = time
    timer = (
      deadline,
      time.start {
        do { try await time.sleep(until: deadline) } catch { return }
        await self.timerFired(deadline)
      }
    )
  }

  private func timerFired(_ deadline: Duration) {
    guard timer?.deadline == deadline else { return }
    timer = nil
    conversation.advance(to: time.now)
    flush()
  }
}

/// How a lost line is reopened: with exponential backoff, up to a limit.
///
/// The session closes the lost line first. Streams and settings are restored; motion is stopped.
public struct Reconnection: Sendable {
  /// Opens the line once.
  public var open: @Sendable () async throws -> any Transport
  /// The delay before the first attempt, at least 1 ms; each further delay is twice the previous one.
  public var initialDelay: Duration = .milliseconds(250)
  /// The maximum delay between two attempts.
  public var maximumDelay: Duration = .seconds(4)
  /// The maximum time from the loss of the line to the last attempt.
  ///
  /// A stream also ends if its lines are lost and reopened for this time without a sample.
  public var limit: Duration = .seconds(60)

  public init(open: @escaping @Sendable () async throws -> any Transport) { self.open = open }
}

extension Robot {
  /// Waits until a lost line is reopened; returns at once if none is lost.
  ///
  /// - Throws: `LinkError` or `SessionError` if the session has ended; `CancellationError`.
  public func untilOnline() async throws {
    guard !isClosed else { throw lineError ?? SessionError.leaving }
    guard conversation.lostAt != nil else { return }
    for try await notice in notices() {
      if case .reconnected = notice { return }
    }
    throw lineError ?? SessionError.leaving
  }
}
