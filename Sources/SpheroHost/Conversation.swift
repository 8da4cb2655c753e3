// The host's half of a conversation with a robot: bytes and times are its input; bytes, updates and a deadline its output.

public import SpheroProtocol

/// The host's half of a conversation with a robot, as a value without input and output.
///
/// Its owner reports each event, such as ``receive(_:at:)``, then sends the packets of ``takeOutput(at:)`` until it returns
/// nil, acts on ``takeUpdates()``, and calls ``advance(to:)`` at ``nextDeadline`` at the latest.
/// All times are those of one clock that never runs backwards; its zero is arbitrary.
public struct Conversation: Sendable {
  /// The answer to a request, with the times of its round trip.
  public struct Answer: Hashable, Sendable {
    /// The packet of the robot; an empty success for a command that requests no answer.
    public let packet: ResponsePacket
    /// When the answered attempt was handed to the line, after its wait in the queue.
    public let sentAt: Duration
    /// When the answer arrived.
    public let receivedAt: Duration
    /// The time from sending to receiving, without the wait in the queue.
    public var roundTrip: Duration { receivedAt - sentAt }
  }

  /// An event that the owner must act on.
  ///
  /// The list is closed. Events that the owner may ignore are a ``Notice``, whose kinds are open.
  /// Large and rare payloads are indirect, which keeps the frequent ones small.
  public enum Update: Sendable {
    /// The handshake is complete: a robot answers.
    case connected
    /// No robot answered in time, and nothing more will be sent.
    indirect case failed(SessionError)
    /// A request of the program ended.
    indirect case completed(RequestID, Result<Answer, SessionError>)
    /// The robot sent an event other than sensor data; `arrival` is a time of the caller's clock.
    indirect case event(EventPacket, arrival: Duration)
    /// The robot accepted the stream of a consumer.
    case streamStarted(SubscriptionID)
    /// Samples of a consumer.
    case samples(SubscriptionID, [TimedSample])
    /// A consumer receives no more samples; nil if the program ended them.
    indirect case streamEnded(SubscriptionID, SessionError?)
    /// An event that the owner may ignore.
    indirect case notice(Notice)
    /// The shutdown is complete: the line may be closed.
    case left
  }

  enum Phase: Sendable {
    case connecting
    case connected
    /// The line is lost, and the owner may reopen it.
    case offline
    case leaving
    case ended
  }

  /// Timeouts, retries and rates.
  public let settings: HostSettings

  var phase = Phase.connecting
  var handshake: Handshake
  var shutdown = Shutdown()
  var queue: CommandQueue
  var requests: Requests
  var streaming: SensorStreaming
  var cleanup: Cleanup
  var setPoint = SetPoint()
  /// The number of requests that set the ball in motion, start a program inside the robot, or stop the ball, and of
  /// the calls of ``claimMotion()`` and ``claimStop()``.
  package private(set) var motionRequestCount = 0
  /// ``motionRequestCount`` at the newest request other than a stop; it replaces the motion before it.
  package private(set) var newestMotion = 0
  /// ``motionRequestCount`` at the newest stop that was requested, not only claimed.
  package private(set) var newestStop = 0
  /// When the newest motion command of the program was sent for the first time.
  package internal(set) var movedAt: Duration?
  var decoder = TimedDecoder(from: .robot)
  var counts = HostStatistics()
  var updates: [Update] = []
  var requestCount: UInt64 = 0
  /// When the line was lost; nil while it is up.
  public internal(set) var lostAt: Duration?
  var payloadCounts: (current: Int?, pending: Int?) = (nil, nil)
  var promptDetector = PromptDetector()
  var hasReportedBootloader = false
  /// Whether the program has put the robot to sleep on this line, which explains its loss.
  package internal(set) var isAsleep = false
  var now: Duration
  var lastSent: Duration
  /// Whether the last call of ``takeOutput(at:)`` returned a packet: the line may still be sending it.
  var isLineBusy = false
  var lastPacket: (kind: LineActivity.PacketKind, arrival: Duration)?
  package var lastArrival: Duration? { lastPacket?.arrival }
  /// The arrival of the last packet before a silence that was reported.
  var reportedArrival: Duration?
  /// The delay of a deadline above which the host counts as having been suspended.
  static let suspension = Duration.seconds(2)

