// The bytes that a decoder may still look at, with their running sum, so that a checksum costs the same at any length.

/// A ``ByteWindow`` that knows the sum of any range of its bytes at once.
///
/// Bytes that overlap in many false packets would otherwise be added up again for each.
struct SummedWindow: Sendable {
  /// The bytes that are kept.
  private(set) var kept = ByteWindow()
  /// At each place, the sum of the byte there and of those before it, modulo 256.
  private var sums: [UInt8] = []

  /// The offset of the first byte that is kept.
  var base: Int { kept.base }
  /// The offset behind the last byte.
  var end: Int { kept.end }

  /// Adds bytes at the end.
  mutating func append(_ more: some Sequence<UInt8>) {
    let start = kept.bytes.count
    kept.append(more)
    var sum = sums.last ?? 0
    for index in start..<kept.bytes.count {
      sum &+= kept.bytes[index]
      sums.append(sum)
    }
  }

  /// Allows the bytes before `offset` to go.
  mutating func forget(before offset: Int) { sums.removeFirst(kept.forget(before: offset)) }

  /// Counts offsets from the first byte that is kept.
  ///
  /// - Returns: How much smaller all offsets are now.
  mutating func countFromHere() -> Int { kept.countFromHere() }

  /// Whether CHK agrees: it is the inverted sum of what lies behind SOP2, so together they make FFh.
  func isIntact(_ frame: Frame) -> Bool {
    sums[frame.end - 1 - base] &- sums[frame.start + 1 - base] == 0xFF
  }
}
