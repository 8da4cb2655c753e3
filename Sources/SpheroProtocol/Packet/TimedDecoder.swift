// A decoder with timeouts: discards a packet that is not complete in time.

/// The decoder of one direction of a line, with a timeout for incomplete packets.
///
/// A line may hold half a packet of a former program, and a false header delays the packets after it.
/// Therefore a packet that is not complete one second after its first byte is discarded by ``discardExpired(at:)``.
/// That function returns the deadline: the packets after the discarded one count as processed then, however late the call,
/// so that a recording is decoded like the line.
/// Bytes without a time wait until ``discardIncomplete()``.
package struct TimedDecoder: Sendable {
  package static let timeout = Duration.seconds(1)

  package struct Piece: Sendable {
    /// The offset of the first byte in this direction; on 32-bit systems, an `Int` would overflow within a day.
    package fileprivate(set) var start: Int64
    /// The offset of the first byte in the recording.
    package fileprivate(set) var offset: Int
    /// The time of receipt; nil if unknown.
    package fileprivate(set) var time: Duration?
  }

  /// The packets; the caller consumes all of them before it calls ``discardExpired(at:)`` or ``discardIncomplete()``.
  package var packets: PacketDecoder
  private let timeout: Duration
  private var pieces: [Piece] = []
  package var pieceCount: Int { pieces.count }
  /// The number of pieces at which those before the floor are removed.
  private var pieceLimit = 64
  private var end: Int64 = 0

  package init(from sender: Sender, maximumEventLength: Int = 4096, timeout: Duration = Self.timeout) {
    packets = PacketDecoder(from: sender, maximumEventLength: maximumEventLength)
    self.timeout = timeout
  }

  /// Appends the next bytes, received at `time`, which never decreases; nil if unknown.
  ///
  /// They begin at `offset` of the recording. After this call, ``piece(at:)`` may return nil for offsets of
  /// this direction below `floor`, and by default for those of all bytes that the decoder no longer buffers.
  package mutating func append(
    _ bytes: Span<UInt8>, at time: Duration?, offset: Int = 0, floor: Int64 = .max
  ) {
    guard bytes.count > 0 else { return }
    if pieces.count >= pieceLimit {
      pieces.removeFirst(index(at: min(floor, end - Int64(packets.bufferedCount))) ?? 0)
      pieceLimit = max(64, 2 * pieces.count)
    }
    pieces.append(Piece(start: end, offset: offset, time: time))
    end += Int64(bytes.count)
    packets.append(bytes)
  }

  /// Removes and returns the next packet, and when its last byte was received; the time is nil if unknown.
  ///
  /// A false header delays the delivery of the packets after it, but not these times.
  package mutating func next() -> (packet: Packet, time: Duration?)? {
    guard let (packet, _, followingCount) = packets.nextWithOffset() else { return nil }
    return (packet, piece(at: end - Int64(followingCount) - 1)?.time)
  }

  /// The deadline of the pending packet; nil if no packet is pending, or if the time of its first byte is unknown.
  package var deadline: Duration? {
    guard packets.pendingCount > 0, let time = piece(at: head)?.time else { return nil }
    return time + timeout
  }

  /// Discards a packet whose deadline has passed, and returns the deadline; nil if none has passed.
  package mutating func discardExpired(at time: Duration) -> Duration? {
    guard let deadline, deadline <= time else { return nil }
    packets.discardIncomplete()
    return deadline
  }

  /// Discards a pending packet; returns whether there was one.
  package mutating func discardIncomplete() -> Bool {
    guard packets.pendingCount > 0 else { return false }
    packets.discardIncomplete()
    return true
  }

  /// The piece with the byte at an offset of this direction; nil if it has been removed.
  package func piece(at place: Int64) -> Piece? { index(at: place).map { pieces[$0] } }

  private var head: Int64 { end - Int64(packets.pendingCount) }

  /// The index of the piece with the byte at an offset, by binary search: there may be as many pieces as bytes.
  private func index(at place: Int64) -> Int? {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].start <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
