// The bytes that a decoder may still look at, with a running sum where one is needed.

/// A ``ByteWindow`` that knows the sum of any range of its bytes at once, from the first place it was asked about.
///
/// Bytes that overlap in many false packets would otherwise be added up again for each.
@usableFromInline struct SummedWindow: Sendable {
  /// The bytes that are kept.
  @usableFromInline private(set) var kept = ByteWindow()
  /// The sum of the bytes from `first` up to each place, modulo 256.
  private var sums: [UInt8] = []
  /// The offset of the first byte that is summed.
  private var first = 0
  /// How many bytes have been added up; at most all that came.
  private(set) var summed = 0

  /// The offset of the first byte that is kept.
  @inlinable var base: Int { kept.base }
  /// The offset after the last byte.
  @inlinable var end: Int { kept.base + kept.bytes.count }

  /// Adds a byte at the end.
  @inline(__always) mutating func append(_ byte: UInt8) { kept.append(byte) }

  /// Adds bytes at the end.
  @inline(__always) mutating func append(_ more: Span<UInt8>) { kept.append(more) }

  /// Adds bytes at the end.
  @inline(__always) mutating func append(_ more: RawSpan) { kept.append(more) }

  /// Whether enough bytes lie before `offset` for them to go.
  @inline(__always) func mayForget(before offset: Int) -> Bool { kept.mayForget(before: offset) }

  /// Allows the bytes before `offset` to go.
  mutating func forget(before offset: Int) { kept.forget(before: offset) }

  /// Counts offsets from the first byte that is kept.
  ///
  /// - Returns: How much smaller all offsets are now.
  mutating func countFromHere() -> Int {
    (sums, first) = ([], 0)
    return kept.countFromHere()
  }

  /// Whether CHK agrees: it is the inverted sum of what lies after SOP2, so together they make FFh.
  ///
  /// - Parameters:
  ///   - frame: The packet.
  ///   - floor: The lowest offset at which a packet will be asked about from now on; it never falls.
  /// - Returns: Whether it agrees.
  mutating func isIntact(_ frame: Frame, above floor: Int) -> Bool {
    // Bytes that went by without a doubt have no sums.
    if floor < first || floor > first + sums.count {
      sums.removeAll(keepingCapacity: true)
      first = floor
    } else if floor - first > sums.count / 2 {
      // Amortised, as in ``ByteWindow``; the differences stay.
      sums.removeFirst(floor - first)
      first = floor
    }
    var sum = sums.last ?? 0
    summed &+= max(0, frame.end - first - sums.count)
    for place in (first + sums.count)..<max(frame.end, first + sums.count) {
      sum &+= kept.bytes[place - kept.base]
      sums.append(sum)
    }
    return sums[frame.end - 1 - first] &- sums[frame.start + 1 - first] == 0xFF
  }
}
