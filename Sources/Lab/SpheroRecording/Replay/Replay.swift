// Replays a recording as a robot: from bytes and the time to bytes and the next deadline.

@_exported public import SpheroCapture
public import SpheroProtocol

/// A recorded robot.
///
/// Pass the bytes of the host to ``receive(_:at:)``, send the bytes of ``output(at:)`` to the host,
/// and call ``output(at:)`` again at ``nextDeadline``. Times are those of any clock; the first one begins the replay.
/// SEQ, CHK and the number of pings are not compared: a response carries the sequence number of the command of the host,
/// and a ping that has no recorded answer is acknowledged.
public struct Replay: Sendable {
  /// How closely the host must follow the recording; later versions of the library may have more modes.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// The host must send the recorded commands in their order; all other bytes are an error.
    ///
    /// The robot sends after a command what it sent after it in the recording, with the recorded delay.
    case strict
    /// The host may send any commands.
    ///
    /// A command gets the recorded answer to the next equal command, or else to the next one with its ID,
    /// or else the status `ok` if its response is empty, and `unknownCommand` if not.
    /// A stream whose fields, rate or frames differ from those recorded gets `badParameter`.
    /// Events are sent at their recorded times; sensor data only while the host streams,
    /// from the position in the recording at which an equal stream begins, or at which the host left it.
    /// A host that sends nothing receives all sensor data, after half a second.
    case loose
  }

  /// The number of bytes after which an output gets no further packet.
  private static let outputSize = 4_096
  /// How long the line stays open after the last output.
  public static let linger = Duration.seconds(1)

  /// The streams of the recording that a host may request, as far as they are known; each once, in order.
  public let streams: [StreamFormat]

  private var conversation: any ReplayConversation
  private var host = DirectionDecoder(.host)
  private var hasBegun = false
  /// When the whole recording had been played; answers to later commands do not postpone the end.
  private var playedSince: Duration?

  /// Whether the recording is over and the line has ended.
  public private(set) var isAtEnd = false

  /// Prepares a replay of a whole recording.
  ///
  /// `speed` is its rate relative to the recording, clamped to 0.001...1000; NaN counts as 1.
  ///
  /// - Throws: ``ReplayError/empty``, ``ReplayError/incomplete(_:)``.
  public init(
    _ records: some Sequence<CaptureRecord>, mode: Mode = .strict, speed: Double = 1
  ) throws(ReplayError) {
    let speed = speed.isNaN ? 1 : min(max(speed, 0.001), 1_000)
    let script = try ReplayScript(records, isStrict: mode == .strict, speed: speed)
    streams = script.streams
    conversation =
      switch mode {
      case .strict: StrictConversation(script)
      case .loose: LooseConversation(script)
      }
  }

  /// Handles bytes of the host, which may be parts of packets.
  ///
  /// - Throws: ``ReplayError/unexpected(seen:expected:)`` in strict mode.
  public mutating func receive(_ bytes: [UInt8], at time: Duration) throws(ReplayError) {
    begin(at: time)
    defer { updateEnd(at: time) }
    host.discardExpired(at: time)
    let piece = bytes[...]
    host.append(piece.span, at: time, offset: 0)
    while let item = host.next() {
      var command: CommandPacket?
      if case .command(let packet) = item.packet { command = packet }
      try conversation.receive(command, item.bytes, at: time)
    }
  }

  /// Removes and returns the output that is due: whole packets, about 4 KiB at most; empty if there is none.
  public mutating func output(at time: Duration) -> [UInt8] {
    begin(at: time)
    var bytes: [UInt8] = []
    while bytes.count < Self.outputSize, let more = conversation.next(at: time) { bytes += more }
    updateEnd(at: time)
    return bytes
  }

  /// When ``output(at:)`` has output or the line ends; nil after the end, and if only bytes of the host are awaited.
  public var nextDeadline: Duration? {
    isAtEnd ? nil : [conversation.nextDeadline, end].compactMap { $0 }.min()
  }

  /// When the line ends; nil before everything has been played.
  private var end: Duration? { playedSince.map { $0 + Self.linger } }

  private mutating func updateEnd(at time: Duration) {
    playedSince = conversation.isPlayed ? playedSince ?? time : nil
    if let end, end <= time { isAtEnd = true }
  }

  private mutating func begin(at time: Duration) {
    guard !hasBegun else { return }
    hasBegun = true
    conversation.begin(at: time)
  }
}

/// The reason why a recording cannot be replayed.
@nonexhaustive public enum ReplayError: Error, Hashable, Sendable {
  /// The host sent `seen`, but the recording continues with `expected`; nil if it has no more commands.
  case unexpected(seen: [UInt8], expected: [UInt8]?)
  /// The mark states that lines are missing, so the recording cannot be replayed strictly.
  case incomplete(CaptureMark)
  /// The file has no packet.
  case empty
  /// The file is longer than `limit` bytes.
  case tooLong(limit: Int)
}

extension ReplayError: CustomStringConvertible {
  public var description: String { "\(message). \(advice)" }

  /// The error as one sentence without a full stop.
  public var message: String {
    switch self {
    case .unexpected(let seen, let expected):
      "the recording continues differently: expected "
        + (expected.map(Self.meaning) ?? "no more commands") + ", saw " + Self.meaning(of: seen)
    case .incomplete(let mark): "the recording is incomplete, so it cannot be replayed strictly: \(mark)"
    case .empty: "the recording holds nothing to replay"
    case .tooLong(let limit): "the recording is longer than \(limit) bytes"
    }
  }

  public var advice: String {
    switch self {
    case .unexpected: "Send what was recorded, or replay it in the mode 'loose'."
    case .incomplete: "Replay it in the mode 'loose', or record it again."
    case .empty: "Record a conversation with a robot."
    case .tooLong: "Cut it into parts."
    }
  }

  private static func meaning(of bytes: [UInt8]) -> String {
    var dissector = Dissector()
    let items = dissector.append(bytes, from: .host) + dissector.finish()
    return items.map { "\($0.meaning) (\(Hexadecimal.text($0.bytes)))" }.joined(separator: ", ")
  }
}
