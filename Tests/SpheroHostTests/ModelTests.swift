// Invariants of a conversation under random sends, losses, duplicates, delays, lost lines and consumers.

import SpheroHost
import SpheroProtocol
import TestSupport
import Testing

/// A minimal robot that reveals errors of a host: it answers, streams and counts.
///
/// Each streamed word has its field in the five lowest bits and the tick of its measurement in the others.
private struct Robot {
  var decoder = PacketDecoder(from: .host)
  var stream: (request: Sensing.SetDataStreaming, left: Int)?
  var nextFrame: Duration = .zero
  var tick = 0
  /// The appended chunks, and the motion commands in order.
  var chunks: [[UInt8]] = []
  var motions: [Motion.Roll] = []
  var period: Duration = .zero

  mutating func receive(_ bytes: [UInt8], at now: Duration, _ chance: inout SeededGenerator, refuses: Double)
    -> [[UInt8]]
  {
    var replies: [[UInt8]] = []
    decoder.append(bytes)
    while case .command(let command)? = decoder.next() {
      var status = Status.ok
      if chance.isTrue(refuses) {
        status = [.badChecksum, .fragment, .messageTimeout].randomElement(using: &chance) ?? .fragment
      }
      var payload: [UInt8] = []
      if status == .ok { payload = execute(command, at: now) }
      guard command.options.contains(.answer) else { continue }
      let response = ResponsePacket(status: status, sequence: command.sequence, payload: payload)
      if let bytes = try? Packet.response(response).encoded() { replies.append(bytes) }
    }
    return replies
  }

  private mutating func execute(_ command: CommandPacket, at now: Duration) -> [UInt8] {
    switch command.id {
    case Sensing.SetDataStreaming.id:
      guard let request = try? Sensing.SetDataStreaming(request: command.payload) else { return [] }
      if request.sensorMask.isEmpty {
        stream = nil
      } else {
        let isRenewal =
          stream?.request.sensorMask == request.sensorMask && stream?.request.divisor == request.divisor
        stream = (request, Int(request.packetCount))
        period = .microseconds(2_500) * Int(request.divisor) * Int(request.frames)
        if !isRenewal { nextFrame = now + period }
      }
      return []
    case Core.PollPacketTimes.id:
      // T1 is returned, which reveals the reply to another request.
      return Array(command.payload.prefix(4)) + [0, 0, 0, 1, 0, 0, 0, 1]
    case Settings.GetPermanentOptions.id: return [0, 0, 0, 0x12]
    case Macros.AppendMacroChunk.id:
      chunks.append(command.payload)
      return []
    case Motion.Roll.id:
      if let roll = try? Motion.Roll(request: command.payload) { motions.append(roll) }
      return []
    default: return []
    }
  }

  /// The packet that is due; nil if none is.
  mutating func takeDuePacket(at now: Duration) -> [UInt8]? {
    guard let (request, left) = stream, left > 0, now >= nextFrame else { return nil }
    stream?.left = left - 1
    nextFrame += period
    var words: [Int16] = []
    for _ in 0..<request.frames {
      tick += 1
      for field in request.sensorMask.fields { words.append(Self.word(field, tick)) }
    }
    let payload = words.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    return try? Packet.event(EventPacket(id: Sensing.SensorData.id, payload: payload)).encoded()
  }

  var nextPacket: Duration? { (stream?.left ?? 0) > 0 ? nextFrame : nil }

  static func word(_ field: SensorField, _ tick: Int) -> Int16 {
    let place = SensorField.allCases.firstIndex(of: field) ?? 0
    return Int16(truncatingIfNeeded: (tick % 1_024) << 5 | place)
  }
}

/// One random sequence of actions.
private struct History {
  var chance: SeededGenerator
  let seed: UInt64
  var now = Duration.zero
  var steps = 0
  var conversation: Conversation
  var robot = Robot()
  /// The bytes in transit, in either direction.
  var toRobot: [(at: Duration, bytes: [UInt8])] = []
  var toHost: [(at: Duration, bytes: [UInt8])] = []
  var isOnline = true
  var hasLeft = false
  var isLeaving = false

