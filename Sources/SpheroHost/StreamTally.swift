// Counts the samples that a program took, and how fast they were measured.

/// What has come of a stream.
package struct StreamTally: Sendable {
  /// The samples so far.
  package private(set) var count = 0
  private var first = Duration.zero
  /// When the newest sample was measured, by the host's clock; zero before the first.
  package private(set) var last = Duration.zero

  /// Starts with nothing.
  package init() {}

  /// Counts a sample.
  ///
  /// - Parameter time: When it was measured, by the host's clock.
  package mutating func add(at time: Duration) {
    if count == 0 { first = time }
    last = time
    count += 1
  }

  /// The time from the first sample to the last.
  package var span: Duration { last - first }

  /// Samples a second between the first and the last; nil where two are missing, or the time between them.
  package var rate: Double? {
    guard count > 1, span > .zero else { return nil }
    return Double(count - 1) / (span / .seconds(1))
  }
}
