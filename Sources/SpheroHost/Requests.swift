// The requests of a conversation: the queue of those that wait, those in flight, and their round trips.

public import SpheroProtocol

/// Identifies a request of a conversation; never reused.
public struct RequestID: Hashable, Sendable {
  let number: UInt64
}

/// A request as bytes, with the delivery rules of its type.
public struct EncodedRequest: Sendable {
  /// DID and CID.
  public let command: CommandID
  /// The name in the catalogue.
  public let name: String
  /// The bytes between DLEN and CHK.
  public let payload: [UInt8]
  /// Whether the session may send it again after a loss.
  public let delivery: Delivery
  /// The key of the commands of which only the newest counts; nil if it replaces none.
  public let coalescingKey: CoalescingKey?
  /// The effect that the session must undo or guard against; nil without one.
  public internal(set) var effect: RequestEffect?
  /// The languages of the programs that may move the ball after it: that of the program which it starts, and of the macros
  /// which that program starts.
  var startedLanguages: [ProgramLanguage] = []
  /// Returns why a payload cannot be the successful answer; nil if it can.
  let mismatch: @Sendable ([UInt8]) -> WireError?

  /// Encodes a request.
  ///
  /// - Throws: `WireError` if a value is out of range, or the payload does not fit a packet.
  public init<R: Request>(_ request: R) throws(WireError) {
    self.init(request, payload: try request.payload())
    _ = try packet(sequence: 0)
  }

  /// Encodes a request whose values are in range; with another value, the payload is empty, which a robot refuses.
  package init<R: Request>(valid request: R) { self.init(request, payload: (try? request.payload()) ?? []) }

  private init<R: Request>(_ request: R, payload: [UInt8]) {
    (command, name, self.payload, delivery, coalescingKey) = (
      R.id, R.name, payload, R.delivery, R.coalescingKey
    )
    // A command of another package may be a motion that declares no effect.
    effect = request.effect ?? RequestEffect(of: R.id, payload: payload)
    mismatch = { R.mismatch(ofResponse: $0) }
  }

  /// Wraps the bytes of any command. It is sent once, and every answer is accepted.
  ///
  /// - Parameters:
  ///   - command: DID and CID.
  ///   - name: The name in error messages.
  ///   - payload: The bytes between DLEN and CHK.
  /// - Throws: `WireError` if the payload does not fit a packet.
  public init(_ command: CommandID, name: String, payload: [UInt8]) throws(WireError) {
    (self.command, self.name, self.payload, delivery, coalescingKey) = (
      command, name, payload, .atMostOnce, nil
    )
    (effect, mismatch) = (RequestEffect(of: command, payload: payload), { _ in nil })
    _ = try packet(sequence: 0)
  }

  func packet(
    sequence: UInt8, options: CommandPacket.Options = .standard
  ) throws(WireError) -> [UInt8] {
    try Packet.command(
      CommandPacket(id: command, options: options, sequence: sequence, payload: payload)
    ).encoded()
  }

  var isStop: Bool { if case .stop = effect { true } else { false } }

  /// Whether it precedes all ordinary requests.
  var isUrgent: Bool { isStop || effect == .abortProgram }

  var moves: Bool { effect?.moves ?? false }
  var runsProgram: Bool { if case .runProgram = effect { true } else { false } }
  /// The commands that abort the programs which this request starts.
  var abortsOfStartedPrograms: [CommandID] {
    let aborts = startedLanguages.map { $0.abort.command }
    guard runsProgram, command != Motion.Roll.id else { return aborts }
    return aborts + [command == OrbBasic.Execute.id ? OrbBasic.Abort.id : Macros.AbortMacro.id]
  }
}

struct PendingRequest: Sendable {
  /// The owner of the request, which determines how its end is handled.
  enum Purpose: Hashable, Sendable {
    case program(RequestID)
    /// A command of the program that requests no answer.
    case posted(RequestID)
    case handshake
    /// The start or renewal of the stream of an epoch.
    case stream(epoch: Int)
    /// A request of the session whose end has no consequence.
    case housekeeping
    /// The command that switches the control system on, ahead of a stop.
    case controlSystem
    case setPoint
    case keepAlive
    /// The query for the robot's model, which determines its axes; a stream waits for the answer.
    case model
    /// The query whether the robot's motion timeouts are enabled, and the command that sets the timeout.
    case motionTimeout
    case shutdown
  }

