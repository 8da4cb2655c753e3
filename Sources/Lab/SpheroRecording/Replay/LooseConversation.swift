// A replay whose host may send anything.

import SpheroProtocol

/// Answers what it can, and plays what the robot sent by itself at its own pace.
struct LooseConversation: ReplayConversation {
  /// A place in the recording where a stream begins.
  private struct Start: Sendable {
    /// The first event after it.
    var position: Int
    var time: Duration
    /// Nil where nobody knows.
    var format: StreamFormat?
  }

  /// What the robot sent by itself.
  private let events: [(time: Duration, bytes: [UInt8], isSensorData: Bool)]
  private let pace: ReplayPace
  private var position = 0
  /// The starts that have not been used.
  private var starts: [Start]
  /// A moment of the recording, and when it is now.
  private var anchor = (recorded: Duration.zero, now: Duration.zero)
  private var answers: ReplayAnswers
  private var outbox = ReplayOutbox()
  private var answerCount = 0
  private var hasHost = false
  /// What the host streams.
  private var format: StreamFormat?
  private var hasBegun = false

  init(_ script: ReplayScript, _ pace: ReplayPace) {
    self.pace = pace
    answers = ReplayAnswers(script, pace)
    var events: [(time: Duration, bytes: [UInt8], isSensorData: Bool)] = []
    var starts: [Start] = []
    var format: StreamFormat?
    for step in script.steps {
      switch step.content {
      case .command(let packet):
        guard let request = Sensing.SetDataStreaming(recorded: packet) else { continue }
        let new = Self.format(request)
        if let new, new != format {
          starts.append(Start(position: events.count, time: step.time, format: new))
        }
        format = new
      case .robotBytes(let bytes, let isSensorData):
        if isSensorData, starts.isEmpty {
          // The stream began before the recording.
          starts.append(Start(position: 0, time: .zero, format: script.stream))
          format = script.stream
        }
        events.append((step.time, bytes, isSensorData))
      case .response, .hostBytes: break
      }
    }
    (self.events, self.starts) = (events, starts)
  }

  mutating func begin(at time: Duration) { (hasBegun, anchor.now) = (true, time) }

  mutating func receive(_ packet: CommandPacket, _ bytes: [UInt8], at time: Duration) {
    hasHost = true
    if let request = Sensing.SetDataStreaming(recorded: packet) {
      let new = Self.format(request)
      if let new, new != format { jump(to: new, at: time) }
      format = new
    }
    guard let answer = answers.answer(to: packet) else { return }
    answerCount += 1
    outbox.insert(answer.bytes(sequence: packet.sequence), order: answerCount, due: time + answer.delay)
  }

  mutating func receiveNoise(_ bytes: [UInt8], at time: Duration) {}

  /// The stream that a request asks for; nil where it switches it off.
  private static func format(_ request: Sensing.SetDataStreaming) -> StreamFormat? {
    request.sensorMask.isEmpty ? nil : StreamFormat(request)
  }

  /// Goes to the next start of such a stream, or else of any; where none is left, the recording goes on.
  private mutating func jump(to format: StreamFormat, at time: Duration) {
    let index =
      starts.firstIndex { $0.format == format } ?? starts.firstIndex { $0.format == nil }
      ?? starts.indices.first
    guard let index else { return }
    let start = starts.remove(at: index)
    position = start.position
    anchor = (start.time, time)
  }

  private func due(_ position: Int) -> Duration? {
    guard events.indices.contains(position) else { return nil }
    return anchor.now + pace.span(from: anchor.recorded, to: events[position].time)
  }

  mutating func next(at time: Duration) -> [UInt8]? {
    if let answer = outbox.next(at: time) { return answer }
    while let due = due(position), due <= time {
      let event = events[position]
      position += 1
      // A robot sends sensor data to who asked for it; somebody who only listens gets all there is.
      if !event.isSensorData || format != nil || !hasHost { return event.bytes }
    }
    return nil
  }

  var nextDeadline: Duration? {
    [outbox.nextDeadline, due(position)].compactMap { $0 }.min()
  }

  var isPlayed: Bool {
    hasBegun && position == events.count && (format != nil || !hasHost)
  }
}
