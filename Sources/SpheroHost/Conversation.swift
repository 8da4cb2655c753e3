// The host's half of a conversation with a robot: bytes and the time go in; bytes, news and the next deadline come out.

public import SpheroProtocol

/// The host's half of a conversation with a robot, as a value without input and output.
///
/// It opens no line, reads no clock and waits for nothing.
/// Whoever owns it hands in what happens (``receive(_:at:)``, ``enqueue(_:at:)``, ``advance(to:)`` and so on),
/// and after each of these calls
/// sends what ``takeOutput(at:)`` gives until that is nil, acts on ``takeNews()``,
/// and calls ``advance(to:)`` at ``nextDeadline`` at the latest.
///
/// Times are those of one clock that never runs backwards; where it starts does not matter.
public struct Conversation: Sendable {
  /// The answer to a request, with the times that make its round trip.
  public struct Answer: Hashable, Sendable {
    /// What the robot sent; an empty success for a command that wants no answer.
    public let packet: ResponsePacket
    /// The time at which the answered try was handed to the line; waiting for its turn is over by then.
    public let sentAt: Duration
    /// The time at which the answer came.
    public let receivedAt: Duration
    /// The time from sending to receiving, without the wait in the queue.
    public var roundTrip: Duration { receivedAt - sentAt }
  }

  /// What the owner has to hear.
  ///
  /// These are all, and the owner acts on each of them; what it may leave out is a ``Notice``, whose kinds are open.
  /// What is wide and rare lies elsewhere in memory, so that samples are not moved in pieces of its size.
  public enum News: Sendable {
    /// The handshake is over: a robot answers.
    case connected
    /// No robot answered in time; nothing more will be sent.
    indirect case failed(SessionError)
    /// A request of the program has ended.
    indirect case completed(RequestID, Result<Answer, SessionError>)
    /// The robot sent something by itself, other than sensor data.
    case event(EventPacket)
    /// A consumer's samples will come.
    case streamStarted(SubscriptionID)
    /// Samples of a consumer.
    case samples(SubscriptionID, [TimedSample])
    /// A consumer gets no more samples; nil where the program ended them.
    indirect case streamEnded(SubscriptionID, SessionError?)
    /// A remark.
    indirect case notice(Notice)
    /// Leaving is over: the line may be closed.
    case left
  }

  enum Phase: Sendable {
    indirect case connecting(Handshake)
    case connected
    /// The line is gone, and the owner may bring it back.
    case offline
    case leaving(deadline: Duration, repeatAt: Duration)
    case ended
  }

  /// What the owner sees to after each call.
  package struct PollState: Sendable {
    /// Whether the conversation is over.
    package var isOver: Bool
    /// Whether a packet may go at the time of the last call.
    package var hasOutput: Bool
    /// When ``advance(to:)`` must be called at the latest; nil where only bytes or the program can bring news.
    package var deadline: Duration?
  }

  /// How patient the host is, and how fast it speaks.
  public let settings: HostSettings

  var phase: Phase
  var queue: CommandQueue
  var requests: Requests
  var streaming: SensorStreaming
  var obligations = Obligations()
  var restoration = Restoration()
  var setPoint = SetPoint()
  /// When the newest command of the program that moves the ball was sent for the first time.
  package internal(set) var movedAt: Duration?
  var decoder = TimedDecoder(from: .robot)
  var counts = HostStatistics()
  var news: [News] = []
  var requestCount: UInt64 = 0
  var hasConnectedBefore = false
  /// The time at which the line was lost, or nil while it is up.
  public internal(set) var lostAt: Duration?
  /// Leaving waits for these.
  var undoing: [EncodedRequest] = []
  /// Whether the robot was armed to stop by itself, or the program said otherwise.
  var isArmed: Bool
  var mayTimeOutMotion: Bool
  var payloadCounts: (current: Int?, pending: Int?) = (nil, nil)
  /// What a lost line left moving is stopped by these once it is back.
  var stopping: [EncodedRequest] = []
  var hasSeenPrompt = false
  var hasReportedBootloader = false
  /// The last byte of the read before.
  var lastByte: UInt8?
  var sawStaleStream = false
  var now: Duration
  var lastSent: Duration
  /// A deadline that is missed by more was missed because the host itself stood still.
  static let suspension = Duration.seconds(2)

