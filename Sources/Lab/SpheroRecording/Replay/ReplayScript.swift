// A recording as a script: who says what, when, and which answer belongs to which command.

import SpheroProtocol

/// The steps of a recorded conversation, in the order in which they were completed.
struct ReplayScript: Sendable {
  /// What is said.
  enum Content: Sendable {
    /// A command of the host.
    case command(CommandPacket)
    /// Bytes of the host that make no packet.
    case hostBytes([UInt8])
    /// The answer to the command at the step `command`.
    case response(ResponsePacket, command: Int)
    /// What the robot sent by itself, also bytes that make no packet.
    case robotBytes([UInt8], isSensorData: Bool)
  }

  /// Something that is said, and when.
  struct Step: Sendable {
    /// Since the first step; never less than the step before.
    var time: Duration
    var content: Content
  }

  /// The time between two packets of the robot where the recording has no times.
  static let pace = Duration.milliseconds(10)
  /// How many later commands make an answer to an earlier one improbable.
  private static let mostWaiting = 64

  private(set) var steps: [Step] = []
  /// Whether anything of the host was recorded.
  private(set) var hasHost = false
  /// The format of a stream that began before the recording.
  private(set) var stream: StreamFormat?

  /// What both sides said in the recording at hand; a header begins another.
  private var (host, robot) = (Side(.host), Side(.robot))
  private var origin: Duration?
  private var latest = Duration.zero
  /// The time at which the recording at hand begins among the others.
  private var base = Duration.zero
  private var waiting: [(sequence: UInt8, command: Int)] = []
  private var answered: [UInt8: Int] = [:]

  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - records: The whole recording.
  ///   - isStrict: Whether it must be whole; it then ends where the line was lost.
  /// - Throws: ``ReplayError/incomplete(_:)``, ``ReplayError/empty``.
  init(_ records: some Sequence<CaptureRecord>, isStrict: Bool) throws(ReplayError) {
    reading: for record in records {
      switch record {
      case .line(let line): take(line)
      case .header(let header):
        endRecording()
        if steps.isEmpty { stream = header.stream }
      case .mark(let mark):
        if isStrict, mark.kind == .incomplete { throw .incomplete(mark) }
        // What follows was said on another line.
        if isStrict, mark.kind == .reconnection { break reading }
      }
    }
    endRecording()
    guard !steps.isEmpty else { throw .empty }
  }

  private mutating func take(_ line: CaptureLine) {
    if let time = line.time {
      host.giveUp(at: time)
      robot.giveUp(at: time)
      collect()
    }
    let bytes = line.bytes[...]
    if line.sender == .host {
      host.append(bytes.span, at: line.time, offset: 0)
    } else {
      robot.append(bytes.span, at: line.time, offset: 0)
    }
    collect()
  }

  private mutating func collect() {
    for item in host.take() { add(item) }
    for item in robot.take() { add(item) }
  }

  private mutating func endRecording() {
    host.giveUp()
    robot.giveUp()
    collect()
    for item in [host.discardRest(), robot.discardRest()].compactMap({ $0 }) { add(item) }
    (host, robot) = (Side(.host), Side(.robot))
    (origin, base, waiting, answered) = (nil, latest, [], [:])
  }

  private mutating func add(_ item: Dissection) {
    switch item.packet {
    case .command(let packet):
      if packet.options.contains(.answer) {
        if waiting.count == Self.mostWaiting { waiting.removeFirst() }
        waiting.append((packet.sequence, steps.count))
      }
      append(.command(packet), at: item.time)
    case .response(let packet):
      // Without its command, nobody knows whom it would answer.
      guard let command = command(answeredBy: packet.sequence) else { return }
      append(.response(packet, command: command), at: item.time)
    case .event(let packet):
      append(
        .robotBytes(item.bytes, isSensorData: packet.id == Sensing.SensorData.id),
        at: item.time, pause: Self.pace)
    case nil:
      append(
        item.sender == .host ? .hostBytes(item.bytes) : .robotBytes(item.bytes, isSensorData: false),
        at: item.time)
    }
    if item.sender == .host { hasHost = true }
  }

  /// Where a number was used twice, the older command is answered first; a second answer belongs to the same one.
  private mutating func command(answeredBy sequence: UInt8) -> Int? {
    if let index = waiting.firstIndex(where: { $0.sequence == sequence }) {
      answered[sequence] = waiting.remove(at: index).command
    }
    return answered[sequence]
  }

  /// Appends a step; `pause` is its distance from the step before where times are not known.
  private mutating func append(_ content: Content, at time: Duration?, pause: Duration = .zero) {
    if let time {
      let origin = origin ?? time
      self.origin = origin
      latest = max(latest, base + time - origin)
    } else {
      latest += pause
    }
    steps.append(Step(time: latest, content: content))
  }
}
