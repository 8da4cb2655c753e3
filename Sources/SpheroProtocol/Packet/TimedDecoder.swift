// A decoder with a clock: it discards a packet whose rest stays away.

/// The decoder of one direction of a line, which waits a second for the rest of a packet.
///
/// A line that a former program left may hold half a packet, and a false header holds good packets back.
/// So a packet that is not complete a second after its first byte came is none: ``giveUp(at:)`` drops that byte.
/// What lies after it comes at that deadline, however late the caller looks: a recording is read as the line was.
/// Bytes without a time wait until ``giveUp()``.
package struct TimedDecoder: Sendable {
  /// How long a packet may take from its first byte to its last one, unless a caller says otherwise.
  package static let timeout = Duration.seconds(1)

  /// Bytes that came together.
  package struct Piece: Sendable {
    /// The offset of the first one among all bytes of this direction; on 32 bits, an `Int` ends within a day.
    package fileprivate(set) var start: Int64
    /// The offset of the first one in the whole recording.
    package fileprivate(set) var offset: Int
    /// When they came; nil where that is not known.
    package fileprivate(set) var time: Duration?
  }

  /// Where packets are taken from; all of them are taken before ``giveUp(at:)`` and ``giveUp()``.
  package var packets: PacketDecoder
  private let timeout: Duration
  private var pieces: [Piece] = []
  private var mostPieces = Self.fewestPieces
  private var end: Int64 = 0
  /// Fewer pieces are not worth looking for those that can go.
  private static let fewestPieces = 64

  /// Makes a decoder.
  ///
  /// - Parameters:
  ///   - sender: Whose bytes will come.
  ///   - longestEvent: The longest LEN of an event, checksum included.
  ///   - timeout: How long a packet may take from its first byte to its last one.
  package init(from sender: Sender, longestEvent: Int = 4096, timeout: Duration = Self.timeout) {
    packets = PacketDecoder(from: sender, longestEvent: longestEvent)
    self.timeout = timeout
  }

  /// Takes the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - time: When they came; never less than before. Nil where that is not known.
  ///   - offset: Where they lie in the whole recording.
  ///   - floor: The lowest offset in this direction that ``piece(at:)`` will be asked about.
  package mutating func append(
    _ bytes: Span<UInt8>, at time: Duration?, offset: Int = 0, floor: Int64 = .max
  ) {
    // What has no bytes is no piece of a packet.
    guard bytes.count > 0 else { return }
    if pieces.count >= mostPieces {
      pieces.removeFirst(index(at: min(floor, head)) ?? 0)
      mostPieces = max(Self.fewestPieces, 2 * pieces.count)
    }
    pieces.append(Piece(start: end, offset: offset, time: time))
    end += Int64(bytes.count)
    packets.append(bytes)
  }

  /// When the packet that waits is given up; nil where none waits, or where its bytes have no time.
  package var deadline: Duration? {
    guard packets.pendingCount > 0, let time = piece(at: head)?.time else { return nil }
    return time + timeout
  }

  /// Gives up on a packet that has waited for too long; others may be found after it.
  ///
  /// - Returns: When that was due; nil where nothing was.
  @inline(__always) package mutating func giveUp(at time: Duration) -> Duration? {
    // Most reads end with a packet.
    packets.pendingCount == 0 ? nil : giveUpPending(at: time)
  }

  private mutating func giveUpPending(at time: Duration) -> Duration? {
    guard let deadline, deadline <= time else { return nil }
    packets.giveUpOnIncomplete()
    return deadline
  }

  /// Gives up on a packet whose rest will never come.
  ///
  /// - Returns: Whether there was one.
  package mutating func giveUp() -> Bool {
    guard packets.pendingCount > 0 else { return false }
    packets.giveUpOnIncomplete()
    return true
  }

  /// The piece in which an offset of this direction lies; nil where it was forgotten.
  package func piece(at place: Int64) -> Piece? { index(at: place).map { pieces[$0] } }

  /// Where the bytes begin that wait.
  private var head: Int64 { end - Int64(packets.pendingCount) }

  /// Which piece an offset lies in: there may be as many pieces as bytes, so half of them are left out at each step.
  private func index(at place: Int64) -> Int? {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].start <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
