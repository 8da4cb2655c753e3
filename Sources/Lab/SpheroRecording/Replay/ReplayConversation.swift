// The strict and the loose mode of a replay.

import SpheroProtocol

protocol ReplayConversation: Sendable {
  /// Begins the replay; called once, before all other methods.
  mutating func begin(at time: Duration)
  /// Handles a packet of the host, or bytes that are not part of a packet.
  mutating func receive(_ packet: CommandPacket?, _ bytes: [UInt8], at time: Duration) throws(ReplayError)
  mutating func next(at time: Duration) -> [UInt8]?
  /// The time at which the next output is due; nil before the next packet of the host.
  var nextDeadline: Duration? { get }
  /// Whether the whole recording has been played; answers to later commands may be pending.
  var isPlayed: Bool { get }
}

/// The output of a replay that is not due yet; an entry that is not due holds back those after it.
struct ReplayOutbox: Sendable {
  private var entries = Queue<(order: Int, due: Duration, bytes: [UInt8])>()
  private var isSorted = true

  var nextDeadline: Duration? { entries.first?.due }

  /// Appends output; call ``sort()`` after entries with an `order`.
  mutating func append(_ bytes: [UInt8], order: Int = .max, due: Duration) {
    if let last = entries.last, order < last.order { isSorted = false }
    entries.append((order, due, bytes))
  }

  /// Sorts the entries by their order: once after many of them, since each insertion would take linear time.
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
  func bytes(sequence: UInt8) -> [UInt8] {
    var response = self
    response.sequence = sequence
    // A payload that was decoded from a packet fits into one.
    return (try? Packet.response(response).encoded()) ?? []
  }
}

