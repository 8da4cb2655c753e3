// Counters of a conversation and of a consumer's stream.

public import SpheroProtocol

/// Counts of packets, bytes, retries and losses of a conversation.
public struct HostStatistics: Sendable {
  /// Packets, bytes that belong to none, and wrong checksums.
  public internal(set) var decoder = PacketDecoder.Statistics()
  public internal(set) var bytesReceived = 0
  public internal(set) var bytesSent = 0
  /// Commands sent, including retries and renewals.
  public internal(set) var commandsSent = 0
  /// Requests sent again because no answer arrived.
  public internal(set) var repetitions = 0
  /// Requests that renewed the count of a stream, including retries.
  public internal(set) var renewals = 0
  /// Silences of a stream that exceeded three packet periods and 250 ms.
  public internal(set) var stalls = 0
  /// Frames lost on the link.
  public internal(set) var lostFrames = 0
  /// Samples dropped because a consumer was too slow.
  public var droppedSamples = 0
  /// Answers that arrived too late, match no request, or do not decode as the answer of their request.
  public internal(set) var strayAnswers = 0
  /// The number of times that the line was lost and reopened.
  public internal(set) var reconnections = 0
  /// The total time of suspensions, see ``Notice/suspended(_:)``.
  public internal(set) var suspended = Duration.zero
  public package(set) var roundTrip = RoundTrip()

  package init() {}
}

extension PacketDecoder.Statistics {
  /// Adds the counts of another decoder.
  mutating func add(_ other: PacketDecoder.Statistics) {
    packets += other.packets
    discarded += other.discarded
    badChecksums += other.badChecksums
    falsePackets += other.falsePackets
  }
}

/// The round trips of answered requests.
public struct RoundTrip: Hashable, Sendable {
  /// An exponential moving average with a weight of 1/8; 50 ms before the first answer.
  public private(set) var estimate: Duration = .milliseconds(50)
  /// The number of answers measured.
  public private(set) var count = 0
  /// The minimum of all answers; zero before the first.
  public private(set) var minimum: Duration = .zero

  /// The minimum of the last eight answers: the delay of the link, without that of a busy host.
  private(set) var shortest: Duration = .milliseconds(50)
  private static let shortestOf = 8

  /// A ring of the newest round trips.
  private var recent: [Duration] = []
  private var next = 0
  private static let capacity = 512

  init() {}

  package mutating func record(_ duration: Duration) {
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
  /// The 99th percentile of the last 512.
  public var percentile99: Duration { quantile(99, of: 100) }

  private func quantile(_ part: Int, of whole: Int) -> Duration {
    guard !recent.isEmpty else { return .zero }
    let sorted = recent.sorted()
    return sorted[min(sorted.count - 1, sorted.count * part / whole)]
  }
}

/// The number and the rate of the samples of a stream.
package struct StreamStatistics: Sendable {
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
