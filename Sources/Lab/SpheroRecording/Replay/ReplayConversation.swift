// The two modes of a replay: the host must send the recorded commands, or may send any.

import SpheroProtocol

/// The behaviour of a replay in one mode.
protocol ReplayConversation: Sendable {
  /// Begins the replay; called once before all other members except `nextDeadline`.
  mutating func begin(at time: Duration)
  /// Handles a packet of the host, or bytes that are not part of a packet.
  mutating func receive(_ packet: CommandPacket?, _ bytes: [UInt8], at time: Duration) throws(ReplayError)
  /// Removes and returns the next output that is due.
  mutating func next(at time: Duration) -> [UInt8]?
  /// When the next output is due; nil if that depends on the host.
  var nextDeadline: Duration? { get }
  /// Whether the recording has ended; answers to commands may still be pending.
  var isPlayed: Bool { get }
}

/// The output of a replayed robot in the order of the recording.
struct ReplayOutbox: Sendable {
  private struct Entry: Sendable {
    var order: Int
    var due: Duration
    var bytes: [UInt8]
  }

  private var entries = Queue<Entry>()
  private var isSorted = true

  var nextDeadline: Duration? { entries.first?.due }

  /// Appends output; ``sort()`` puts it in its order.
  mutating func append(_ bytes: [UInt8], order: Int = .max, due: Duration) {
    if let last = entries.last, order < last.order { isSorted = false }
    entries.append(Entry(order: order, due: due, bytes: bytes))
  }

  /// Sorts the output by its order, once after many entries, since an insertion costs time proportional to the number
  /// of entries.
  mutating func sort() {
    guard !isSorted else { return }
    entries.sort { $0.order < $1.order }
    isSorted = true
  }

  mutating func next(at time: Duration) -> [UInt8]? {
    guard let first = entries.first, first.due <= time else { return nil }
    return entries.popFirst()?.bytes
  }
}

extension ResponsePacket {
  /// The encoded response to a command with a sequence number.
  func bytes(sequence: UInt8) -> [UInt8] {
    var response = self
    response.sequence = sequence
    // A payload that was decoded from a packet fits into one.
    return (try? Packet.response(response).encoded()) ?? []
  }
}

/// Sends each recorded response after its command, and each event after the command that precedes it in the
/// recording, both in their recorded order and with their recorded delay.
struct StrictConversation: ReplayConversation {
  private let script: ReplayScript
  /// The steps of the host except pings, and how many of them have been received.
  private let expected: [Int]
  private var receivedCount = 0
  /// The steps of the responses to each command.
  private let responses: [Int: [Int]]
  private var answers: ReplayAnswers
  private var outbox = ReplayOutbox()
  /// The answers to pings, which are independent of the order of the recording.
  private var pingOutbox = ReplayOutbox()

  init(_ script: ReplayScript) {
    self.script = script
    answers = ReplayAnswers(script)
    var expected: [Int] = []
    var responses: [Int: [Int]] = [:]
    for (index, step) in script.steps.enumerated() {
      switch step.content {
      case .host(let packet, _): if packet?.id != Core.Ping.id { expected.append(index) }
      case .response(_, let command): responses[command, default: []].append(index)
      case .robot: break
      }
    }
    (self.expected, self.responses) = (expected, responses)
  }

  mutating func begin(at time: Duration) { sendEvents(after: nil, at: time) }

  mutating func receive(_ packet: CommandPacket?, _ bytes: [UInt8], at time: Duration) throws(ReplayError) {
    if let packet, packet.id == Core.Ping.id {
      guard let answer = answers.answer(to: packet) else { return }
      return pingOutbox.append(answer.response.bytes(sequence: packet.sequence), due: time + answer.delay)
    }
    guard let step, case .host(let expectedPacket, let expectedBytes) = script.steps[step].content else {
      throw .unexpected(seen: bytes, expected: nil)
    }
    guard Self.isEqual(packet, expectedPacket), packet != nil || bytes == expectedBytes else {
      throw .unexpected(seen: bytes, expected: expectedBytes)
    }
    receivedCount += 1
    for index in responses[step] ?? [] {
      guard let packet, case .response(let response, _) = script.steps[index].content else { continue }
      outbox.append(
        response.bytes(sequence: packet.sequence), order: index, due: time + delay(from: step, to: index))
    }
    sendEvents(after: step, at: time)
  }

  /// The next expected step of the host; nil after the last one.
  private var step: Int? { receivedCount < expected.count ? expected[receivedCount] : nil }

  /// Whether both are the same command with any sequence number, or neither is a command.
  private static func isEqual(_ packet: CommandPacket?, _ expected: CommandPacket?) -> Bool {
    guard let packet, let expected else { return packet == nil && expected == nil }
    return expected.id == packet.id && expected.options == packet.options
      && expected.payload == packet.payload
  }

  /// Sends what the robot sent without a command between a step of the host and the next one.
  private mutating func sendEvents(after start: Int?, at time: Duration) {
    for index in ((start ?? -1) + 1)..<(step ?? script.steps.count) {
      guard case .robot(let bytes, _) = script.steps[index].content else { continue }
      outbox.append(bytes, order: index, due: time + delay(from: start, to: index))
    }
    outbox.sort()
  }

  private func delay(from start: Int?, to index: Int) -> Duration {
    script.steps[index].time - (start.map { script.steps[$0].time } ?? .zero)
  }

