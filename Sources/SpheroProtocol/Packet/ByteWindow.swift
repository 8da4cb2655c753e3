// The part of a byte stream that may still be looked at, addressed by offsets from the stream's start.

/// A sliding window over a stream of bytes.
///
/// Offsets count from the first byte ever appended and do not change until ``countFromHere()``.
/// Forgetting is amortised: any number of small appends costs time proportional to their bytes.
package struct ByteWindow: Sendable {
  /// The bytes that are kept.
  package private(set) var bytes: [UInt8] = []
  /// The offset of the first byte that is kept.
  package private(set) var base = 0
  /// The offset behind the last byte.
  package var end: Int { base + bytes.count }

  /// Makes an empty window at the start of a stream.
  package init() {}

  /// Adds bytes at the end.
  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Adds bytes at the end.
  package mutating func append(_ more: Span<UInt8>) {
    bytes.append(addingCapacity: more.count) { output in
      for index in more.indices { output.append(more[index]) }
    }
  }

  /// Allows the bytes before `offset` to go; they go once they are more than those that stay.
  ///
  /// - Returns: How many went.
  @discardableResult package mutating func forget(before offset: Int) -> Int {
    let count = offset - base
    guard count > bytes.count / 2 else { return 0 }
    bytes.removeFirst(count)
    base = offset
    return count
  }

  /// Counts offsets from the first byte that is kept.
  ///
  /// - Returns: How much smaller all offsets are now.
  mutating func countFromHere() -> Int {
    defer { base = 0 }
    return base
  }

  /// The bytes of a range of offsets that are still kept.
  package subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(range.lowerBound - base)..<(range.upperBound - base)]
  }
}
