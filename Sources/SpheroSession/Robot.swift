// A connected robot: a thin actor around the conversation, with one reader, one writer and one timer.

public import SpheroHost
import SpheroProtocol
public import SpheroTransport

/// A robot at the other end of a line.
///
/// ``withRobot(on:time:settings:reopening:onNotice:isolation:_:)`` connects one for as long as a closure runs;
/// Use ``connect(on:time:settings:reopening:onNotice:)`` and ``close()`` for longer sessions.
/// Both put the robot back when the program leaves: what was started is stopped, and the line is closed.
///
/// `Conversation` makes all decisions; the actor moves bytes and waits.
public actor Robot {
  /// How patient a session is, and how fast it speaks.
  public typealias Settings = HostSettings

  package nonisolated let time: any TimeSource
  var conversation: Conversation
  var waiters: [RequestID: CheckedContinuation<Conversation.Answer, any Error>] = [:]
  var starting: [SubscriptionID: CheckedContinuation<Void, any Error>] = [:]
  var channels: [SampleChannel] = []
  var listeners: [Listener] = []
  var listenerCount = 0
  var droppedSamples = 0

  private var transport: any Transport
  private let reopening: Reopening?
  private let onNotice: (@Sendable (Notice) -> Void)?
  /// Why the line is gone; what those hear whose answers cannot come any more.
  private(set) var lineError: (any Error)?
  /// Counts the lines; what belongs to an earlier one does nothing any more.
  private var lineNumber = 0
  private var isOnline = true
  private var connecting: [CheckedContinuation<Void, any Error>] = []
  private var outcome: Result<Void, any Error>?
  private var writer: CheckedContinuation<Void, Never>?
  private var ending: CheckedContinuation<Void, Never>?
  private var alarm: (deadline: Duration, task: Task<Void, Never>)?
  private var life: Task<Void, Never>?

  private init(
    on transport: any Transport, time: any TimeSource, settings: Settings, reopening: Reopening?,
    onNotice: (@Sendable (Notice) -> Void)?
  ) {
    (self.transport, self.time, self.reopening, self.onNotice) = (transport, time, reopening, onNotice)
    var settings = settings
    if settings.firstSequence == 0 { settings.firstSequence = .random(in: 1...255) }
    settings.wallClockStart = time.wallClockStart
    conversation = Conversation(settings, at: time.now)
  }

  // MARK: Connecting and leaving

  /// Connects a robot for as long as `body` runs.
  ///
  /// However `body` ends, also by an error or by cancellation, the robot is put back before this returns:
  /// what was started is stopped (streaming, rolling), and the line is closed.
  /// That takes a second at most, see `HostSettings.leaveTimeout`.
  ///
  /// - Parameters:
  ///   - transport: The line, which is closed at the end.
  ///   - time: The clock for time-outs.
  ///   - settings: How patient the session is.
  ///   - reopening: How a lost line comes back; nil where it shall not.
  ///   - onNotice: Called with every remark, also those on connecting and leaving; it must be quick.
  ///   - isolation: The actor of the caller, on which `body` runs.
  ///   - body: What to do with the robot.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; `SessionError` where no robot answers.
  public static func withRobot<Result>(
    on transport: some Transport, time: any TimeSource = SystemTime(), settings: Settings = Settings(),
    reopening: Reopening? = nil, onNotice: (@Sendable (Notice) -> Void)? = nil,
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
  /// - Parameters:
  ///   - transport: The line, which is closed at the end, also where connecting fails.
  ///   - time: The clock for time-outs.
  ///   - settings: How patient the session is.
  ///   - reopening: How a lost line comes back; nil where it shall not.
  ///   - onNotice: Called with every remark, also those on connecting and leaving; it must be quick.
  /// - Returns: The robot, which has answered.
  /// - Throws: `SessionError.notConnected` where no robot answers; the transport's error; `CancellationError`.
  public static func connect(
    on transport: some Transport, time: any TimeSource = SystemTime(), settings: Settings = Settings(),
    reopening: Reopening? = nil, onNotice: (@Sendable (Notice) -> Void)? = nil
  ) async throws -> Robot {
    let robot = Robot(
      on: transport, time: time, settings: settings, reopening: reopening, onNotice: onNotice)
    await robot.begin()
    do {
      try await withTaskCancellationHandler {
        try await robot.untilConnected()
      } onCancel: {
        // Owned by the robot: it ends once the robot has left.
        _ = time.start { await robot.close() }
      }
      return robot
    } catch {
      await robot.close()
      // Leaving is only the means by which a cancelled task ends to connect.
      if Task.isCancelled, error as? SessionError == .leaving { throw CancellationError() }
      throw error
    }
  }

  /// Leaves: puts the robot back and closes the line. May be called again.
  ///
  /// Works in a cancelled task, too. Tasks that wait get an error, or the end of their sequence.
  public func close() async {
    conversation.leave(at: time.now)
    flush()
    // The task is not a child of the caller's, so its end is awaited also where the caller is cancelled.
    await life?.value
  }

  /// Whether the session is over: closed, or its line is lost for good.
  public var isClosed: Bool { conversation.isOver }

  /// When the line was lost, by the clock of the session; nil while a robot answers.
  package var lostAt: Duration? { conversation.lostAt }

  /// What the session has seen so far.
  public var statistics: HostStatistics {
    var statistics = conversation.statistics
    statistics.droppedSamples = droppedSamples + channels.reduce(0) { $0 + $1.dropped }
    return statistics
  }

  /// The rate of the robot's sample clock against its nominal 400 Hz, as measured; nil before a stream has shown it.
  public var sampleRateFactor: Double? { conversation.sampleRateFactor }

  /// Lets the ball roll on when the program leaves or its link drops.
  public func keepRolling() { conversation.keepRolling() }

  private func begin() { life = time.start { await self.live() } }

  private func untilConnected() async throws {
    try await withCheckedThrowingContinuation { waiter in
      if let outcome { return waiter.resume(with: outcome) }
      connecting.append(waiter)
    }
  }

  private func conclude(_ result: Result<Void, any Error>) {
    guard outcome == nil else { return }
    outcome = result
    for waiter in connecting { waiter.resume(with: result) }
    connecting = []
  }

  // MARK: Lines

  /// Serves one line after the other until the conversation is over.
  private func live() async {
    while true {
      await serve()
      await transport.close()
      guard !conversation.isOver, await reopen() else { break }
    }
    alarm?.task.cancel()
    if !conversation.isOver { conversation.abandon(.disconnected(command: "the stream"), at: time.now) }
    flush()
    conclude(.failure(lineError ?? SessionError.leaving))
    for channel in channels { channel.finish() }
    for listener in listeners { listener.mailbox.finish(throwing: lineError) }
    listeners = []
  }

  /// Reads and writes until the line or the conversation ends.
  private func serve() async {
    let (line, number) = (transport, lineNumber)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.read(line, number) }
      group.addTask { await self.write(line, number) }
      group.addTask { await self.untilEnd(number) }
      await group.next()
      lineNumber += 1
      group.cancelAll()
      releaseWriter()
      releaseEnding()
    }
  }

  private func read(_ line: any Transport, _ number: Int) async {
    let timestamped = (line as? any TimestampedTransport).flatMap { $0.usesClock(of: time) ? $0 : nil }
    do {
      while true {
        if let timestamped {
          guard let chunks = try await timestamped.readChunks() else { break }
          guard number == lineNumber else { return }
          for chunk in chunks { conversation.receive(chunk.bytes, at: chunk.time) }
        } else {
          guard let bytes = try await line.read() else { break }
          guard number == lineNumber else { return }
          conversation.receive(bytes, at: time.now)
        }
        flush()
        // Every consumer that must not lose samples has to have room again.
        while let full = fullChannel { try await full.waitForRoom() }
      }
      lose(LinkError.closed, number)
    } catch { lose(error, number) }
  }

  private var fullChannel: SampleChannel? { channels.first { $0.holdsLineBack } }

  private func write(_ line: any Transport, _ number: Int) async {
    while let bytes = await nextOutput(number) {
      do { try await line.write(bytes) } catch { return lose(error, number) }
    }
  }

  private func nextOutput(_ number: Int) async -> [UInt8]? {
    while number == lineNumber, !conversation.isOver {
      let bytes = conversation.takeOutput(at: time.now)
      flush()
      if let bytes { return bytes }
      guard number == lineNumber, !conversation.isOver else { return nil }
      await withCheckedContinuation { writer = $0 }
    }
    return nil
  }

  /// Waits until the conversation is over, also where reader and writer are stuck.
  private func untilEnd(_ number: Int) async {
    guard number == lineNumber, !conversation.isOver else { return }
    await withCheckedContinuation { ending = $0 }
  }

  private func releaseWriter() {
    writer?.resume()
    writer = nil
  }

  private func releaseEnding() {
    ending?.resume()
    ending = nil
  }

  private func lose(_ error: any Error, _ number: Int) {
    guard number == lineNumber, !conversation.isOver else { return }
    lineNumber += 1
    lineError = error
    conversation.lineLost(at: time.now, silenceLimit: reopening?.limit ?? .zero)
    flush()
  }

  /// Brings the line back, where the program wants that.
  ///
  /// - Returns: Whether there is a line again.
  private func reopen() async -> Bool {
    guard let reopening, outcome != nil else { return false }
    let number = lineNumber
    let attempts = time.start { await self.tryToReopen(reopening) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await attempts.value }
      group.addTask { await self.untilEnd(number) }
      await group.next()
      attempts.cancel()
      // Whoever has not begun to wait yet must not begin any more.
      lineNumber += 1
      releaseEnding()
    }
    return !conversation.isOver && isOnline
  }

  private func tryToReopen(_ reopening: Reopening) async {
    isOnline = false
    // A line that opens and is lost before a robot answers has not come back.
    let deadline = (conversation.lostAt ?? time.now) + reopening.limit
    var pause = reopening.firstPause
    while !Task.isCancelled, !conversation.isOver, time.now < deadline {
      do {
        try await time.sleep(until: min(time.now + pause, deadline))
        let line = try await reopening.open()
        guard !Task.isCancelled, !conversation.isOver else { return await line.close() }
        transport = line
        (isOnline, lineError) = (true, nil)
        conversation.reconnected(at: time.now)
        return flush()
      } catch is CancellationError {
        return
      } catch {
        lineError = error
        pause = min(pause * 2, reopening.longestPause)
      }
    }
  }

  // MARK: News

  /// Acts on what the conversation has to say, and sees to its deadline and its output.
  func flush() {
    for item in conversation.takeNews() {
      switch item {
      case .connected: conclude(.success(()))
      case .failed(let error): fail(error)
      case .completed(let id, let result): complete(id, result)
      case .event(let packet): tell(packet)
      case .streamStarted(let id): starting.removeValue(forKey: id)?.resume()
      case .samples(let id, let samples): channels.first { $0.id == id }?.push(samples, at: time.now)
      case .streamEnded(let id, let error): endStream(id, error.map(explained))
      case .notice(let notice): tell(notice)
      case .left: break
      }
    }
    let pollState = conversation.pollState()
    if pollState.isOver { releaseEnding() }
    if pollState.isOver || pollState.hasOutput { releaseWriter() }
    setAlarm(pollState.isOver ? nil : pollState.deadline)
  }

  private func fail(_ error: SessionError) {
    lineError = error
    conclude(.failure(error))
    // On a line that came back, another try may help.
    if !conversation.isOver {
      lineNumber += 1
      releaseEnding()
    }
  }

  private func complete(_ id: RequestID, _ result: Result<Conversation.Answer, SessionError>) {
    guard let waiter = waiters.removeValue(forKey: id) else { return }
    switch result {
    case .success(let answer): waiter.resume(returning: answer)
    case .failure(let error): waiter.resume(throwing: explained(error))
    }
  }

  /// The error of the line, where that is the reason.
  func explained(_ error: SessionError) -> any Error {
    switch error {
    // A session that lost its line for good is over, as one that was left.
    case .disconnected, .leaving: lineError ?? error
    default: error
    }
  }

  private func tell(_ notice: Notice) {
    onNotice?(notice)
    for listener in listeners where listener.kind == .notices {
      listener.mailbox.push(.notice(notice))
    }
  }

  private func tell(_ packet: EventPacket) {
    for listener in listeners where listener.kind == .all || listener.kind == .event(packet.id) {
      listener.mailbox.push(.event(packet, at: time.now))
    }
  }

  /// Sees that the conversation is called in time.
  private func setAlarm(_ deadline: Duration?) {
    guard let deadline else {
      alarm?.task.cancel()
      alarm = nil
      return
    }
    // An alarm that comes too early finds the later deadline.
    if let alarm, alarm.deadline <= deadline { return }
    alarm?.task.cancel()
    let time = time
    alarm = (
      deadline,
      time.start {
        do { try await time.sleep(until: deadline) } catch { return }
        await self.ring(deadline)
      }
    )
  }

  private func ring(_ deadline: Duration) {
    guard alarm?.deadline == deadline else { return }
    alarm = nil
    conversation.advance(to: time.now)
    flush()
  }
}