  /// Whether the robot has answered any request so far.
  public internal(set) var hasEverAnswered = false

  /// Creates a conversation that starts to connect at `now`.
  public init(_ settings: HostSettings = HostSettings(), at now: Duration) {
    self.settings = settings
    handshake = Handshake(at: now, timeout: settings.connectTimeout)
    queue = CommandQueue(settings)
    requests = Requests(firstSequence: settings.firstSequence)
    streaming = SensorStreaming(settings)
    cleanup = Cleanup(settings)
    (self.now, lastSent) = (now, now)
  }

  /// Counts of packets, bytes, retries and losses so far.
  public var statistics: HostStatistics {
    var statistics = counts
    statistics.decoder.add(decoder.packets.statistics)
    (statistics.stalls, statistics.lostFrames) = (streaming.stalls, streaming.follower.lostFrames)
    statistics.renewals = streaming.renewals
    return statistics
  }

  package var streamOnWire: StreamFormat? { streaming.current?.layout.format }

  /// Removes and returns the pending updates, oldest first.
  public mutating func takeUpdates() -> [Update] {
    defer { updates = [] }
    return updates
  }

  mutating func flush() {
    updates += streaming.updates
    streaming.updates = []
  }

  /// Whether nothing more will be sent.
  public var isOver: Bool { phase == .ended }
}

// MARK: - The program

extension Conversation {
  /// Adds a request to the send queue.
  ///
  /// A stop, `Motion.Roll` in state `stop`, and the abort of a program precede all queued requests.
  /// A request replaces the queued ones with its coalescing key, which end with ``SessionError/superseded(command:)``.
  /// `timeout` applies to each of at most `attempts`; nil selects those of the settings.
  ///
  /// - Returns: The identifier of the request in ``Update/completed(_:_:)``.
  public mutating func enqueue(
    _ request: EncodedRequest, timeout: Duration? = nil, attempts: Int? = nil, at now: Duration
  ) -> RequestID {
    advance(to: now)
    let id = nextID()
    if let error = rejection(of: request) {
      updates.append(.completed(id, .failure(error)))
      return id
    }
    cleanup.record(request)
    if request.moves { enableAutomaticStops(before: request) }
    insert(request, for: .program(id), timeout: timeout, attempts: attempts)
    return id
  }

  private mutating func nextID() -> RequestID {
    requestCount += 1
    return RequestID(number: requestCount)
  }

  /// Adds a command that requests no answer: its errors are not reported, and the shutdown does not undo its effect.
  ///
  /// - Returns: The identifier of the command in ``Update/completed(_:_:)``: an empty success once it was sent.
  /// - Throws: ``SessionError`` if nothing can be sent.
  public mutating func post(_ request: EncodedRequest, at now: Duration) throws(SessionError) -> RequestID {
    try admit(request, at: now)
    cleanup.recordPosted(request)
    let id = nextID()
    insert(request, for: .posted(id), timeout: .zero, attempts: 1)
    return id
  }

  private mutating func insert(
    _ request: EncodedRequest, for purpose: PendingRequest.Purpose, timeout: Duration? = nil,
    attempts: Int? = nil
  ) {
    supersedeRequests(replacedBy: request)
    addRequest(request, for: purpose, isUrgent: request.isUrgent, timeout: timeout, attempts: attempts)
    if request.isStop { switchControlOn() }
    // The program may have started a macro, which continues.
    if request.command == OrbBasic.Abort.id, cleanup.isMacroOfBASIC {
      for abort in cleanup.takeAborts() { addRequest(abort, for: .housekeeping) }
    }
  }

  /// Switches the control system on, ahead of the stop that was added, if motors may be free.
  private mutating func switchControlOn() {
    guard let request = cleanup.commandBeforeStop else { return }
    cleanup.record(request)
    supersede { $0.purpose == .controlSystem }
    addRequest(request, for: .controlSystem)
  }

  private mutating func admit(_ request: EncodedRequest, at now: Duration) throws(SessionError) {
    advance(to: now)
    if let error = rejection(of: request) { throw error }
  }

  private func rejection(of request: EncodedRequest) -> SessionError? {
    switch phase {
    case .connecting, .connected: queue.hasRoom || request.isUrgent ? nil : .tooManyRequests
    case .offline: .disconnected(command: request.name)
    case .leaving, .ended: .leaving
    }
  }

