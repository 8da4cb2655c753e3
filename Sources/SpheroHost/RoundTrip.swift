// How long answers take: an estimate for repeating, and figures for people.

/// The times that answers took.
public struct RoundTrip: Hashable, Sendable {
  /// The estimate of the next one: a running mean that follows the last eight or so.
  public private(set) var estimate: Duration = .milliseconds(50)
  /// The answers measured.
  public private(set) var count = 0
  /// The shortest; zero before the first.
  public private(set) var minimum: Duration = .zero

  /// The shortest of the last eight: the link's share, without the time that a busy host lets an answer wait.
  ///
  /// A request that may go twice is repeated by this one.
  private(set) var shortest: Duration = .milliseconds(50)
  private static let shortestOf = 8

  /// The newest ones, oldest first once the ring is full.
  private var recent: [Duration] = []
  private var next = 0
  private static let capacity = 512

  init() {}

  package mutating func note(_ duration: Duration) {
    estimate = count == 0 ? duration : estimate + (duration - estimate) / 8
    minimum = count == 0 ? duration : min(minimum, duration)
    count += 1
    if recent.count < Self.capacity {
      recent.append(duration)
    } else if recent.indices.contains(next) {
      recent[next] = duration
      next = (next + 1) % Self.capacity
    }
    let end = recent.count < Self.capacity ? recent.count : next + recent.count
    shortest = (max(0, end - Self.shortestOf)..<end).reduce(duration) { min($0, recent[$1 % recent.count]) }
  }

  /// The median of the last 512.
  public var median: Duration { quantile(1, of: 2) }
  /// What 99 in 100 of the last 512 did not exceed.
  public var percentile99: Duration { quantile(99, of: 100) }

  private func quantile(_ part: Int, of whole: Int) -> Duration {
    guard !recent.isEmpty else { return .zero }
    let sorted = recent.sorted()
    return sorted[min(sorted.count - 1, sorted.count * part / whole)]
  }
}
