// A scripted robot, and a program on a line with latency, for tests of the conversation.

import SpheroProtocol

@testable import SpheroHost

/// The reaction of a robot to a command.
enum Reaction: Hashable, Sendable {
  /// Answers, by default with ok and an empty payload.
  case answer(Status = .ok, [UInt8] = [])
  /// Does not receive the command.
  case lost
  /// Executes the command; the answer is lost.
  case answerLost
}

/// A robot that records commands, answers, and streams words that identify their field and frame.
struct ScriptedRobot: Sendable {
  /// The received commands in order.
  private(set) var received: [CommandPacket] = []
  /// The reaction to a command, given how often it was received before; nil for the default.
  var script: @Sendable (CommandPacket, Int) -> Reaction? = { _, _ in nil }
  /// Its sample rate divided by the nominal one.
  var rate = 1.0
  /// Whether every request for a stream restarts its period, including a renewal of the count.
  var restartsPeriod = false
  /// Whether it streams at all.
  var streams = true
  /// The version record of a Sphero 2.0 with firmware 3.73.
  private static let version: [UInt8] = [1, 3, 1, 3, 73, 0x33, 0, 0]
  private var decoder = PacketDecoder(from: .host)
  private var stream: Sensing.SetDataStreaming?
  private var left = 0
  private var nextPacket: Duration?
  private var frame: UInt16 = 0

  /// Processes bytes and returns the answers.
  mutating func receive(_ bytes: [UInt8], at now: Duration) -> [[UInt8]] {
    decoder.append(bytes)
    var answers: [[UInt8]] = []
    while case .command(let command)? = decoder.next() {
      let reaction =
        script(command, received.count { $0.id == command.id })
        ?? (command.id == CommandID(0x00, 0x02) ? .answer(.ok, Self.version) : .answer())
      if reaction == .lost { continue }
      received.append(command)
      var isRefused = false
      if case .answer(let status, _) = reaction { isRefused = status != .ok }
      if !isRefused { execute(command, at: now) }
      if case .answer(let status, let payload) = reaction, command.options.contains(.answer) {
        answers.append(Self.response(command.sequence, status, payload))
      }
    }
    return answers
  }

  private mutating func execute(_ command: CommandPacket, at now: Duration) {
    guard command.id == CommandID(0x02, 0x11),
      let request = try? Sensing.SetDataStreaming(request: command.payload)
    else { return }
    let isSame = stream.map {
      ($0.divisor, $0.frames, $0.sensorMask) == (request.divisor, request.frames, request.sensorMask)
    }
    if request.sensorMask.isEmpty {
      (stream, nextPacket) = (nil, nil)
      return
    }
    (stream, left) = (request, Int(request.packetCount))
    if !streams { return }
    if isSame != true || nextPacket == nil || restartsPeriod { nextPacket = now + period(request) }
  }

  /// Restarts the robot, which ends its stream.
  mutating func restart() { (stream, nextPacket, left) = (nil, nil, 0) }

  private func period(_ request: Sensing.SetDataStreaming) -> Duration {
    .seconds(0.0025 * Double(request.divisor) * Double(request.frames) / rate)
  }

  /// When the next packet of the stream is due.
  var due: Duration? { nextPacket }

  /// The packet of the stream that is due: a word holds the bit of its field (6 bits) and the number of its frame (10 bits).
  mutating func takeDuePacket(at now: Duration) -> [UInt8]? {
    guard let due = nextPacket, due <= now, let stream else { return nil }
    var payload: [UInt8] = []
    for _ in 0..<stream.frames {
      frame = (frame + 1) % 1_024
      for field in stream.sensorMask.fields {
        let word = UInt16(field.rawValue) << 10 | frame
        payload += [UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word)]
      }
    }
    left -= 1
    nextPacket = left > 0 ? due + period(stream) : nil
    return Self.event(0x03, payload)
  }

  /// The bytes of an answer, by hand: FF FF MRSP SEQ DLEN payload CHK.
  static func response(_ sequence: UInt8, _ status: Status = .ok, _ payload: [UInt8] = []) -> [UInt8] {
    framed([0xFF, 0xFF], [status.rawValue, sequence, UInt8(payload.count + 1)] + payload)
  }

  /// The bytes of an event, by hand: FF FE ID LEN LEN payload CHK.
  static func event(_ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 1
    return framed([0xFF, 0xFE], [id, UInt8(length >> 8), UInt8(length & 0xFF)] + payload)
  }

  private static func framed(_ header: [UInt8], _ body: [UInt8]) -> [UInt8] {
    header + body + [~body.reduce(0, &+)]
  }
}

/// A conversation and a robot on one clock.
struct Play: Sendable {
  var now: Duration = .seconds(100)
  /// The delay of bytes in each direction.
  var latency: Duration = .milliseconds(5)
  var robot = ScriptedRobot()
  var conversation: Conversation
  /// Whether the line is up.
  var isOnline = true
  /// Whether the line loses a packet of the stream.
  var losesSample: @Sendable (Duration) -> Bool = { _ in false }
  /// Whether bytes to the robot are lost, and those to the host.
  var losesCommands = false
  var losesAnswers = false
  /// Until when the line holds back bytes to the host.
  var stalledUntil: Duration = .zero
  /// The commands of the host with their times.
  private(set) var sent: [(at: Duration, command: CommandPacket)] = []
  var updates: [(at: Duration, item: Conversation.Update)] = []
  private var toRobot: [(at: Duration, bytes: [UInt8])] = []
  private var toHost: [(at: Duration, bytes: [UInt8])] = []
  /// The number of calls that the conversation requested without a passage of time.
  private(set) var spins = 0