  let purpose: Purpose
  let encoded: EncodedRequest
  /// Whether it precedes ordinary requests and ignores the rate limit.
  var isUrgent = false
  let timeout: Duration
  let maximumAttempts: Int
  var attempts = 0
  /// The number of attempts that were given up before ``timeout``; they are not counted towards ``maximumAttempts``.
  private(set) var shortAttempts = 0
  /// The number of bytes that the session had received when it sent the request for the first time.
  var bytesBefore = 0
  /// Whether a newer command with its coalescing key has replaced it, which ends its retries.
  var wasSuperseded = false

  var coalescingKey: CoalescingKey? { encoded.coalescingKey }
  /// Whether it moves or stops the ball.
  var mayMove: Bool { coalescingKey == .motion || encoded.moves || encoded.isStop }

  /// The places in the queue.
  ///
  /// A stop follows the aborts, since a program that still runs would move the ball again, and the command for the
  /// control system, since free motors do not brake.
  enum Rank: Int {
    case abort, controlSystem, stop, urgent, ordinary
  }

  /// Requests of equal rank keep their order; the commands of the shutdown already have their order.
  var rank: Rank {
    if !isUrgent { return .ordinary }
    if purpose == .shutdown { return .urgent }
    if encoded.effect == .abortProgram { return .abort }
    if purpose == .controlSystem { return .controlSystem }
    return encoded.isStop ? .stop : .urgent
  }

  var mayRepeat: Bool {
    attempts - shortAttempts < maximumAttempts && !wasSuperseded && encoded.delivery == .atLeastOnce
  }

  /// Whether a lost attempt is soon repeated, with exponential backoff: that of a stop, of an abort, and of the commands
  /// by which the session stops or protects the ball.
  private var backsOff: Bool {
    guard maximumAttempts > 1, encoded.delivery == .atLeastOnce else { return false }
    switch purpose {
    case .program: return encoded.isUrgent
    case .housekeeping, .controlSystem, .motionTimeout: return true
    default: return false
    }
  }

  /// Begins an attempt, and returns how long to wait for its answer; `shortTimeout` is the first wait of a backoff.
  mutating func beginAttempt(shortTimeout: Duration) -> Duration {
    attempts += 1
    guard backsOff else { return timeout }
    // At most six attempts are short, so that a long timeout also ends.
    let wait = attempts > 6 ? timeout : min(shortTimeout * (1 << (attempts - 1)), timeout)
    if wait < timeout { shortAttempts += 1 }
    return wait
  }
}

struct CommandQueue: Sendable {
  /// By their ranks at their insertion; the urgent ones precede the ordinary ones.
  private var requests: [PendingRequest] = []
  private var rateLimiter: RateLimiter
  private let capacity: Int

  init(_ settings: HostSettings) {
    rateLimiter = RateLimiter(perSecond: settings.commandsPerSecond, burst: settings.burst)
    capacity = settings.maximumWaiting
  }

  /// Whether another ordinary request of the program may be added.
  var hasRoom: Bool { requests.count { !$0.isUrgent } < capacity }
  var hasUrgent: Bool { requests.first?.isUrgent ?? false }

  /// Adds a request; if `isNext`, ahead of those of equal rank.
  mutating func insert(_ request: PendingRequest, isNext: Bool = false) {
    // A new abort does not delay a stop that already waits.
    let rank = (request.rank == .abort ? .stop : request.rank).rawValue
    let place = requests.firstIndex { isNext ? $0.rank.rawValue >= rank : $0.rank.rawValue > rank }
    requests.insert(request, at: place ?? requests.count)
  }

  func contains(_ key: CoalescingKey) -> Bool { requests.contains { $0.coalescingKey == key } }
  /// Whether a request waits that moves or stops the ball, also one of another package or as bytes.
  var mayMove: Bool { requests.contains { $0.mayMove } }
  var containsMotion: Bool { requests.contains { $0.encoded.moves } }

