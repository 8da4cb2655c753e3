// Both directions of a robot's line: the receiver, which finds commands, and the queue of its output.

import SpheroProtocol

/// Finds commands in the bytes of a client.
///
/// An incomplete packet is discarded a second after its first byte, so that it does not block the packets after it.
/// In three commands, DLEN FFh announces a payload of more than 254 bytes (`CommandID.longPayloadCount`).
/// The library spheron also writes FFh if the payload of such a command has exactly 254 bytes.
/// Such a packet is delivered if its checksum is correct and no byte follows for 50 ms.
struct LineInput: Sendable {
  enum Item {
    case command(CommandPacket)
    /// A packet of full length with a wrong checksum.
    case badChecksum(CommandPacket)
  }

  /// The time without bytes after which a packet with a payload of 254 bytes is complete.
  private static let silence = Duration.milliseconds(50)
  private var decoder = TimedDecoder(from: .host)
  private var queue = Queue<Item>()
  /// The time of the last bytes if they may end a packet with a payload of 254 bytes; nil otherwise.
  private var silentSince: Duration?

  var statistics: PacketDecoder.Statistics { decoder.packets.statistics }

  /// The time at which an incomplete packet is discarded or ``silence`` completes one; nil if no packet is pending.
  var nextDeadline: Duration? {
    guard let deadline = decoder.deadline else { return nil }
    return min(deadline, silentSince.map { $0 + Self.silence } ?? deadline)
  }

  mutating func append(_ bytes: [UInt8], at now: Duration) {
    // The span of an `Array` needs macOS 26.
    let piece = bytes[...]
    decoder.append(piece.span, at: now)
    search(at: now)
  }

  /// Discards incomplete packets after the timeout, and delivers a packet that ``silence`` has completed.
  mutating func advance(to now: Duration) {
    while let deadline = nextDeadline, now >= deadline {
      _ = decoder.discardIncomplete()
      search(at: now)
    }
  }

  private mutating func search(at now: Duration) {
    while true {
      let packet = decoder.packets.next()
      for command in decoder.packets.takeRejectedCommands() { queue.append(.badChecksum(command)) }
      guard case .command(let command)? = packet else { break }
      queue.append(.command(command))
    }
    silentSince = decoder.packets.hasShortPacket ? now : nil
  }

  mutating func next() -> Item? { queue.popFirst() }

  /// Discards all pending input, for a new client.
  mutating func reset() { self = LineInput() }
}

/// Bytes that a robot writes at once.
public struct OutputPiece: Hashable, Sendable {
  /// One packet, or a greeting.
  public var bytes: [UInt8]
  /// The earliest time of the write. Pieces are written in their order, so it is not before that of the previous piece.
  public var notBefore: Duration
  /// The minimum interval between the write of the previous piece and this one, even if this one is late.
  public var gap = Duration.zero

  public init(bytes: [UInt8], notBefore: Duration, gap: Duration = .zero) {
    (self.bytes, self.notBefore, self.gap) = (bytes, notBefore, gap)
  }
}

struct Output: Hashable, Sendable {
  /// The gap before a response or an event, since some clients process one packet in each read.
  static let spacing = Duration.milliseconds(2)
  /// The maximum number of pending pieces; a full queue discards its older half.
  private static let capacity = 4_096
  /// The time until all pieces are written beyond which programs send no events: that of 64 events.
  private static let maximumBacklog = spacing * 64
  private var pieces: [OutputPiece] = []
  /// The `notBefore` of the last piece.
  private var latest = Duration.zero
  /// The scheduled time of the write of the last piece.
  private var end = Duration.zero
  /// The delay of the last write after its scheduled time.
  var lateness = Duration.zero

  func hasRoom(at now: Duration) -> Bool { end + lateness - now < Self.maximumBacklog }

  /// Appends a piece; its `notBefore` is at least that of the previous piece.
  mutating func append(_ bytes: [UInt8], notBefore: Duration, gap: Duration = .zero) {
    latest = max(latest, notBefore)
    end = max(latest, end + gap)
    if pieces.count >= Self.capacity { pieces.removeFirst(Self.capacity / 2) }
    pieces.append(OutputPiece(bytes: bytes, notBefore: latest, gap: gap))
  }

  mutating func take() -> [OutputPiece] {
    defer { pieces = [] }
    return pieces
  }
}
