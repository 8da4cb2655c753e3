// The number and the rate of the samples that a consumer received.

/// The number and the rate of the samples of a stream.
package struct StreamTally: Sendable {
  package private(set) var count = 0
  private var first = Duration.zero
  /// The `hostTime` of the newest sample; zero before the first.
  package private(set) var last = Duration.zero

  package init() {}

  /// Counts a sample by its `hostTime`.
  package mutating func add(at time: Duration) {
    if count == 0 { first = time }
    last = time
    count += 1
  }

  package var span: Duration { last - first }

  /// The samples per second between the first and the last; nil for fewer than two, or for equal times.
  package var rate: Double? {
    guard count > 1, span > .zero else { return nil }
    return Double(count - 1) / (span / .seconds(1))
  }
}
