// A decoder with a clock: it gives up on a packet whose rest stays away.

import SpheroProtocol

/// The decoder of one direction of a line, which waits for the rest of a packet for a second at most.
///
/// A line that a former program left may hold half a packet, and a false header holds good packets back.
/// What lies after one comes when the second is over, however late that is noticed:
/// a recording is read as the line was.
struct TimedDecoder: Sendable {
  private static let limit = Duration.seconds(1)

  private var decoder: PacketDecoder
  /// Since when the rest of the same packet stays away; nil while nothing does, or where bytes have no time.
  private var since: Duration?
  /// When the bytes came that were appended last, and what had been seen before them.
  private var latest: Duration?
  private var before = PacketDecoder.Statistics()
  /// Whether bytes ever came.
  private(set) var isUsed = false

  init(from sender: Sender) { decoder = PacketDecoder(from: sender) }

  var statistics: PacketDecoder.Statistics { decoder.statistics }
  var pendingCount: Int { decoder.pendingCount }
  var expectedPayloadCounts: [EventID: Set<Int>] {
    get { decoder.expectedPayloadCounts }
    set { decoder.expectedPayloadCounts = newValue }
  }
  /// Whether there are bytes that have not been looked at.
  var mayHavePackets: Bool { isUsed && decoder.mayHavePackets }

  /// Takes the next bytes; all packets before them have been taken.
  mutating func append(_ bytes: Span<UInt8>, at time: Duration?) {
    // What has no bytes is no piece of a packet.
    guard bytes.count > 0 else { return }
    settle()
    (latest, isUsed) = (time, true)
    decoder.append(bytes)
  }

  mutating func next() -> Packet? { decoder.next() }
  mutating func next(appendingTo bytes: inout [UInt8]) -> PacketHeader? {
    decoder.next(appendingTo: &bytes)
  }

  /// Notes that all packets have been taken: what is left waits.
  mutating func settle() {
    if decoder.pendingCount == 0 {
      since = nil
    } else if since == nil || decoder.statistics != before {
      since = latest
    }
    before = decoder.statistics
  }

  /// When the rest of a packet has stayed away for too long; nil while nothing waits.
  var deadline: Duration? { since.map { $0 + Self.limit } }

  /// Gives up on a packet that has waited too long; others may be found after it.
  ///
  /// - Returns: When that was due; nil where nothing was.
  mutating func giveUp(at time: Duration) -> Duration? {
    settle()
    guard let deadline, deadline <= time else { return nil }
    (since, latest) = (deadline, deadline)
    decoder.giveUpOnIncomplete()
    return deadline
  }

  /// Gives up on a packet whose rest will never come.
  ///
  /// - Returns: Whether there was one.
  mutating func giveUp() -> Bool {
    guard isUsed, decoder.pendingCount > 0 else { return false }
    decoder.giveUpOnIncomplete()
    return true
  }
}
