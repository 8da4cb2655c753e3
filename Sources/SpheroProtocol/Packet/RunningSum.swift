// A running sum over a byte stream.

/// The running sum of the bytes of a window, which makes the checksum of a packet of any length cost two look-ups.
///
/// Without it, overlapping false packets would be added up again for each.
@usableFromInline struct RunningSum: Sendable {
  /// The sums of the bytes from `first` up to each place, modulo 256.
  private var sums: [UInt8] = []
  /// The place of the first byte that is part of the sums.
  private var first = 0
  /// The number of bytes added up; at most the number of bytes received.
  private(set) var addedBytes = 0

  /// Follows the removal of the first bytes of the window; sums that lie before it are of no use.
  mutating func removeFirst(_ count: Int) { first = max(first - count, -sums.count) }

  /// Whether the checksum of a packet is correct; no later packet starts below `floor`, which never decreases.
  mutating func isIntact(_ frame: Frame, in bytes: ContiguousArray<UInt8>, above floor: Int) -> Bool {
    if floor < first || floor > first + sums.count {
      // The fast path delivered the packets between, and added up no sums.
      sums.removeAll(keepingCapacity: true)
      first = floor
    } else if floor - first > sums.count / 2 {
      // Amortised, as in ``ByteWindow``; only the differences of sums matter.
      sums.removeFirst(floor - first)
      first = floor
    }
    var sum = sums.last ?? 0
    let end = first + sums.count
    addedBytes &+= max(0, frame.end - end)
    for place in end..<max(frame.end, end) {
      sum &+= bytes[place]
      sums.append(sum)
    }
    return sums[frame.end - 1 - first] &- sums[frame.start + 1 - first] == 0xFF
  }
}
