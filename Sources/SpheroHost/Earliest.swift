// The earliest of some times, found without a list of them.

/// The earliest of the times that were noted.
struct Earliest: Sendable {
  /// That time; nil where none was noted.
  private(set) var time: Duration?

  /// Notes a time, if there is one.
  mutating func note(_ other: Duration?) {
    guard let other else { return }
    if let time, time <= other { return }
    time = other
  }
}
