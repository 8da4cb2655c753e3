// Both directions of a robot's line: the receiver, which finds commands, and the queue of its output.

import SpheroProtocol

/// Finds commands in the bytes of a client.
///
/// In three commands, DLEN FFh announces a payload of more than 254 bytes (`CommandID.longPayloadCount`). The library
/// spheron also writes FFh for exactly 254 bytes: such a packet is delivered if no byte follows for 50 ms.
struct LineInput: Sendable {
  private static let silence = Duration.milliseconds(50)
  private var decoder = TimedDecoder(from: .host)
  private var queue = Queue<(command: CommandPacket, hasChecksum: Bool)>()
  /// The time of the last bytes if they may end a packet with a payload of 254 bytes; nil otherwise.
  private var silentSince: Duration?

  var statistics: PacketDecoder.Statistics { decoder.packets.statistics }

  /// The time at which an incomplete packet is discarded or ``silence`` completes one.
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
      for command in decoder.packets.takeRejectedCommands() { queue.append((command, false)) }
      guard case .command(let command)? = packet else { break }
      queue.append((command, true))
    }
    silentSince = decoder.packets.hasShortPacket ? now : nil
  }

  /// Removes and returns the next command of full length, and whether its checksum is correct.
  mutating func next() -> (command: CommandPacket, hasChecksum: Bool)? { queue.popFirst() }

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
  var pieces: [OutputPiece] = []
  private var latest = Duration.zero
  /// The scheduled time of the write of the last piece.
  private var end = Duration.zero
  var lateness = Duration.zero

  /// Whether all pieces will be written within the time of 64 events.
  func hasRoom(at now: Duration) -> Bool { end + lateness - now < Self.spacing * 64 }

  mutating func append(_ bytes: [UInt8], notBefore: Duration, gap: Duration = .zero) {
    latest = max(latest, notBefore)
    end = max(latest, end + gap)
    if pieces.count >= Self.capacity { pieces.removeFirst(Self.capacity / 2) }
    pieces.append(OutputPiece(bytes: bytes, notBefore: latest, gap: gap))
  }
}
