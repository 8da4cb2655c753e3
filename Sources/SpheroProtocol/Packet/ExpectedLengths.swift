// The lengths that events are known to have: a bit for each, so that asking costs the same however many they are.

/// The values of LEN that events are known to have.
@usableFromInline struct ExpectedLengths: Sendable {
  /// After an event's ID, which of `lengths` is its own, or -1; empty where nothing is known of any event.
  @usableFromInline var places: [Int16] = []
  /// A bit for each LEN.
  private var lengths: [[UInt64]] = []

  /// Whether nothing is known of any event.
  @inlinable @inline(__always) var isEmpty: Bool { places.isEmpty }

  /// Knows nothing.
  init() {}

  /// Takes the payload lengths by event; those that LEN cannot say are left out, and so are events without any.
  init(payloadCounts: [EventID: Set<Int>]) {
    for (id, counts) in payloadCounts where !counts.isEmpty {
      var bits: [UInt64] = []
      for count in counts where (0..<0xFFFF).contains(count) {
        let (word, bit) = (count + 1).quotientAndRemainder(dividingBy: 64)
        while bits.count <= word { bits.append(0) }
        bits[word] |= 1 << UInt64(bit)
      }
      if places.isEmpty { places = Array(repeating: -1, count: 256) }
      places[Int(id.rawValue)] = Int16(lengths.count)
      lengths.append(bits)
    }
  }

  /// Whether an event may have this LEN; nil where nothing is known of the event.
  @usableFromInline subscript(id: UInt8, length: Int) -> Bool? {
    guard !places.isEmpty, places[Int(id)] >= 0 else { return nil }
    let bits = lengths[Int(places[Int(id)])]
    let (word, bit) = length.quotientAndRemainder(dividingBy: 64)
    return word < bits.count && bits[word] & 1 << UInt64(bit) != 0
  }
}