  // The pending requests and streams of the program.
  var polls: [RequestID: UInt32] = [:]
  var chunks: [RequestID: [UInt8]] = [:]
  var others: Set<RequestID> = []
  var consumers: [SubscriptionID: (mask: SensorMask, last: Duration?, tick: Int?)] = [:]
  var count: UInt32 = 0
  var heading: UInt16 = 0
  var chunkCount = 0
  var problems: [String] = []

  // The commands that the host has sent.
  var wire = PacketDecoder(from: .host)
  var sentChunks: [[UInt8]: Int] = [:]
  var lastHeading = -1
  var lastMotion: Motion.Roll?
  var hasMoved = false
  /// The last requests for a stream, for failure messages.
  var streams: [String] = []
  var motions: [String] = []

  // The error rates of the link.
  let loss, duplication, corruption, refusal: Double
  let latency: Double

  init(seed: UInt64) {
    self.seed = seed
    chance = SeededGenerator(seed: seed)
    var settings = HostSettings(timeout: .milliseconds(Int.random(in: 100...1_000, using: &chance)))
    settings.attempts = Int.random(in: 1...4, using: &chance)
    settings.maximumInFlight = Int.random(in: 1...6, using: &chance)
    settings.firstSequence = UInt8.random(in: 1...255, using: &chance)
    settings.keepAlive = chance.isTrue(0.5) ? .seconds(5) : nil
    settings.commandsPerSecond = Int.random(in: 5...50, using: &chance)
    conversation = Conversation(settings, at: .zero)
    let isGood = chance.isTrue(0.3)
    loss = isGood ? 0 : Double.random(in: 0...0.3, using: &chance)
    duplication = isGood ? 0 : Double.random(in: 0...0.1, using: &chance)
    corruption = isGood ? 0 : Double.random(in: 0...0.02, using: &chance)
    refusal = isGood ? 0 : Double.random(in: 0...0.2, using: &chance)
    latency = Double.random(in: 0...0.3, using: &chance)
  }

  mutating func fail(_ problem: String) { if problems.count < 5 { problems.append("\(now): \(problem)") } }

  /// Puts bytes in transit, in the order of the line.
  mutating func deliver(_ bytes: [UInt8], toHost isToHost: Bool) {
    guard isOnline else { return }
    for _ in 0..<(chance.isTrue(duplication) ? 2 : 1) {
      if chance.isTrue(loss) { continue }
      var bytes = bytes
      if chance.isTrue(corruption), let place = bytes.indices.randomElement(using: &chance) {
        bytes[place] ^= UInt8.random(in: 1...255, using: &chance)
      }
      let jitter = Double.random(in: 0.5...1, using: &chance) * latency
      if isToHost {
        toHost.append((max(now + .seconds(jitter), toHost.last?.at ?? .zero), bytes))
      } else {
        toRobot.append((max(now + .seconds(jitter), toRobot.last?.at ?? .zero), bytes))
      }
    }
  }

  mutating func step() {
    steps += 1
    let deadline = conversation.nextDeadline
    var next =
      [toHost.first?.at, toRobot.first?.at, robot.nextPacket, deadline].compactMap { $0 }.min() ?? now
    // The program acts about ten times per second.
    let action = now + .seconds(Double.random(in: 0...0.2, using: &chance))
    let acts = next >= action || chance.isTrue(0.02)
    if acts { next = min(next, action) }
    now = max(now, next)

    if let deadline, deadline <= now {
      conversation.advance(to: now)
      drain()
      if let again = conversation.nextDeadline, again <= now {
        conversation.advance(to: now)
        drain()
        if let third = conversation.nextDeadline, third <= now { fail("the deadline stays at \(third)") }
      }
    }
    while let first = toRobot.first, first.at <= now {
      toRobot.removeFirst()
      for reply in robot.receive(first.bytes, at: now, &chance, refuses: refusal) {
        deliver(reply, toHost: true)
      }
    }
    if let packet = robot.takeDuePacket(at: now) { deliver(packet, toHost: true) }
    while let first = toHost.first, first.at <= now {
      toHost.removeFirst()
      if chance.isTrue(0.3), first.bytes.count > 2 {
        let cut = Int.random(in: 1..<first.bytes.count, using: &chance)
        conversation.receive(Array(first.bytes[..<cut]), at: now)
        conversation.receive(Array(first.bytes[cut...]), at: now)
      } else {
        conversation.receive(first.bytes, at: now)
      }
      drain()
    }
    if acts { act() }
    drain()
  }

