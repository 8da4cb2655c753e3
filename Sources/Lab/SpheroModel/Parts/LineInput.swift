// The receiver of a robot: finds commands, and discards incomplete packets after a timeout.

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
