// The buffer between a stream and its consumer.

import SpheroProtocol

/// What happens if a consumer is slower than its stream.
///
/// Later versions of the library may add cases; a switch over it needs a `default`.
public enum BufferingPolicy: Hashable, Sendable {
  /// The buffer keeps this number of the newest samples; older ones are dropped and counted.
  case newest(Int)
  /// No sample is dropped for lack of room: while this number is buffered, the session does not read the line.
  ///
  /// That holds back the robot, and its answers as well.
  case wait(Int)

  /// The maximum number of buffered samples; at least 1.
  package var capacity: Int {
    switch self {
    case .newest(let count), .wait(let count): max(1, count)
    }
  }
}

/// The buffered samples of one consumer.
public struct SampleBuffer: Sendable {
  public let policy: BufferingPolicy
  /// The age beyond which a sample is dropped; nil for no limit.
  public let ageLimit: Duration?
  /// The number of dropped samples.
  public private(set) var dropped = 0

  private var waiting = Queue<(sample: TimedSample, received: Duration)>()
  private var isClosed = false

  public init(_ policy: BufferingPolicy, ageLimit: Duration?) {
    (self.policy, self.ageLimit) = (policy, ageLimit)
  }

  public var count: Int { waiting.count }

  /// Whether the session must not read the line until the consumer has removed samples.
  public var appliesBackpressure: Bool {
    if case .wait = policy { !isClosed && count >= policy.capacity } else { false }
  }

  /// Discards all further samples; the buffered ones remain.
  public mutating func close() { isClosed = true }

  /// Adds samples that arrived at `now`.
  public mutating func push(_ samples: [TimedSample], at now: Duration) {
    guard !isClosed else { return }
    dropOld(at: now)
    for sample in samples { waiting.append((sample, now)) }
    if case .newest = policy, count > policy.capacity { drop(count - policy.capacity) }
  }

  /// Removes and returns the oldest sample within the age limit; nil without one.
  public mutating func pop(at now: Duration) -> TimedSample? {
    dropOld(at: now)
    return waiting.popFirst()?.sample
  }

  private mutating func dropOld(at now: Duration) {
    guard let ageLimit else { return }
    while let first = waiting.first, now - first.received > ageLimit { drop(1) }
  }

  private mutating func drop(_ count: Int) {
    waiting.removeFirst(count)
    dropped &+= count
  }
}
