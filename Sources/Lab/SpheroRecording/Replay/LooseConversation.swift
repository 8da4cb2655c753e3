// A replay in which the host may send any commands.

import SpheroProtocol

/// Sends the recorded answers to the commands of the host, and the recorded events at their own times.
struct LooseConversation: ReplayConversation {
  private struct Event: Sendable {
    var time: Duration
    var bytes: [UInt8]
    var isSensorData: Bool
  }

  /// A position in the recording at which a stream begins.
  private struct StreamStart: Sendable {
    /// The index of the next event.
    var position: Int
    var time: Duration
    /// Nil if it is unknown.
    var format: StreamFormat?
  }

  private let events: [Event]
  private var position = 0
  /// The starts that have not been used.
  private var starts: [StreamStart]
  /// A time of the recording, and the corresponding time of the replay.
  private var anchor = (recorded: Duration.zero, now: Duration.zero)
  private var answers: ReplayAnswers
  private var outbox = ReplayOutbox()
  private var hasHost = false
  /// The active stream of the host.
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
    (self.events, self.starts) = (events, starts)
  }

  mutating func begin(at time: Duration) { anchor.now = time }

  mutating func receive(_ packet: CommandPacket?, _ bytes: [UInt8], at time: Duration) {
    guard let packet else { return }
    hasHost = true
    if let request = Sensing.SetDataStreaming(recorded: packet) {
      let new = Self.format(request)
      if let new, new != format { jump(to: new, at: time) }
      format = new
    }
    guard let answer = answers.answer(to: packet) else { return }
    outbox.insert(answer.response.bytes(sequence: packet.sequence), due: time + answer.delay)
  }

  /// The stream that a request starts; nil if it ends streaming.
  private static func format(_ request: Sensing.SetDataStreaming) -> StreamFormat? {
    request.sensorMask.isEmpty ? nil : StreamFormat(request)
  }

  /// Continues at the next start of an equal stream, else of an unknown one, else of any; else at the position.
  private mutating func jump(to format: StreamFormat, at time: Duration) {
    let index =
      starts.firstIndex { $0.format == format } ?? starts.firstIndex { $0.format == nil }
      ?? starts.indices.first
    guard let index else { return }
    let start = starts.remove(at: index)
    position = start.position
    anchor = (start.time, time)
  }

  /// When the next event is due.
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

  var isPlayed: Bool { position == events.count && (format != nil || !hasHost) }
}