  private mutating func supersedeRequests(replacedBy request: EncodedRequest) {
    if let key = request.coalescingKey {
      // Self-levelling is sent once: if it is lost, the stop before it still has to be repeated.
      let keepsStops = request.command == Motion.SelfLevel.id
      func isReplaced(_ older: PendingRequest) -> Bool {
        older.coalescingKey == key && !(keepsStops && older.encoded.isStop)
      }
      endAttempts(where: isReplaced)
    }
    if request.coalescingKey == .motion || request.moves || request.isStop {
      setPoint.clear()
      if request.isStop {
        claimStop()
        newestStop = motionRequestCount
      } else {
        claimMotion()
      }
    }
    // A motion that was given as raw bytes has no coalescing key.
    if request.isStop || request.moves { requests.stopRepeating { $0.coalescingKey == .motion } }
    // A stop also replaces a macro that would move the ball after it.
    if request.isStop { supersede { $0.encoded.moves } }
    if request.effect == .abortProgram { supersede { $0.encoded.runsProgram } }
  }

  mutating func supersede(_ key: CoalescingKey) { endAttempts { $0.coalescingKey == key } }

  /// Ends the queued requests that satisfy a condition, and the retries of those that were sent.
  mutating func endAttempts(where condition: (PendingRequest) -> Bool) {
    supersede(where: condition)
    requests.stopRepeating(where: condition)
  }

  private mutating func supersede(where condition: (PendingRequest) -> Bool) {
    for replaced in queue.remove(where: condition) {
      complete(replaced, .failure(.superseded(command: replaced.encoded.name)))
    }
  }

  /// The motion timeout is the longest one if the ball is to keep rolling, or if a program ends on a disconnection.
  private mutating func enableAutomaticStops(before request: EncodedRequest) {
    if cleanup.needsStopOnDisconnect, !cleanup.keepsRolling {
      cleanup.needsStopOnDisconnect = false
      let options = Settings.SetTemporaryOptions(flags: .stopOnDisconnect)
      addRequest(EncodedRequest(valid: options), for: .housekeeping)
    }
    let isLong = cleanup.keepsRolling || request.effect == .runProgram(stopsOnDisconnect: true)
    if cleanup.needsMotionTimeout(isLong: isLong) { enqueueMotionTimeout() }
  }

  /// Records that a program inside the robot has ended: the ball gets the short motion timeout again.
  package mutating func programEnded(_ language: ProgramLanguage, at now: Duration) {
    advance(to: now)
    if cleanup.programEnded(language), phase == .connected { enqueueMotionTimeout() }
  }

  /// Sets the motion timeout if the robot has enabled it.
  private mutating func enqueueMotionTimeout() {
    // The retry of an earlier timeout must not follow this one.
    endAttempts { $0.purpose == .motionTimeout }
    addRequest(EncodedRequest(valid: Settings.GetPermanentOptions()), for: .motionTimeout)
  }

  /// Adds a request to the queue; unlike ``enqueue(_:timeout:attempts:at:)``, it neither records the effect for the shutdown
  /// nor replaces older requests. Requests of the session itself are urgent.
  mutating func addRequest(
    _ encoded: EncodedRequest, for purpose: PendingRequest.Purpose, isUrgent: Bool = true,
    timeout: Duration? = nil, attempts: Int? = nil
  ) {
    queue.insert(
      PendingRequest(
        purpose: purpose, encoded: encoded, isUrgent: isUrgent, timeout: timeout ?? settings.timeout,
        maximumAttempts: attempts ?? settings.attempts))
  }

  /// Repeats an abort until the robot answers, because its program may move the ball; the start of a program of its
  /// language ends that.
  mutating func repeatAbort(_ abort: EncodedRequest) {
    cleanup.record(abort)
    addRequest(abort, for: .housekeeping, attempts: .max)
  }

