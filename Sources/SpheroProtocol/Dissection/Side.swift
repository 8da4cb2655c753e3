// One direction of a recording: its packets, the bytes between them, and when and where they were recorded.

/// One direction of a recorded conversation.
package struct Side: Sendable {
  var decoder: PacketDecoder
  /// The bytes that have not been reported.
  private var window = ByteWindow()
  private var reported = 0
  /// Where the pieces begin, in this direction and in the whole recording, and when they came.
  private var pieces: [Piece] = []
  private var tooManyPieces = 64
  /// Where the packet reported last begins.
  private var latest = 0

  private struct Piece: Sendable {
    var start: Int
    var offset: Int
    var time: Duration?
  }

  /// Starts a direction.
  package init(_ sender: Sender) { decoder = PacketDecoder(from: sender) }

  /// Takes bytes that begin at `offset` of the whole recording.
  package mutating func append(_ bytes: Span<UInt8>, at time: Duration?, offset: Int) {
    // What has no bytes is no piece of a packet.
    guard bytes.count > 0 else { return }
    forget()
    let piece = Piece(start: window.end, offset: offset, time: time)
    // Pieces that follow without a gap and at the same time need no boundary.
    let isOneWithLast =
      pieces.last.map { $0.time == piece.time && offset - $0.offset == piece.start - $0.start } ?? false
    if !isOneWithLast { pieces.append(piece) }
    window.append(bytes)
    decoder.append(bytes)
  }

  /// Gives up on headers that have waited since `time` or longer, or on all of them.
  ///
  /// What is found after them is kept for ``next()``.
  package mutating func giveUp(waitingSince time: Duration?) {
    while decoder.pendingCount > 0 {
      if let time {
        guard let since = piece(at: window.end - decoder.pendingCount)?.time, since <= time else { return }
      }
      decoder.giveUpOnIncomplete()
      while let item = decodedItem() { found.append(item) }
    }
  }

  /// Items found by giving up, and those of them that were taken.
  private var found: [Dissection] = []
  private var taken = 0
  /// A packet that comes after a run of bytes.
  private var kept: Dissection?

  /// The next packet that is complete, or the run of bytes before it.
  package mutating func next() -> Dissection? { nextFound() ?? decodedItem() }

  /// Whether bytes ever came.
  var isUsed: Bool { window.end > 0 }

  /// Whether giving up has found items that were not taken.
  var hasFound: Bool { taken < found.count }

  /// The next item that giving up has found.
  mutating func nextFound() -> Dissection? {
    guard hasFound else { return nil }
    defer {
      taken += 1
      if taken == found.count { (found, taken) = ([], 0) }
    }
    return found[taken]
  }

  /// All items that are complete.
  package mutating func take() -> [Dissection] {
    var items: [Dissection] = []
    while let item = next() { items.append(item) }
    return items
  }

  /// The bytes that are left and will never be part of a packet.
  package mutating func discardRest() -> Dissection? { discarded(before: window.end) }

  private mutating func decodedItem() -> Dissection? {
    if kept != nil { return kept.take() }
    if let (packet, start) = decoder.nextWithOffset() {
      let run = discarded(before: start)
      let end = start + packet.payload.count + (decoder.sender == .host ? 7 : 6)
      let item = item(packet, bytes(of: packet, start..<end), start..<end)
      (latest, reported) = (start, max(reported, end))
      guard let run else { return item }
      kept = item
      return run
    }
    // A run that never ends is reported in parts; what is younger may still turn out to be part of a packet.
    let settled = window.end - decoder.pendingCount - 2 * decoder.longestEvent
    return settled - reported > decoder.longestEvent ? discarded(before: settled) : nil
  }

  /// The bytes of a packet; of one that begins inside another, the first ones may have been forgotten.
  private func bytes(of packet: Packet, _ range: Range<Int>) -> [UInt8] {
    range.lowerBound >= window.base ? Array(window[range]) : (try? packet.encoded()) ?? []
  }

  private mutating func discarded(before end: Int) -> Dissection? {
    guard end > reported else { return nil }
    defer { reported = end }
    return item(nil, Array(window[reported..<end]), reported..<end)
  }

  private func item(_ packet: Packet?, _ bytes: [UInt8], _ range: Range<Int>) -> Dissection {
    let first = piece(at: range.lowerBound)
    return Dissection(
      packet, bytes: bytes, from: decoder.sender, at: piece(at: range.upperBound - 1)?.time,
      offset: first.map { $0.offset + range.lowerBound - $0.start } ?? range.lowerBound)
  }

  private func piece(at place: Int) -> Piece? { index(at: place).map { pieces[$0] } }

  /// Which piece a place lies in: there may be as many pieces as bytes, so half of them are left out at each step.
  private func index(at place: Int) -> Int? {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].start <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  private mutating func forget() {
    window.forget(before: reported)
    // A packet may be found inside the one reported last.
    guard pieces.count >= tooManyPieces else { return }
    pieces.removeFirst(index(at: min(latest, reported)) ?? 0)
    tooManyPieces = max(64, 2 * pieces.count)
  }
}