  mutating func next(at time: Duration) -> [UInt8]? { pingOutbox.next(at: time) ?? outbox.next(at: time) }

  var nextDeadline: Duration? { [pingOutbox.nextDeadline, outbox.nextDeadline].compactMap { $0 }.min() }

  var isPlayed: Bool { step == nil && outbox.nextDeadline == nil }
}

/// Sends the recorded answers to the commands of the host, and the recorded events at their own times.
struct LooseConversation: ReplayConversation {
  private struct Event: Sendable {
    var time: Duration
    var bytes: [UInt8]
    var isSensorData: Bool
  }

  /// A position in the recording at which a stream begins.
  private struct StreamStart: Sendable {
    var position: Int
    var time: Duration
    /// Nil if it is unknown.
    var format: StreamFormat?
  }

  /// How long sensor data waits for the first command of a host, which may not only listen.
  private static let silence = Duration.milliseconds(500)

  private let events: [Event]
  private var position = 0
  /// The starts that have not been used, and the rests of streams that the host has ended.
  private var starts: [StreamStart]
  /// The formats of all streams; nil is one that is unknown.
  private let formats: [StreamFormat?]
  /// A time of the recording, and the corresponding time of the replay.
  private var anchor = (recorded: Duration.zero, now: Duration.zero)
  private var answers: ReplayAnswers
  private var outbox = ReplayOutbox()
  private var hasHost = false
  private var format: StreamFormat?

  init(_ script: ReplayScript) {
    answers = ReplayAnswers(script)
    var events: [Event] = []
    var starts: [StreamStart] = []
    var format: StreamFormat?
    for step in script.steps {
      switch step.content {
      case .host(let packet, _):
        guard let request = packet.flatMap({ Sensing.SetDataStreaming(recorded: $0) }) else { continue }
        let new = Self.format(request)
        if let new, new != format {
          starts.append(StreamStart(position: events.count, time: step.time, format: new))
        }
        format = new
      case .robot(let bytes, let isSensorData):
        if isSensorData, starts.isEmpty {
          // The stream began before the recording.
          starts.append(StreamStart(position: 0, time: .zero, format: script.stream))
          format = script.stream
        }
        events.append(Event(time: step.time, bytes: bytes, isSensorData: isSensorData))
      case .response: break
      }
    }
    (self.events, self.starts, formats) = (events, starts, starts.map(\.format))
  }

  mutating func begin(at time: Duration) {
    let first = events.first(where: \.isSensorData)?.time ?? Self.silence
    anchor.now = time + max(Self.silence - first, .zero)
  }

  mutating func receive(_ packet: CommandPacket?, _ bytes: [UInt8], at time: Duration) {
    guard let packet else { return }
    hasHost = true
    if let request = Sensing.SetDataStreaming(recorded: packet) {
      let new = Self.format(request)
      guard new.map({ hasStream($0) }) ?? true else { return refuse(packet, at: time) }
      if new == nil, let format {
        let recorded = anchor.recorded + time - anchor.now
        starts.append(StreamStart(position: position, time: recorded, format: format))
      }
      if let new, new != format { jump(to: new, at: time) }
      format = new
    }
    guard let answer = answers.answer(to: packet) else { return }
    outbox.append(answer.response.bytes(sequence: packet.sequence), due: time + answer.delay)
  }

  /// Whether the recording may have a stream: values of other fields or of another rate would look like those requested.
  private func hasStream(_ format: StreamFormat) -> Bool {
    formats.contains { known in
      guard let known else { return true }
      return known.mask == format.mask && known.divisor ?? format.divisor == format.divisor
        && known.frames ?? format.frames == format.frames
    }
  }

  private mutating func refuse(_ packet: CommandPacket, at time: Duration) {
    guard packet.options.contains(.answer) else { return }
    let response = ResponsePacket(status: .badParameter, sequence: packet.sequence, payload: [])
    outbox.append(response.bytes(sequence: packet.sequence), due: time)
  }

  /// The stream that a request starts; nil if it ends streaming.
  private static func format(_ request: Sensing.SetDataStreaming) -> StreamFormat? {
    request.sensorMask.isEmpty ? nil : StreamFormat(request)
  }

  /// Continues at the first unused start of an equal stream, else of an unknown one, else of any;
  /// without a start, the position stays.
  private mutating func jump(to format: StreamFormat, at time: Duration) {
    let index =
      starts.firstIndex { $0.format == format } ?? starts.firstIndex { $0.format == nil }
      ?? starts.indices.first
    guard let index else { return }
    let start = starts.remove(at: index)
    position = start.position
    anchor = (start.time, time)
  }

  private var eventDeadline: Duration? {
    guard events.indices.contains(position) else { return nil }
    return anchor.now + events[position].time - anchor.recorded
  }

  mutating func next(at time: Duration) -> [UInt8]? {
    if let answer = outbox.next(at: time) { return answer }
    while let due = eventDeadline, due <= time {
      let event = events[position]
      position += 1
      // A host that sends commands gets sensor data only while it streams; one that only listens gets everything.
      if !event.isSensorData || format != nil || !hasHost { return event.bytes }
    }
    return nil
  }

  var nextDeadline: Duration? { [outbox.nextDeadline, eventDeadline].compactMap { $0 }.min() }

  // A host that has not requested the recorded stream may still do so.
  var isPlayed: Bool { position == events.count && (format != nil || !hasHost) }
}
