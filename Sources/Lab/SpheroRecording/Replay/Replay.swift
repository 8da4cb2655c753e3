// A recording that answers like the robot it was made of: bytes and time in, bytes and the next deadline out.

import SpheroProtocol

/// A recorded robot.
///
/// Tell it what the host sends with ``receive(_:at:)``, take what the robot says with ``output(at:)``,
/// and look again at ``nextDeadline``. Times are those of any clock; the first one that it gets begins the replay.
/// SEQ and CHK are matched, not compared: an answer carries the number that the host used now.
/// Pings are never compared, since their count depends on how long a robot takes to be heard;
/// those that the recording does not answer are answered with ok.
public struct Replay: Sendable {
  /// How closely the host must follow the recording.
  ///
  /// Later versions of the library may have more, so a switch over it has a `default`.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// The host must send what was recorded, in that order; anything else is an error.
    ///
    /// What the robot sent after a command comes after that command, after the recorded time.
    case strict
    /// The host may send anything.
    ///
    /// A command gets the recorded answer to the next equal one, or else to the next with its ID, or else none.
    /// What the robot sent by itself comes at its own pace; sensor data only while the host streams,
    /// from the place in the recording where such a stream was begun.
    case loose
  }

  /// The most bytes that come at once.
  private static let longestOutput = 4_096
  /// How long the line stays open when everything has been played.
  public static let linger = Duration.seconds(1)

  private var conversation: any ReplayConversation
  private var host = Side(.host)
  private var hasBegun = false
  /// Since when everything has been played; what is asked meanwhile does not put the end off.
  private var playedSince: Duration?

  /// Whether the recording is over: the line has ended.
  public private(set) var isAtEnd = false

  /// Prepares a replay.
  ///
  /// - Parameters:
  ///   - records: The whole recording.
  ///   - mode: How closely the host must follow it.
  ///   - speed: How many times faster than recorded, 0.001...1000; what is outside is moved to the nearest.
  /// - Throws: ``ReplayError/empty``, ``ReplayError/incomplete(_:)``.
  public init(
    _ records: some Sequence<CaptureRecord>, mode: Mode = .strict, speed: Double = 1
  ) throws(ReplayError) {
    let script = try ReplayScript(records, isStrict: mode == .strict)
    let pace = ReplayPace(speed: speed.isNaN ? 1 : min(max(speed, 0.001), 1_000))
    conversation =
      switch mode {
      case .strict: StrictConversation(script, pace)
      case .loose: LooseConversation(script, pace)
      }
  }

  /// Takes what the host sends.
  ///
  /// - Parameters:
  ///   - bytes: Packets, in whatever pieces.
  ///   - time: The present time.
  /// - Throws: ``ReplayError/unexpected(seen:expected:)`` in strict mode.
  public mutating func receive(_ bytes: [UInt8], at time: Duration) throws(ReplayError) {
    begin(at: time)
    defer { look(at: time) }
    host.giveUp(at: time)
    let piece = bytes[...]
    host.append(piece.span, at: time, offset: 0)
    for item in host.take() {
      if case .command(let packet) = item.packet {
        try conversation.receive(packet, item.bytes, at: time)
      } else {
        try conversation.receiveNoise(item.bytes, at: time)
      }
    }
  }

  /// Takes what the robot says until now.
  ///
  /// - Parameter time: The present time.
  /// - Returns: Whole packets, at most about 4 KiB at once; empty where there is nothing to say yet.
  public mutating func output(at time: Duration) -> [UInt8] {
    begin(at: time)
    var bytes: [UInt8] = []
    while bytes.count < Self.longestOutput, let more = conversation.next(at: time) { bytes += more }
    look(at: time)
    return bytes
  }

  /// When ``output(at:)`` has something to say or the line ends; nil where only the host can bring it about.
  public var nextDeadline: Duration? {
    isAtEnd ? nil : [conversation.nextDeadline, end].compactMap { $0 }.min()
  }

  /// When the line ends, where everything has been played.
  private var end: Duration? { playedSince.map { $0 + Self.linger } }

  /// Looks whether everything has been played, and how long ago.
  private mutating func look(at time: Duration) {
    playedSince = conversation.isPlayed ? playedSince ?? time : nil
    if let end, end <= time { isAtEnd = true }
  }

  private mutating func begin(at time: Duration) {
    guard !hasBegun else { return }
    hasBegun = true
    conversation.begin(at: time)
  }
}

/// How recorded time becomes time.
struct ReplayPace: Sendable {
  var speed: Double

  /// A recorded span of time, as long as it takes now.
  func span(from start: Duration, to end: Duration) -> Duration {
    speed == 1 ? end - start : (end - start) / speed
  }
}

/// One way of following a recording.
protocol ReplayConversation: Sendable {
  /// Begins at a time.
  mutating func begin(at time: Duration)
  /// Takes a command of the host and the bytes it was made of.
  mutating func receive(_ packet: CommandPacket, _ bytes: [UInt8], at time: Duration) throws(ReplayError)
  /// Takes bytes of the host that make no packet.
  mutating func receiveNoise(_ bytes: [UInt8], at time: Duration) throws(ReplayError)
  /// Takes the next thing that the robot has said by now.
  mutating func next(at time: Duration) -> [UInt8]?
  /// When the robot says the next thing, as far as that is known.
  var nextDeadline: Duration? { get }
  /// Whether nothing will follow but answers to what the host may ask.
  var isPlayed: Bool { get }
}

/// What the robot is going to say, in the order of the recording.
struct ReplayOutbox: Sendable {
  private struct Entry: Sendable {
    var order: Int
    var due: Duration
    var bytes: [UInt8]
  }

  private var entries = Queue<Entry>()

  /// When the first may be said.
  var nextDeadline: Duration? { entries.first?.due }

  /// Adds what is to be said at a time, but not before anything with a smaller order.
  mutating func insert(_ bytes: [UInt8], order: Int, due: Duration) {
    entries.insert(Entry(order: order, due: due, bytes: bytes)) { $0.order <= order }
  }

  /// Takes the first, if it is due.
  mutating func next(at time: Duration) -> [UInt8]? {
    guard let first = entries.first, first.due <= time else { return nil }
    entries.removeFirst(1)
    return first.bytes
  }
}