  /// Whether the robot has answered anything so far.
  public internal(set) var hasEverAnswered = false

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - settings: How patient the host is, and how fast it speaks.
  ///   - now: The time.
  public init(_ settings: HostSettings = HostSettings(), at now: Duration) {
    self.settings = settings
    phase = .connecting(Handshake(at: now, timeout: settings.connectTimeout))
    queue = CommandQueue(settings)
    requests = Requests(firstSequence: settings.firstSequence)
    streaming = SensorStreaming(settings)
    isArmed = !settings.stopsOnDisconnect
    mayTimeOutMotion = settings.motionTimeout != nil
    (self.now, lastSent) = (now, now)
  }

  /// What the conversation has seen so far.
  public var statistics: HostStatistics {
    var statistics = counts
    statistics.decoder.add(decoder.packets.statistics)
    (statistics.stalls, statistics.lostFrames) = (streaming.stalls, streaming.follower.lostFrames)
    statistics.renewals = streaming.renewals
    return statistics
  }

  /// The true rate of the robot's sample clock against 400 Hz; nil before it has been measured.
  public var sampleRateFactor: Double? { streaming.rateFactor }

  /// The format of the stream that is on; nil where none is.
  package var streamOnWire: StreamFormat? { streaming.current?.layout.format }

  /// Takes what the owner has to hear, in the order in which it happened.
  public mutating func takeNews() -> [News] {
    guard !news.isEmpty else { return [] }
    defer { news = [] }
    return news
  }
}

// MARK: - The program

extension Conversation {
  /// Adds a request; it is sent when its turn comes.
  ///
  /// A stop, `Motion.Roll` in state `stop`, goes ahead of all that waits.
  /// A request replaces those of its lane that wait; they end with ``SessionError/superseded(command:)``.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: The wait for each answer; nil for that of the settings.
  ///   - now: The time.
  /// - Returns: The request's name in the news about its end.
  public mutating func enqueue(
    _ request: EncodedRequest, timeout: Duration? = nil, at now: Duration
  ) -> RequestID {
    advance(to: now)
    requestCount += 1
    let id = RequestID(number: requestCount)
    let pending = PendingRequest(
      purpose: .program(id), encoded: request, isUrgent: request.isStop,
      timeout: timeout ?? settings.timeout, attemptsLeft: settings.attempts)
    if let error = refusal(of: request) {
      news.append(.completed(id, .failure(error)))
    } else {
      accept(pending)
    }
    return id
  }

  /// Adds a command that wants no answer: its errors are silent too, and what it starts is not undone.
  ///
  /// It replaces those of its lane as any other request does.
  ///
  /// - Parameters:
  ///   - request: The command.
  ///   - now: The time.
  /// - Returns: The command's name in the news about its end: an empty success once it was sent.
  /// - Throws: ``SessionError``.
  public mutating func post(_ request: EncodedRequest, at now: Duration) throws(SessionError) -> RequestID {
    advance(to: now)
    if let error = refusal(of: request) { throw error }
    makeRoom(for: request)
    requestCount += 1
    let id = RequestID(number: requestCount)
    queue.insert(
      PendingRequest(
        purpose: .posted(id), encoded: request, isUrgent: request.isStop, timeout: .zero, attemptsLeft: 1))
    return id
  }

  func refusal(of request: EncodedRequest) -> SessionError? {
    switch phase {
    case .connecting, .connected: queue.hasRoom || request.isStop ? nil : .tooManyRequests
    case .offline: .disconnected(command: request.name)
    case .leaving, .ended: .leaving
    }
  }

  mutating func accept(_ pending: PendingRequest) {
    let request = pending.encoded
    obligations.note(request)
    if request.command == Sensing.SetDataStreaming.id, !settings.endsStrayStreams {
      obligations.streamsItself = true
    }
    if request.command == Settings.SetTemporaryOptions.id { isArmed = true }
    if request.command == Motion.SetMotionTimeout.id { mayTimeOutMotion = false }
    makeRoom(for: request)
    if request.moves { arm() }
    queue.insert(pending)
  }

  /// Lets what a request replaces make room for it.
  mutating func makeRoom(for request: EncodedRequest) {
    if let lane = request.lane { supersede(lane) }
    // Whatever moves or stops the ball takes the place of a set-point.
    if request.lane == .motion { setPoint.clear() }
    if request.isStop { supersedeMotion() }
  }

  /// Lets all that waits and would move the ball end, a macro too, since a stop overtakes it.
  mutating func supersedeMotion() {
    for replaced in queue.remove(where: { $0.encoded.moves }) {
      complete(replaced, .failure(.superseded(command: replaced.encoded.name)))
    }
  }

