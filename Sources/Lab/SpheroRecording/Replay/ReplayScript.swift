// The steps of a recorded conversation, and its answers by command.

import SpheroHost
import SpheroProtocol

/// The steps of a recording in the order in which they were completed.
struct ReplayScript: Sendable {
  enum Content: Sendable {
    /// A command of the host, or bytes that are not part of a packet.
    case host(CommandPacket?, bytes: [UInt8])
    /// The response to the command at the step `command`.
    case response(ResponsePacket, command: Int)
    /// An event of the robot, or bytes that are not part of a packet.
    case robot([UInt8], isSensorData: Bool)
  }

  struct Step: Sendable {
    /// The time since the first step at the speed of the replay; it never decreases.
    var time: Duration
    var content: Content
  }

  private static let eventInterval = Duration.milliseconds(10)
  /// The latest time of a step, since the times of many recordings in one file add up, and a slow replay multiplies them.
  private static let maximumTime = Duration.seconds(TimeLimit.seconds)

  private(set) var steps: [Step] = []
  /// The format of a stream that began before the recording.
  private(set) var stream: StreamFormat?

  /// The known formats of the streams, each once, in order.
  var streams: [StreamFormat] {
    var known: Set<StreamFormat> = []
    let requested = steps.lazy.compactMap { step -> StreamFormat? in
      guard case .host(let packet?, _) = step.content else { return nil }
      return Sensing.SetDataStreaming(recorded: packet).map { StreamFormat($0) }
    }
    let all = [stream].compactMap { $0 } + requested.filter { !$0.mask.isEmpty }
    return all.filter { known.insert($0).inserted }
  }

  private let speed: Double
  /// The packets of the current recording; a header begins another one.
  private var dissector = Dissector()
  private var lineTimes = LineTimes()
  private var heldLine: CaptureLine?
  /// The time of the first timed step of the current recording; nil before that step.
  private var origin: Duration?
  /// The time of the latest step at the recorded speed.
  private var latest = Duration.zero
  /// The time at which the current recording begins, which is the end of the previous one.
  private var base = Duration.zero
  /// The steps of all commands of the current recording.
  private var commands: [Int] = []
  /// The step of the command that was answered last under each sequence number.
  private var answered: [UInt8: Int] = [:]

  /// Reads whole recordings; a strict script ends where the connection was lost, and missing lines are an error.
  init(_ records: some Sequence<CaptureRecord>, isStrict: Bool, speed: Double) throws(ReplayError) {
    self.speed = speed
    reading: for record in records {
      switch record {
      case .line(let line):
        hold(line)
      case .header(let header):
        endRecording()
        if steps.isEmpty { stream = header.stream }
      case .mark(let mark):
        if isStrict, mark.kind == .incomplete { throw .incomplete(mark) }
        guard mark.kind == .reconnection else { continue }
        if isStrict { break reading }
        // A packet does not continue on a new line.
        releaseLine()
        dissector.end()
        appendItems()
      }
    }
    endRecording()
    guard !steps.isEmpty else { throw .empty }
  }

  /// Holds a line until the next one shows whether its time is wrong.
  private mutating func hold(_ line: CaptureLine) {
    guard let time = line.time else {
      releaseLine()
      return feed(line, at: nil)
    }
    if let held = lineTimes.append(time, in: nil), let heldLine { feed(heldLine, at: held) }
    heldLine = line
  }

  private mutating func releaseLine() {
    if let held = lineTimes.release(), let heldLine { feed(heldLine, at: held) }
    heldLine = nil
  }

  private mutating func feed(_ line: CaptureLine, at time: Duration?) {
    let bytes = line.bytes[...]
    dissector.feed(bytes.span, from: line.sender, at: time)
    appendItems()
  }

  private mutating func endRecording() {
    releaseLine()
    lineTimes = LineTimes()
    dissector.end()
    appendItems()
    (dissector, origin, base) = (Dissector(), nil, latest)
    (commands, answered) = ([], [:])
  }

