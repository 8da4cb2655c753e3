// Replays a recording as a robot: takes bytes and the time, returns bytes and the next deadline.

import SpheroProtocol

/// A recorded robot.
///
/// Pass the bytes of the host to ``receive(_:at:)``, send the bytes of ``output(at:)`` to the host,
/// and call ``output(at:)`` again at ``nextDeadline``. Times are those of any clock; the first one begins the replay.
/// SEQ and CHK are not compared: a response carries the sequence number of the command of the host.
/// Pings are not compared, because their number depends on the time until a robot answers the first one;
/// a ping that has no recorded answer is acknowledged.
public struct Replay: Sendable {
  /// How closely the host must follow the recording.
  ///
  /// Later versions of the library may have more, so a switch over it has a `default`.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// The host must send the recorded commands in their order; all other bytes are an error.
    ///
    /// The robot sends after a command what it sent after it in the recording, with the recorded delay.
    case strict
    /// The host may send any commands.
    ///
    /// A command gets the recorded answer to the next equal command, or else to the next one with its ID,
    /// or else none. Events are sent at their recorded times; sensor data only while the host streams,
    /// from the position in the recording at which an equal stream begins.
    case loose
  }

  /// The approximate size of an output in bytes.
  private static let outputSize = 4_096
  /// How long the line stays open after the last output.
  public static let linger = Duration.seconds(1)

  private var conversation: any ReplayConversation
  private var host = Side(.host)
  private var hasBegun = false
  /// When everything had been played; answers to later commands do not postpone the end.
  private var playedSince: Duration?

  /// Whether the recording is over and the line has ended.
  public private(set) var isAtEnd = false

  /// Prepares a replay.
  ///
  /// - Parameters:
  ///   - records: The whole recording.
  ///   - mode: How closely the host must follow it.
  ///   - speed: The factor of the recorded speed, clamped to 0.001...1000.
  /// - Throws: ``ReplayError/empty``, ``ReplayError/incomplete(_:)``.
  public init(
    _ records: some Sequence<CaptureRecord>, mode: Mode = .strict, speed: Double = 1
  ) throws(ReplayError) {
    let speed = speed.isNaN ? 1 : min(max(speed, 0.001), 1_000)
    let script = try ReplayScript(records, isStrict: mode == .strict, speed: speed)
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
    host.giveUp(at: time)
    let piece = bytes[...]
    host.append(piece.span, at: time, offset: 0)
    for item in host.take() {
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

  /// When ``output(at:)`` has output or the line ends; nil if only bytes of the host are awaited.
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
  /// Whether all output except answers to further commands has been sent.
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

  /// When the first entry is due.
  var nextDeadline: Duration? { entries.first?.due }

  /// Inserts output after all entries whose order is not larger; without an order, it is appended.
  mutating func insert(_ bytes: [UInt8], order: Int = .max, due: Duration) {
    entries.insert(Entry(order: order, due: due, bytes: bytes)) { $0.order <= order }
  }

  /// Removes and returns the first entry if it is due.
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