  /// Lets the requests of a lane make room for a newer one.
  mutating func supersede(_ lane: Lane) {
    for replaced in queue.replace(lane) {
      complete(replaced, .failure(.superseded(command: replaced.encoded.name)))
    }
    requests.stopRepeating(lane)
  }

  /// Makes sure that the ball stops by itself where the program cannot stop it any more.
  mutating func arm() {
    guard !obligations.keepsRolling else { return }
    if !isArmed {
      isArmed = true
      own(Settings.SetTemporaryOptions(flags: .stopOnDisconnect), for: .housekeeping)
    }
    if mayTimeOutMotion {
      mayTimeOutMotion = false
      own(Settings.GetPermanentOptions(), for: .motionOptions)
    }
  }

  /// Adds a request of the session's own.
  mutating func own(
    _ request: some Request, for purpose: PendingRequest.Purpose, attempts: Int? = nil
  ) {
    // A request of the session's own always fits the wire.
    guard let encoded = try? EncodedRequest(request) else { return }
    own(encoded, for: purpose, attempts: attempts)
  }

  mutating func own(
    _ encoded: EncodedRequest, for purpose: PendingRequest.Purpose, attempts: Int? = nil
  ) {
    queue.insert(
      PendingRequest(
        purpose: purpose, encoded: encoded, isUrgent: true, timeout: settings.timeout,
        attemptsLeft: attempts ?? settings.attempts))
  }

  /// Ends a request: its place is free at once, its late answer answers nobody, and no news of it comes any more.
  ///
  /// - Parameters:
  ///   - id: The request.
  ///   - now: The time.
  public mutating func cancel(_ id: RequestID, at now: Duration) {
    advance(to: now)
    _ = queue.remove { $0.purpose == .program(id) || $0.purpose == .posted(id) }
    _ = requests.remove { $0.request.purpose == .program(id) }
    news.removeAll { item in
      if case .completed(id, _) = item { true } else { false }
    }
  }

  /// The heading of the last motion, in degrees; nil where nothing was told to move.
  public var heading: UInt16? { obligations.heading }

  /// What stops the ball, the most urgent first; empty where nothing was told to move, or it shall roll on.
  package var stops: [EncodedRequest] { obligations.stopping }

  /// Lets the ball roll on when the program leaves or its link drops.
  public mutating func keepRolling() { obligations.keepsRolling = true }

  /// Sets where the ball shall roll; the newest value goes out at the pace of the link.
  ///
  /// A ball that shall roll is told so again every second, so that a motion time-out does not stop it.
  ///
  /// - Parameters:
  ///   - speed: 0...255.
  ///   - heading: Degrees clockwise from the aim, taken modulo 360.
  ///   - isConfirmed: Whether the robot rolls so already, and only has to be told again in time.
  ///   - end: When it is told no longer, though it is not stopped either; nil where nobody knows yet.
  ///   - now: The time.
  /// - Throws: ``SessionError`` where nothing can be sent.
  public mutating func drive(
    speed: UInt8, heading: UInt16, isConfirmed: Bool = false, until end: Duration? = nil, at now: Duration
  ) throws(SessionError) {
    advance(to: now)
    // What lies in its range always fits the wire.
    guard let request = try? EncodedRequest(Motion.Roll(speed: speed, heading: heading % 360)) else {
      return
    }
    if let error = refusal(of: request) { throw error }
    obligations.note(request)
    arm()
    setPoint.set(request, isMoving: speed > 0, isConfirmed: isConfirmed, until: end, at: now)
  }

  /// Ends a drive: forgets the set-point and stops the ball.
  ///
  /// - Throws: ``SessionError`` where nothing can be sent.
  public mutating func stopDriving(at now: Duration) throws(SessionError) {
    advance(to: now)
    let heading = obligations.heading ?? 0
    guard let stop = try? EncodedRequest(Motion.Roll(speed: 0, heading: heading, state: .stop)) else {
      return
    }
    if let error = refusal(of: stop) { throw error }
    makeRoom(for: stop)
    own(stop, for: .housekeeping)
  }

  /// Streams samples to one more consumer.
  ///
  /// - Parameters:
  ///   - request: What it wants.
  ///   - now: The time.
  /// - Returns: Its name in the news.
  /// - Throws: ``SessionError``.
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
