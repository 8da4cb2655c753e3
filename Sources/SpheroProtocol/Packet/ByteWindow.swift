// The part of a byte stream that may still be looked at, addressed by offsets from the stream's start.

/// A sliding window over a stream of bytes.
///
/// Offsets count from the first byte ever appended and do not change until ``countFromHere()``.
/// Forgetting is amortised: any number of small appends costs time proportional to their bytes.
@usableFromInline package struct ByteWindow: Sendable {
  /// The bytes that are kept; the span of an `Array` needs macOS 26 or iOS 26.
  @usableFromInline package private(set) var bytes: ContiguousArray<UInt8> = []
  /// The offset of the first byte that is kept.
  @usableFromInline package private(set) var base = 0
  /// The offset after the last byte.
  @inlinable package var end: Int { base + bytes.count }

  /// Makes an empty window at the start of a stream.
  package init() {}

  /// Adds bytes at the end.
  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Adds a byte at the end.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Adds bytes at the end.
  package mutating func append(_ more: Span<UInt8>) {
    // Less than it takes to prepare for many.
    if more.count == 1 { return append(more[0]) }
    bytes.append(addingCapacity: more.count) { $0.append(more) }
  }

  /// Adds bytes at the end.
  mutating func append(_ more: RawSpan) {
    bytes.append(addingCapacity: more.byteCount) { output in
      for offset in more.byteOffsets {
        // Any byte is a UInt8, wherever it lies; the offset is checked.
        output.append(unsafe more.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      }
    }
  }

  /// Whether enough bytes lie before `offset` for them to go.
  @inline(__always) func mayForget(before offset: Int) -> Bool {
    offset - base > max(bytes.count / 2, Self.fewest)
  }

  /// Fewer bytes are not worth moving those after them.
  private static let fewest = 512

  /// Allows the bytes before `offset` to go; they go once they are many, and more than those that stay.
  ///
  /// - Returns: How many went.
  @discardableResult package mutating func forget(before offset: Int) -> Int {
    guard mayForget(before: offset) else { return 0 }
    let count = offset - base
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
  @inlinable package subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(range.lowerBound - base)..<(range.upperBound - base)]
  }
}