  private mutating func appendItems() {
    while let item = dissector.next(describing: false) { append(item) }
  }

  private mutating func append(_ item: Dissection) {
    switch item.packet {
    case .command(let packet):
      commands.append(steps.count)
      append(.host(packet, bytes: item.bytes), at: item.time)
    case .response(let packet):
      if let sent = dissector.answered { answered[packet.sequence] = commands[sent.number - 1] }
      // A response without a command cannot be replayed; a further one belongs to the command that was answered last.
      guard let command = answered[packet.sequence] else { return }
      append(.response(packet, command: command), at: item.time)
    case .event(let packet):
      let isSensorData = packet.id == Sensing.SensorData.id
      append(.robot(item.bytes, isSensorData: isSensorData), at: item.time, interval: Self.eventInterval)
    case nil:
      let isHost = item.sender == .host
      append(isHost ? .host(nil, bytes: item.bytes) : .robot(item.bytes, isSensorData: false), at: item.time)
    }
  }

  /// Appends a step; `interval` is its distance from the previous step in a recording without times.
  private mutating func append(_ content: Content, at time: Duration?, interval: Duration = .zero) {
    if let time {
      let origin = origin ?? time
      self.origin = origin
      latest = min(max(latest, base + time - origin), Self.maximumTime)
    } else {
      latest += interval
    }
    // The division rounds, so the recorded speed has exact times without it.
    steps.append(Step(time: speed == 1 ? latest : latest / speed, content: content))
  }
}

/// The recorded responses by command, for a host that may send any commands.
struct ReplayAnswers: Sendable {
  /// A response, and the time from the command to it.
  typealias Answer = (response: ResponsePacket, delay: Duration)

  private struct Key: Hashable, Sendable {
    var id: CommandID
    /// Nil for the answers to all commands with the ID.
    var payload: [UInt8]?
  }

  /// The answers in the order of the recording, and how many of them have been given.
  private var answers: [Key: (all: [Answer], given: Int)] = [:]
  /// The commands of the recording that request an answer.
  private var recorded: Set<CommandID> = []

  init(_ script: ReplayScript) {
    for step in script.steps {
      if case .host(let command?, _) = step.content, command.options.contains(.answer) {
        recorded.insert(command.id)
      }
      guard case .response(let response, let index) = step.content, script.steps.indices.contains(index),
        case .host(let command?, _) = script.steps[index].content
      else { continue }
      let answer = (response: response, delay: step.time - script.steps[index].time)
      for payload in [command.payload, nil] {
        answers[Key(id: command.id, payload: payload), default: ([], 0)].all.append(answer)
      }
    }
  }

  /// The answer to the next equal command of the recording, the last one repeatedly; a command without recorded answers to
  /// equal data receives those to all commands with its ID, in order and counted separately.
  ///
  /// A ping, and a command that is not in the recording and whose response has no content, is acknowledged;
  /// other commands that are not in the recording are refused. The result is nil if the recorded robot answered no
  /// command with this ID.
  mutating func answer(to command: CommandPacket) -> Answer? {
    guard command.options.contains(.answer) else { return nil }
    for payload in [command.payload, nil] {
      let key = Key(id: command.id, payload: payload)
      guard let (all, given) = answers[key], let last = all.last else { continue }
      answers[key]?.given = given + 1
      return given < all.count ? all[given] : last
    }
    guard command.id == Core.Ping.id || !recorded.contains(command.id) else { return nil }
    let isAcknowledged = Catalogue.command(command.id).map { Self.isAcknowledged($0) } == true
    let status: Status = isAcknowledged ? .ok : .unknownCommand
    return (ResponsePacket(status: status, sequence: 0, payload: []), .zero)
  }

  private static func isAcknowledged<R: Request>(_ type: R.Type) -> Bool {
    R.Response.self == Acknowledgement.self
  }
}