  /// When the rate limit permits the next ordinary request, whether or not one waits.
  var rateLimitDue: Duration { rateLimiter.next }

  mutating func remove(where condition: (PendingRequest) -> Bool) -> [PendingRequest] {
    let removed = requests.filter(condition)
    if !removed.isEmpty { requests.removeAll(where: condition) }
    return removed
  }

  /// Removes and returns the next request that may be sent; ordinary ones only if `allowsOrdinary`.
  mutating func next(at now: Duration, allowsOrdinary: Bool) -> PendingRequest? {
    guard hasNext(at: now, allowsOrdinary: allowsOrdinary) else { return nil }
    let request = requests.removeFirst()
    if !request.isUrgent { rateLimiter.spend(at: now) }
    return request
  }

  func hasNext(at now: Duration, allowsOrdinary: Bool) -> Bool {
    guard let first = requests.first else { return false }
    return first.isUrgent || allowsOrdinary && now >= rateLimiter.next
  }

  /// When the next ordinary request may be sent; nil without one.
  var due: Duration? { requests.last.flatMap { $0.isUrgent ? nil : rateLimiter.next } }
}

/// A rate limit that allows bursts, by the generic cell rate algorithm.
struct RateLimiter: Hashable, Sendable {
  private let interval: Duration
  private let tolerance: Duration
  /// When the next command would be due at an even rate.
  private var due: Duration = .zero

  /// Allows `perSecond` commands in a second, and `burst` of them at once; both at least 1.
  init(perSecond: Int, burst: Int) {
    interval = .seconds(1) / max(1, perSecond)
    tolerance = interval * (max(1, burst) - 1)
  }

  var next: Duration { due - tolerance }

  mutating func spend(at now: Duration) { due = max(due, now) + interval }
}

/// The requests that were sent and wait for their answers.
///
/// Each attempt has its own sequence number, which is not reused while the attempt waits,
/// nor soon after it was given up. A late answer therefore matches no other request.
struct Requests: Sendable {
  struct Flight: Sendable {
    var request: PendingRequest
    let number: UInt8
    var sentAt: Duration
    /// When the attempt is given up; nil if only ``capacity`` limits the wait.
    var deadline: Duration?
    /// The reason why an answer under this number was rejected.
    var mismatch: WireError?
  }

  private static let retiredCount = 96
  /// The maximum number of attempts without a deadline.
  private static let capacity = 24

  private(set) var flights: [Flight] = []
  /// The sequence numbers of attempts that were given up, which are not reused yet; the newest is the last.
  private var retired: [UInt8] = []
  private var last: UInt8

  init(firstSequence: UInt8) { last = firstSequence <= 1 ? 255 : firstSequence - 1 }

  var programCount: Int {
    flights.count { if case .program = $0.request.purpose { true } else { false } }
  }

  var deadline: Duration? { flights.compactMap { $0.deadline }.min() }

  /// Records that a request is sent, and returns its sequence number; nil if none is free.
  mutating func send(_ request: PendingRequest, timeout: Duration? = nil, at now: Duration) -> UInt8? {
    guard let number = nextNumber() else { return nil }
    let isOpenEnded =
      switch request.purpose {
      case .handshake, .stream: true
      default: false
      }
    if isOpenEnded, flights.count(where: { $0.deadline == nil }) >= Self.capacity,
      let oldest = flights.firstIndex(where: { $0.deadline == nil })
    {
      retire(flights.remove(at: oldest).number)
    }
    flights.append(
      Flight(
        request: request, number: number, sentAt: now,
        deadline: isOpenEnded ? nil : now + (timeout ?? request.timeout)))
    return number
  }

  /// Removes and returns the attempt that a response answers; an attempt whose answer it cannot be continues to wait.
  mutating func answer(_ response: ResponsePacket) -> Flight? {
    guard let place = flights.firstIndex(where: { $0.number == response.sequence }) else {
      // The late answer has arrived, so its number can be reused.
      retired.removeAll { $0 == response.sequence }
      return nil
    }
    // Any answer ends the query for the model, because the stream then begins even if the model stays unknown, and an
    // abort, whose answer depends on the firmware.
    let request = flights[place].request
    if response.status == .ok, request.purpose != .model, request.encoded.effect != .abortProgram,
      let mismatch = request.encoded.mismatch(response.payload)
    {
      flights[place].mismatch = mismatch
      return nil
    }
    return flights.remove(at: place)
  }

