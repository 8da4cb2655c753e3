// The part of a byte stream that may still be looked at, addressed by offsets from the stream's start.

/// A sliding window over a stream of bytes.
///
/// Offsets count from the first byte ever appended and never change.
/// Forgetting is amortised: any number of small appends costs time proportional to their bytes.
struct ByteWindow: Sendable {
  /// The bytes that are kept.
  private(set) var bytes: [UInt8] = []
  /// The offset of the first byte that is kept.
  private(set) var base = 0
  /// The offset behind the last byte.
  var end: Int { base + bytes.count }

  /// Adds bytes at the end.
  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Allows the bytes before `offset` to go; they go once they are more than those that stay.
  mutating func forget(before offset: Int) {
    let count = offset - base
    guard count > bytes.count / 2 else { return }
    bytes.removeFirst(count)
    base = offset
  }

  /// The bytes of a range of offsets that are still kept.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(range.lowerBound - base)..<(range.upperBound - base)]
  }
}