/// The strict mode: sends each recorded response after its command, and each event after the command that precedes it in
/// the recording, both in the recorded order and with the recorded delay.
struct StrictConversation: ReplayConversation {
  private let script: ReplayScript
  /// The indices of the steps that the host must send: all but pings.
  private let expected: [Int]
  private var receivedCount = 0
  /// The indices of the responses by the index of their command.
  private let responses: [Int: [Int]]
  private var answers: ReplayAnswers
  private var outbox = ReplayOutbox()
  /// The answers to pings, which the host may send at any time.
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
    // Bytes after the last command of the host are known only with its next packet, which may never arrive.
    while let last = expected.last, case .host(nil, _) = script.steps[last].content { expected.removeLast() }
    (self.expected, self.responses) = (expected, responses)
  }

  mutating func begin(at time: Duration) { queueEvents(after: nil, at: time) }

  mutating func receive(_ packet: CommandPacket?, _ bytes: [UInt8], at time: Duration) throws(ReplayError) {
    if let packet, packet.id == Core.Ping.id {
      guard let answer = answers.answer(to: packet) else { return }
      return pingOutbox.append(answer.response.bytes(sequence: packet.sequence), due: time + answer.delay)
    }
    // Bytes after the last command are not compared.
    if packet == nil, nextStep == nil { return }
    guard let step = nextStep, case .host(let expected, let expectedBytes) = script.steps[step].content else {
      throw .unexpected(seen: bytes, expected: nil)
    }
    // Sequence numbers are not compared.
    var renumbered = packet
    if let expected { renumbered?.sequence = expected.sequence }
    guard renumbered == expected, packet != nil || bytes == expectedBytes else {
      throw .unexpected(seen: bytes, expected: expectedBytes)
    }
    receivedCount += 1
    for index in responses[step] ?? [] {
      guard let packet, case .response(let response, _) = script.steps[index].content else { continue }
      outbox.append(
        response.bytes(sequence: packet.sequence), order: index, due: time + delay(from: step, to: index))
    }
    queueEvents(after: step, at: time)
  }

  private var nextStep: Int? { receivedCount < expected.count ? expected[receivedCount] : nil }

  /// Queues the events between a step of the host and the next one; nil for those before the first step.
  private mutating func queueEvents(after start: Int?, at time: Duration) {
    for index in ((start ?? -1) + 1)..<(nextStep ?? script.steps.count) {
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

  var isPlayed: Bool { nextStep == nil && outbox.nextDeadline == nil }
}

/// The loose mode: sends the recorded answers to any commands of the host, and the events at their recorded times.
struct LooseConversation: ReplayConversation {
  /// Output of the robot; `format` is that of sensor data, nil if the recording does not state it.
  private typealias Event = (time: Duration, bytes: [UInt8], isSensorData: Bool, format: StreamFormat?)

  /// A position in the recording at which a stream begins.
  private struct StreamStart: Sendable {
    var position: Int
    var time: Duration
    /// Nil if the recording does not state the format, and no host has requested the stream yet.
    var format: StreamFormat?
    /// The format as far as the recording states it.
    var recorded: StreamFormat?
  }

  /// The time for which sensor data is held back, so that a host can send its first command before.
  private static let startDelay = Duration.milliseconds(500)

  private let events: [Event]
  private var position = 0
  /// The unused starts of the recording, and then the positions at which the host has left a stream.
  private var starts: [StreamStart]
  /// The formats of all streams of the recording; nil for a format that the recording does not state.
  private let formats: [StreamFormat?]
  /// A time of the recording, and the corresponding time of the replay.
  private var anchor = (recorded: Duration.zero, now: Duration.zero)
  private var answers: ReplayAnswers
  private var outbox = ReplayOutbox()
  private var hasHost = false
  /// The format of the host's stream; nil while the host does not stream.
  private var format: StreamFormat?
  /// The format of the host's stream as far as the recording states it.
  private var recordedFormat: StreamFormat?

  init(_ script: ReplayScript) {
    answers = ReplayAnswers(script)
    var events: [Event] = []
    var starts: [StreamStart] = []
    var format: StreamFormat?
    let refused = Set(
      script.steps.compactMap { step -> Int? in
        guard case .response(let response, let command) = step.content, response.status != .ok else {
          return nil
        }
        return command
      })
    for (index, step) in script.steps.enumerated() {
      switch step.content {
      case .host(let packet, _):
        // A refused request does not change the stream.
        guard !refused.contains(index),
          let request = packet.flatMap({ Sensing.SetDataStreaming(recorded: $0) })
        else { continue }
        let new = Self.format(request)
        if let new, new != format {
          starts.append(StreamStart(position: events.count, time: step.time, format: new, recorded: new))
        }
        format = new
      case .robot(let bytes, let isSensorData):
        if isSensorData, starts.isEmpty {
          // The stream began before the recording.
          starts.append(StreamStart(position: 0, time: .zero, format: script.stream, recorded: script.stream))
          format = script.stream
        }
        events.append((step.time, bytes, isSensorData, format))
      case .response: break
      }
    }
    (self.events, self.starts, formats) = (events, starts, starts.map(\.format))
  }

  mutating func begin(at time: Duration) {
    let first = events.first { $0.isSensorData }?.time ?? Self.startDelay
    anchor.now = time + max(Self.startDelay - first, .zero)
  }

  mutating func receive(_ packet: CommandPacket?, _ bytes: [UInt8], at time: Duration) {
    guard let packet else { return }
    hasHost = true
    if let request = Sensing.SetDataStreaming(recorded: packet) {
      let new = Self.format(request)
      if let new, !mayHaveStream(new) { return refuse(packet, at: time) }
      if new != format { change(to: new, at: time) }
    }
    guard let answer = answers.answer(to: packet) else { return }
    outbox.append(answer.response.bytes(sequence: packet.sequence), due: time + answer.delay)
  }

  /// Whether the recording may have a stream of a format. The host would misinterpret samples of another format.
  private func mayHaveStream(_ format: StreamFormat) -> Bool {
    formats.contains { Self.mayEqual($0, format) }
  }

  /// Whether a format may be that of a stream whose format is known as far as the recording states it.
  private static func mayEqual(_ known: StreamFormat?, _ format: StreamFormat) -> Bool {
    guard let known else { return true }
    return known.mask == format.mask && known.divisor ?? format.divisor == format.divisor
      && known.frames ?? format.frames == format.frames
  }

  private mutating func refuse(_ packet: CommandPacket, at time: Duration) {
    guard packet.options.contains(.answer) else { return }
    let response = ResponsePacket(status: .badParameter, sequence: packet.sequence, payload: [])
    outbox.append(response.bytes(sequence: packet.sequence), due: time)
  }

  /// The format of the stream that a request starts; nil if the request ends streaming.
  private static func format(_ request: Sensing.SetDataStreaming) -> StreamFormat? {
    request.sensorMask.isEmpty ? nil : StreamFormat(request)
  }

  /// Ends the stream of the host, which may request it again, and continues at the first of ``starts`` with the new
  /// format, or else at the first of those that may have it.
  private mutating func change(to new: StreamFormat?, at time: Duration) {
    if let format {
      let recorded = anchor.recorded + time - anchor.now
      starts.append(
        StreamStart(position: position, time: recorded, format: format, recorded: recordedFormat))
    }
    format = new
    guard let new,
      let index = starts.firstIndex(where: { $0.format == new })
        ?? starts.firstIndex(where: { Self.mayEqual($0.recorded, new) })
    else { return }
    let start = starts.remove(at: index)
    recordedFormat = start.recorded
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
      // A host that has sent commands receives only sensor data of its stream; a host that only listens receives all.
      if !event.isSensorData || !hasHost || format.map({ Self.mayEqual(event.format, $0) }) == true {
        return event.bytes
      }
    }
    return nil
  }

  var nextDeadline: Duration? { [outbox.nextDeadline, eventDeadline].compactMap { $0 }.min() }

  // A host that does not stream may still request sensor data of the recording.
  var isPlayed: Bool { position == events.count && (format != nil || !hasHost) }
}