  mutating func expire(at now: Duration) -> [Flight] {
    guard let deadline, deadline <= now else { return [] }
    return remove { flight in flight.deadline.map { $0 <= now } ?? false }
  }

  /// Removes and returns the attempts that satisfy `condition`; their late answers are ignored.
  mutating func remove(where condition: (Flight) -> Bool) -> [Flight] {
    let removed = flights.filter(condition)
    guard !removed.isEmpty else { return [] }
    flights.removeAll(where: condition)
    for flight in removed { retire(flight.number) }
    return removed
  }

  mutating func shift(by pause: Duration) {
    for place in flights.indices {
      flights[place].sentAt += pause
      flights[place].deadline = flights[place].deadline.map { $0 + pause }
    }
  }

  mutating func stopRepeating(where condition: (PendingRequest) -> Bool) {
    for place in flights.indices where condition(flights[place].request) {
      flights[place].request.wasSuperseded = true
    }
  }

  func contains(_ key: CoalescingKey) -> Bool { flights.contains { $0.request.coalescingKey == key } }

  /// Whether a request that moves or stops the ball and was sent at `time` or later is in flight; nil is any time.
  func mayMove(since time: Duration? = nil) -> Bool {
    flights.contains { flight in flight.request.mayMove && (time.map { flight.sentAt >= $0 } ?? true) }
  }

  /// Skips the next 97 numbers, under which answers to a former program may still arrive.
  mutating func skipNumbers() { last = UInt8((Int(last) + 96) % 255 + 1) }

  /// Permits all numbers on a new line, because no answer from an earlier line can arrive on it.
  mutating func forgetRetiredNumbers() { retired = [] }

  private mutating func retire(_ number: UInt8) {
    retired.append(number)
    if retired.count > Self.retiredCount { retired.removeFirst() }
  }

  /// The next free number of 1...255; 0 is that of commands that request no answer.
  private mutating func nextNumber() -> UInt8? {
    for _ in 1...255 {
      last = last == 255 ? 1 : last + 1
      let candidate = last
      if !retired.contains(candidate), !flights.contains(where: { $0.number == candidate }) {
        return candidate
      }
    }
    return nil
  }
}

/// The round trips of answered requests.
public struct RoundTrip: Hashable, Sendable {
  /// An exponential moving average with a weight of 1/8; 50 ms before the first answer.
  public private(set) var estimate: Duration = .milliseconds(50)
  /// The number of answers measured.
  public private(set) var count = 0
  /// The minimum of all answers; zero before the first.
  public private(set) var minimum: Duration = .zero

  /// The timeout of a request whose loss matters less than a delay, such as one that moves or stops the ball.
  package var shortTimeout: Duration { max(estimate * 3, .milliseconds(250)) }

  /// The minimum of the last eight answers: the delay of the link, without that of a busy host.
  var shortest: Duration { recent.suffix(8).min() ?? .milliseconds(50) }

  /// The newest round trips, oldest first.
  private var recent: [Duration] = []
  private static let capacity = 512

  init() {}

  package mutating func record(_ duration: Duration) {
    estimate = count == 0 ? duration : estimate + (duration - estimate) / 8
    minimum = count == 0 ? duration : min(minimum, duration)
    count += 1
    if recent.count == Self.capacity { recent.removeFirst() }
    recent.append(duration)
  }

  /// The median of the last 512.
  public var median: Duration { quantile(1, of: 2) }
  /// The 99th percentile of the last 512.
  public var percentile99: Duration { quantile(99, of: 100) }

  private func quantile(_ part: Int, of whole: Int) -> Duration {
    guard !recent.isEmpty else { return .zero }
    let sorted = recent.sorted()
    return sorted[min(sorted.count - 1, sorted.count * part / whole)]
  }
}