  /// Ends a request, and discards its updates; a late answer is ignored.
  ///
  /// A stop and the abort of a program are sent, and repeated, all the same; the abort until the robot answers.
  public mutating func cancel(_ id: RequestID, at now: Duration) {
    advance(to: now)
    let cancelled =
      queue.remove { $0.purpose == .program(id) || $0.purpose == .posted(id) }
      + requests.remove { $0.request.purpose == .program(id) }.map { $0.request }
    for request in cancelled where request.encoded.isUrgent && !request.wasSuperseded {
      if request.encoded.isStop {
        addRequest(request.encoded, for: .housekeeping)
      } else {
        repeatAbort(request.encoded)
      }
    }
    updates.removeAll { item in
      if case .completed(id, _) = item { true } else { false }
    }
  }

  /// The heading on which a stop does not turn the ball, in degrees clockwise from the aim.
  ///
  /// That of the last motion, or the streamed one if a program inside the robot or another session has moved the ball since.
  public var heading: UInt16? { cleanup.lastHeading ?? streaming.heading }

  /// The commands that stop the ball, in order; empty if it is at rest or ``keepRolling()`` was called.
  package var stops: [EncodedRequest] { cleanup.stopCommands }

  /// Whether the robot has confirmed all commands of the shutdown.
  package var isShutdownConfirmed: Bool { shutdown.unconfirmed.isEmpty }

  /// Whether the line is lost, and no other is open.
  package var isOffline: Bool { phase == .offline }

  /// Whether the robot has not answered the abort of a program, which may still move the ball.
  package var mayRunAbortedProgram: Bool { !cleanup.unconfirmedAborts.isEmpty }

  /// Whether a lost line has left the ball moving, and no robot has received the stop since.
  package var isStopPending: Bool { !cleanup.stopsAfterReconnect.isEmpty }

  /// Leaves the ball rolling when the program leaves or its link drops.
  public mutating func keepRolling() { cleanup.keepsRolling = true }

  /// Sets the motion set-point; only the newest value is sent, at the pace of the link.
  ///
  /// A moving set-point is repeated every second, which keeps the motion timeout of the robot from stopping the ball.
  /// A suspension of the host stops the ball.
  ///
  /// - Parameters:
  ///   - speed: 0...255.
  ///   - heading: Degrees clockwise from the aim, taken modulo 360.
  ///   - now: The current time.
  /// - Throws: ``SessionError`` if nothing can be sent.
  public mutating func drive(speed: UInt8, heading: UInt16, at now: Duration) throws(SessionError) {
    let request = EncodedRequest(valid: Motion.Roll(speed: speed, heading: heading % 360))
    try admit(request, at: now)
    cleanup.record(request)
    enableAutomaticStops(before: request)
    claimMotion()
    setPoint.set(request, at: now)
  }

  /// Repeats the newest roll, which the robot has confirmed, until `end`, without a stop then.
  package mutating func repeatRoll(_ roll: EncodedRequest, until end: Duration, at now: Duration) {
    advance(to: now)
    if phase == .connected { setPoint.repeatConfirmed(roll, until: end, at: now) }
  }

  /// Ends earlier motions before the first command of a new one: an earlier motion for a duration then sends no stop.
  package mutating func claimMotion() {
    motionRequestCount += 1
    newestMotion = motionRequestCount
  }

  /// Ends earlier guided motions before the command of a stop, which is sent once its heading is known.
  package mutating func claimStop() { motionRequestCount += 1 }

  /// Clears the set-point of ``drive(speed:heading:at:)`` and stops the ball on its heading.
  ///
  /// - Throws: ``SessionError`` if nothing can be sent.
  public mutating func stopDriving(at now: Duration) throws(SessionError) {
    let stop = EncodedRequest(valid: Motion.Roll.stop(on: heading))
    try admit(stop, at: now)
    insert(stop, for: .housekeeping)
  }

  /// Streams samples to one more consumer.
  ///
  /// - Returns: The identifier of the consumer in the updates.
  /// - Throws: ``SessionError`` if the request is invalid or the conversation ends.
  public mutating func subscribe(_ request: StreamRequest, at now: Duration) throws(SessionError)
    -> SubscriptionID
  {
    advance(to: now)
    switch phase {
    case .connecting, .connected, .offline: return try streaming.subscribe(request, at: now)
    case .leaving, .ended: throw .leaving
    }
  }

  /// Ends the samples of one consumer.
  public mutating func unsubscribe(_ id: SubscriptionID, at now: Duration) {
    advance(to: now)
    streaming.unsubscribe(id, at: now)
    flush()
  }
}
