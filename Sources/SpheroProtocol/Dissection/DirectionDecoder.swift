// One direction of a recording: its packets, the bytes between them, and their times and offsets.

package struct DirectionDecoder: Sendable {
  private var decoder: TimedDecoder
  private var window = ByteWindow()
  /// All bytes before this offset are part of an item.
  private var reported = 0
  /// Later packets begin here or after it: the start of the last reported packet, since a packet may be found inside it,
  /// or the end of the last reported part of the bytes between packets.
  private var searchFloor = 0
  private var items = Queue<Dissection>()

  package init(_ sender: Sender) { decoder = TimedDecoder(from: sender) }

  var statistics: PacketDecoder.Statistics { decoder.packets.statistics }

  package var pieceCount: Int { decoder.pieceCount }

  var isUsed: Bool { window.end > 0 }

  var hasItems: Bool { items.count > 0 }

  package mutating func append(_ bytes: Span<UInt8>, at time: Duration?, offset: Int) {
    window.forget(before: reported)
    window.append(bytes)
    decoder.append(bytes, at: time, offset: offset, floor: Int64(searchFloor))
  }

  /// Discards headers whose deadline has passed at `time`, and decodes the items after them.
  package mutating func discardExpired(at time: Duration) {
    while decoder.discardExpired(at: time) != nil {
      while decodeItem() {}
    }
  }

  /// Discards all incomplete packets, since no more bytes will arrive, and decodes the items after them.
  package mutating func discardIncomplete() {
    while decoder.discardIncomplete() {
      while decodeItem() {}
    }
  }

  package mutating func next() -> Dissection? {
    if !hasItems { _ = decodeItem() }
    return items.popFirst()
  }

  /// Removes and returns the pending bytes, which will not be part of a packet.
  package mutating func discardRest() -> Dissection? { discarded(before: window.end) }

  /// Decodes the next packet and the bytes before it; returns whether `items` has more items now.
  private mutating func decodeItem() -> Bool {
    if let (packet, start, _) = decoder.packets.nextWithOffset() {
      if let run = discarded(before: start) { items.append(run) }
      // A command has seven bytes besides its payload; responses and events have six.
      let end = start + packet.payload.count + (decoder.packets.sender == .host ? 7 : 6)
      // The first bytes of a packet that begins inside another one may have been removed.
      let bytes = start >= window.base ? Array(window[start..<end]) : (try? packet.encoded()) ?? []
      items.append(item(packet, bytes, start..<end))
      (searchFloor, reported) = (start, max(reported, end))
      return true
    }
    // Many bytes without a packet are reported in parts. The recent ones may still be part of a packet that begins inside
    // the one delivered last; an event has five bytes besides its LEN.
    let (pending, longest) = (decoder.packets.pendingCount, 5 + decoder.packets.maximumEventLength)
    let end = window.end - pending - longest
    guard end - reported > longest, let run = discarded(before: end) else { return false }
    items.append(run)
    // The times before this offset need not be kept.
    searchFloor = end
    return true
  }

  private mutating func discarded(before end: Int) -> Dissection? {
    guard end > reported else { return nil }
    defer { reported = end }
    return item(nil, Array(window[reported..<end]), reported..<end)
  }

  private func item(_ packet: Packet?, _ bytes: [UInt8], _ range: Range<Int>) -> Dissection {
    let first = decoder.piece(at: Int64(range.lowerBound))
    return Dissection(
      packet, bytes: bytes, from: decoder.packets.sender,
      at: decoder.piece(at: Int64(range.upperBound - 1))?.time,
      offset: first.map { $0.offset + range.lowerBound - Int($0.start) } ?? range.lowerBound)
  }
}