  /// Settings without commands of the session's own.
  static let plain: HostSettings = {
    var settings = HostSettings()
    (settings.firstSequence, settings.stopsOnDisconnect) = (1, false)
    (settings.motionTimeout, settings.keepAlive) = (nil, nil)
    return settings
  }()

  init(_ settings: HostSettings = plain) { conversation = Conversation(settings, at: now) }

  /// A connected conversation.
  static func connected(_ settings: HostSettings = plain) -> Play {
    var play = Play(settings)
    play.run(.milliseconds(100))
    play.clearRecords()
    return play
  }

  /// Discards the records so far.
  mutating func clearRecords() { (sent, updates) = ([], []) }

  /// Advances the time.
  mutating func run(_ duration: Duration) {
    let end = now + duration
    flush()
    while true {
      let delivery = toHost.first.map { max($0.at, stalledUntil) }
      let times = [toRobot.first?.at, delivery, robot.due, conversation.nextDeadline]
      guard let next = times.compactMap({ $0 }).min(), next <= end else { break }
      if next <= now, conversation.nextDeadline.map({ $0 <= now }) ?? false {
        conversation.advance(to: now)
        flush()
        if conversation.nextDeadline.map({ $0 <= now }) ?? false {
          spins += 1
          now += .microseconds(100)
        }
      }
      now = max(now, next)
      step()
    }
    now = end
    step()
  }

  private mutating func step() {
    conversation.advance(to: now)
    while let first = toRobot.first, first.at <= now {
      toRobot.removeFirst()
      if losesCommands { continue }
      for answer in robot.receive(first.bytes, at: now) { toHost.append((now + latency, answer)) }
    }
    while let packet = robot.takeDuePacket(at: now) {
      if !losesSample(now) { toHost.append((now + latency, packet)) }
    }
    while let first = toHost.first, first.at <= now, now >= stalledUntil {
      toHost.removeFirst()
      if isOnline, !losesAnswers { conversation.receive(first.bytes, at: now) }
    }
    flush()
  }

  /// Sends the output and records the updates.
  mutating func flush() {
    while isOnline, let bytes = conversation.takeOutput(at: now) {
      var decoder = PacketDecoder(from: .host)
      decoder.append(bytes)
      if case .command(let command)? = decoder.next() { sent.append((now, command)) }
      toRobot.append((now + latency, bytes))
    }
    updates += conversation.takeUpdates().map { (now, $0) }
  }

  /// Delivers bytes to the host now.
  mutating func deliver(_ bytes: [UInt8]) {
    conversation.receive(bytes, at: now)
    flush()
  }

  /// Suspends the host, like a sleeping laptop.
  mutating func suspend(_ duration: Duration) { now += duration }

  /// Drops the line and the bytes in transit.
  mutating func drop() {
    (isOnline, toRobot, toHost) = (false, [], [])
    conversation.lineLost(at: now)
    flush()
  }

  mutating func reconnect() {
    isOnline = true
    conversation.reconnected(at: now)
    flush()
  }

  mutating func enqueue(_ request: some Request, timeout: Duration? = nil) throws -> RequestID {
    let id = conversation.enqueue(try EncodedRequest(request), timeout: timeout, at: now)
    flush()
    return id
  }

  mutating func subscribe(_ request: StreamRequest) throws -> SubscriptionID {
    let id = try conversation.subscribe(request, at: now)
    flush()
    return id
  }

  mutating func leave() {
    conversation.shutDown(at: now)
    flush()
  }

  /// DID, CID and payload of each command that the host sent.
  var wire: [[UInt8]] { sent.map { [$0.command.id.device, $0.command.id.command] + $0.command.payload } }

  /// The result of a request; nil before its end.
  func end(of id: RequestID) -> Result<ResponsePacket, SessionError>? {
    for case .completed(id, let result) in updates.map({ $0.item }) { return result.map(\.packet) }
    return nil
  }

  func error(of id: RequestID) -> SessionError? {
    if case .failure(let error)? = end(of: id) { error } else { nil }
  }

  var notices: [Notice] {
    updates.compactMap { if case .notice(let notice) = $0.item { notice } else { nil } }
  }

  /// The samples of a consumer with the times of their delivery.
  func samples(of id: SubscriptionID) -> [(at: Duration, sample: TimedSample)] {
    var found: [(at: Duration, sample: TimedSample)] = []
    for entry in updates {
      if case .samples(id, let samples) = entry.item { found += samples.map { (entry.at, $0) } }
    }
    return found
  }

  /// The end of a consumer's samples and its error; nil before the end.
  func streamEnd(of id: SubscriptionID) -> (at: Duration, error: SessionError?)? {
    for entry in updates { if case .streamEnded(id, let error) = entry.item { return (entry.at, error) } }
    return nil
  }

  var hasLeft: Bool { updates.contains { if case .left = $0.item { true } else { false } } }
}

extension Notice {
  /// The gap; nil for another notice.
  var gap: StreamGap? { if case .gap(let gap) = self { gap } else { nil } }
}
