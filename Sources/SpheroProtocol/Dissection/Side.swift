// One direction of a recording: its packets, the bytes between them, and when and where they were recorded.

/// One direction of a recorded conversation.
package struct Side: Sendable {
  private var decoder: TimedDecoder
  /// The bytes that have not been reported.
  private var window = ByteWindow()
  private var reported = 0
  /// Where the packet reported last begins.
  private var latest = 0

  /// Starts a direction, whose packets may take as long as `timeout`.
  package init(_ sender: Sender, timeout: Duration = TimedDecoder.timeout) {
    decoder = TimedDecoder(from: sender, timeout: timeout)
  }

  /// What the decoder has seen.
  var statistics: PacketDecoder.Statistics { decoder.packets.statistics }
  /// The payload lengths that events are known to have.
  var expectedPayloadCounts: [EventID: Set<Int>] {
    get { decoder.packets.expectedPayloadCounts }
    set { decoder.packets.expectedPayloadCounts = newValue }
  }

  /// Takes bytes that begin at `offset` of the whole recording.
  package mutating func append(_ bytes: Span<UInt8>, at time: Duration?, offset: Int) {
    window.forget(before: reported)
    window.append(bytes)
    // A packet may be found inside the one reported last.
    decoder.append(bytes, at: time, offset: offset, floor: Int64(min(latest, reported)))
  }

  /// Gives up on headers that have waited for too long at `time`; what is found after them is kept for ``next()``.
  package mutating func giveUp(at time: Duration) {
    while decoder.giveUp(at: time) != nil { keepItems() }
  }

  /// Gives up on all headers, since no more will come; what is found after them is kept for ``next()``.
  package mutating func giveUp() {
    while decoder.giveUp() { keepItems() }
  }

  private mutating func keepItems() {
    while let item = decodedItem() { found.append(item) }
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
    if let (packet, start) = decoder.packets.nextWithOffset() {
      let run = discarded(before: start)
      let end = start + packet.payload.count + (decoder.packets.sender == .host ? 7 : 6)
      let item = item(packet, bytes(of: packet, start..<end), start..<end)
      (latest, reported) = (start, max(reported, end))
      guard let run else { return item }
      kept = item
      return run
    }
    // A run that never ends is reported in parts; what is younger may still turn out to be part of a packet.
    let (pending, longest) = (decoder.packets.pendingCount, decoder.packets.longestEvent)
    let settled = window.end - pending - 2 * longest
    return settled - reported > longest ? discarded(before: settled) : nil
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
    let first = decoder.piece(at: Int64(range.lowerBound))
    return Dissection(
      packet, bytes: bytes, from: decoder.packets.sender,
      at: decoder.piece(at: Int64(range.upperBound - 1))?.time,
      offset: first.map { $0.offset + range.lowerBound - Int($0.start) } ?? range.lowerBound)
  }
}
