// A sliding window over a byte stream, and the search for a byte in it.

/// A sliding window over a stream of bytes, addressed by offsets from the start of the stream.
///
/// Removal is amortised: any number of small appends costs time proportional to the number of bytes.
@usableFromInline package struct ByteWindow: Sendable {
  /// The bytes in the window; the span of an `Array` needs macOS 26 or iOS 26.
  @usableFromInline package private(set) var bytes: ContiguousArray<UInt8> = []
  /// The offset of the first byte in the window.
  @usableFromInline package private(set) var base = 0
  /// The offset after the last byte.
  @inlinable package var end: Int { base + bytes.count }

  package init() {}

  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  package mutating func append(_ more: Span<UInt8>) {
    // A single byte costs less than the preparation for many.
    if more.count == 1 { return append(more[0]) }
    bytes.append(addingCapacity: more.count) { $0.append(more) }
  }

  mutating func append(_ more: RawSpan) {
    bytes.append(addingCapacity: more.byteCount) { output in
      for offset in more.byteOffsets {
        // Every bit pattern is a valid UInt8, and the offset is checked.
        output.append(unsafe more.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      }
    }
  }

  /// Whether `count` bytes are many, and more than would remain, so that their removal is worth its cost.
  @inline(__always) func isWorthRemoving(first count: Int) -> Bool {
    count > max(bytes.count / 2, Self.minimumRemoval)
  }

  private static let minimumRemoval = 512

  mutating func removeFirst(_ count: Int) {
    bytes.removeFirst(count)
    // On 32-bit systems, a decoder may receive more bytes than an `Int` counts.
    base &+= count
  }

  /// Allows the bytes before `offset` to be removed, which happens when it is worth its cost.
  package mutating func forget(before offset: Int) {
    if isWorthRemoving(first: offset - base) { removeFirst(offset - base) }
  }

  /// The bytes of a range of offsets within the window.
  @inlinable package subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(range.lowerBound - base)..<(range.upperBound - base)]
  }
}

extension Span<UInt8> {
  /// The number of bytes before the first one that equals `byte`; all if there is none.
  package func count(before byte: UInt8) -> Int {
    var place = 0
    while place < count, self[place] != byte { place &+= 1 }
    return place
  }
}