  /// Performs a random action of the program.
  mutating func act() {
    switch Int.random(in: 0..<100, using: &chance) {
    case 0..<25:
      count &+= 1
      guard let request = try? EncodedRequest(Core.PollPacketTimes(clientTx: count)) else { return }
      polls[conversation.enqueue(request, at: now)] = count
    case 25..<35:
      chunkCount += 1
      let chunk: [UInt8] = [
        0xFF, 0, UInt8(truncatingIfNeeded: chunkCount >> 8), UInt8(truncatingIfNeeded: chunkCount),
      ]
      guard let request = try? EncodedRequest(Macros.AppendMacroChunk(chunk: chunk)) else { return }
      chunks[conversation.enqueue(request, at: now)] = chunk
    case 35..<55:
      // Headings increase, which shows the order of motion commands.
      guard heading < 359 else { return }
      heading += 1
      let state: Motion.Roll.State = chance.isTrue(0.3) ? .stop : .drive
      guard let request = try? EncodedRequest(Motion.Roll(speed: 80, heading: heading, state: state)) else {
        return
      }
      others.insert(conversation.enqueue(request, at: now))
    case 55..<60:
      guard heading < 359 else { return }
      heading += 1
      try? conversation.drive(speed: 90, heading: heading, at: now)
    case 60..<63: try? conversation.stopDriving(at: now)
    case 63..<73:
      guard let request = try? EncodedRequest(Lights.SetRGBLED(red: 1, green: 2, blue: 3)) else { return }
      let id = conversation.enqueue(request, at: now)
      others.insert(id)
      if chance.isTrue(0.2) {
        conversation.cancel(id, at: now)
        others.remove(id)
      }
    case 73..<83:
      let fields = SensorField.allCases.filter { _ in chance.isTrue(0.15) }
      let mask = fields.reduce(into: SensorMask()) { $0.formUnion(SensorMask($1)) }
      let request = StreamRequest(
        mask: mask, divisor: UInt16.random(in: 1...40, using: &chance),
        frames: UInt16.random(in: 1...3, using: &chance), packets: UInt8.random(in: 20...255, using: &chance))
      guard consumers.count < 6, let id = try? conversation.subscribe(request, at: now) else { return }
      consumers[id] = (mask, nil, nil)
    case 83..<92:
      if let id = consumers.keys.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &chance) {
        conversation.unsubscribe(id, at: now)
      }
    case 92..<94:
      if isOnline, chance.isTrue(0.5) {
        isOnline = false
        (toHost, toRobot) = ([], [])
        conversation.lineLost(at: now)
        lastHeading = -1
        wire = PacketDecoder(from: .host)
      }
    case 94..<97:
      if !isOnline {
        isOnline = true
        conversation.reconnected(at: now)
      }
    case 97:
      if chance.isTrue(0.02), steps > 500 {
        isLeaving = true
        conversation.shutDown(at: now)
      }
    default: break
    }
  }

  /// Sends the output and processes the updates, like an owner that polls first.
  mutating func drain() {
    var sent = 0
    while conversation.hasOutput, let bytes = conversation.takeOutput(at: now) {
      sent += 1
      if sent > 1_000 { return fail("output without end") }
      note(bytes)
      deliver(bytes, toHost: false)
    }
    for item in conversation.takeUpdates() { process(item) }
  }

  /// Checks the bytes that the host sends.
  private mutating func note(_ bytes: [UInt8]) {
    if hasLeft { fail("a packet after the end") }
    wire.append(bytes)
    while case .command(let command)? = wire.next() {
      if command.id == Macros.AppendMacroChunk.id {
        sentChunks[command.payload, default: 0] += 1
        if sentChunks[command.payload] != 1 { fail("a chunk was sent twice") }
        if isLeaving { fail("the program's command after its leaving") }
      }
      if command.id == Sensing.SetDataStreaming.id,
        let request = try? Sensing.SetDataStreaming(request: command.payload)
      {
        streams.append(
          "\(now) \(request.sensorMask.fields) /\(request.divisor) x\(request.frames) n\(request.packetCount)"
        )
        if streams.count > 20 { streams.removeFirst() }
      }
      guard command.id == Motion.Roll.id, let roll = try? Motion.Roll(request: command.payload) else {
        continue
      }
      if isLeaving, roll.state != .stop { fail("motion after the leaving") }
      if roll.state == .drive {
        if Int(roll.heading) < lastHeading {
          fail("an older roll after a newer command: \(roll.heading) after \(lastHeading)")
        }
        hasMoved = true
        lastHeading = max(lastHeading, Int(roll.heading))
      }
      // The heading of a stop may be the measured yaw.
      lastMotion = roll
      motions.append("\(now) \(roll.heading) \(roll.state)")
    }
  }

  private mutating func process(_ item: Conversation.Update) {
    switch item {
    case .completed(let id, let result):
      if let expected = polls.removeValue(forKey: id) {
        if case .success(let response) = result.map(\.packet), response.status == .ok,
          (try? Core.PollPacketTimes.Response(payload: response.payload))?.clientTx != expected
        {
          fail("another request's reply")
        }
      } else if chunks.removeValue(forKey: id) == nil, others.remove(id) == nil {
        fail("a request ended twice, or after it was cancelled")
      }
    case .samples(let id, let samples):
      guard var consumer = consumers[id] else { return fail("samples for an unknown consumer") }
      for sample in samples { check(sample, &consumer) }
      consumers[id] = consumer
    case .streamEnded(let id, _):
      if consumers.removeValue(forKey: id) == nil { fail("a stream ended twice") }
    case .left: hasLeft = true
    case .failed, .connected, .event, .streamStarted, .notice: break
    }
  }

  private mutating func check(
    _ sample: TimedSample, _ consumer: inout (mask: SensorMask, last: Duration?, tick: Int?)
  ) {
    if sample.sample.mask != consumer.mask { fail("another mask") }
    if let last = consumer.last, sample.time <= last { fail("time runs backwards: \(last) \(sample.time)") }
    consumer.last = sample.time
    let ticks = consumer.mask.fields.map { field -> Int? in
      guard let word = sample.sample.word(field) else { return nil }
      let value = Int(UInt16(bitPattern: word))
      return value & 31 == SensorField.allCases.firstIndex(of: field) ? value >> 5 : nil
    }
    // One in 255 damaged packets passes the 8-bit checksum; a wrong layout would fail more often.
    if corruption == 0, Set(ticks).count != 1 || ticks.first == .some(nil) {
      fail(
        "a frame under a wrong layout: \(consumer.mask.fields) \(sample.sample.rawWords.map { ($0 >> 5, $0 & 31) }); \(streams.suffix(6))"
      )
    }
  }

  /// Ends the conversation and checks that all requests and streams end.
  mutating func finish() {
    if !isOnline {
      isOnline = true
      conversation.reconnected(at: now)
    }
    if !isLeaving {
      isLeaving = true
      conversation.shutDown(at: now)
      drain()
    }
    let limit = now + .seconds(2)
    while !conversation.isOver, now < limit { step() }
    if !conversation.isOver { fail("leaving never ends") }
    if !polls.isEmpty || !chunks.isEmpty || !others.isEmpty { fail("requests that never end") }
    if !consumers.isEmpty { fail("consumers that never end") }
    if let lastMotion, hasMoved, lastHeading >= 0, lastMotion.state != .stop {
      fail("the last word is not a stop: \(motions.suffix(8))")
    }
    // After the death of a program, the robot sends at most the rest of its count.
    let left = robot.stream?.left ?? 0
    var packets = 0
    while robot.nextPacket != nil, packets <= left {
      now = robot.nextPacket ?? now
      if robot.takeDuePacket(at: now) != nil { packets += 1 }
    }
    if packets > 255 { fail("the robot streams for ever") }
  }
}

@Suite(.ownThread) struct ModelTests {
  /// See Docs/Reliability.md for long runs.
  @Test func randomHistories() {
    var run = RandomRun(steps: 100_000)
    var (done, histories) = (0, 0)
    while done < run.steps {
      var history = History(seed: run.seed)
      for _ in 0..<4_000 where !history.isLeaving || !history.conversation.isOver { history.step() }
      history.finish()
      #expect(history.problems.isEmpty, "\(run.repetition)")
      if !history.problems.isEmpty { break }
      done += history.steps
      histories += 1
      run.next()
    }
    print("\(done) steps in \(histories) histories")
  }
}
