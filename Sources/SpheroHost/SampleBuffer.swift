// Samples that wait for a slow consumer: how many, how long, and what gives way.

import SpheroProtocol

/// What happens where a consumer takes samples more slowly than they come.
///
/// Later versions of the library may have more, so a switch over it has a `default`.
public enum BufferingPolicy: Hashable, Sendable {
  /// So many of the newest wait; older ones are dropped and counted.
  case newest(Int)
  /// Nothing is dropped for want of room: where so many wait, the line is not read until some were taken.
  ///
  /// The robot is held back, and its answers wait too.
  case wait(Int)

  /// The most that wait.
  package var capacity: Int {
    switch self {
    case .newest(let count), .wait(let count): max(1, count)
    }
  }
}

/// The samples that wait for one consumer.
public struct SampleBuffer: Sendable {
  /// What gives way.
  public let policy: BufferingPolicy
  /// The age beyond which a sample is dropped rather than delivered; nil for none.
  public let ageLimit: Duration?
  /// The samples that were dropped.
  public private(set) var dropped = 0

  private var waiting = Queue<(sample: TimedSample, received: Duration)>()
  private var isClosed = false

  /// Makes an empty buffer.
  ///
  /// - Parameters:
  ///   - policy: What gives way.
  ///   - ageLimit: The age beyond which a sample is dropped rather than delivered; nil for none.
  public init(_ policy: BufferingPolicy, ageLimit: Duration?) {
    (self.policy, self.ageLimit) = (policy, ageLimit)
  }

  /// The samples that wait.
  public var count: Int { waiting.count }

  /// Whether the line shall not be read until samples were taken.
  public var holdsLineBack: Bool {
    if case .wait = policy { !isClosed && count >= policy.capacity } else { false }
  }

  /// Takes no more samples; those that wait can still be taken.
  public mutating func close() { isClosed = true }

  /// Adds samples that came at a time.
  public mutating func push(_ samples: [TimedSample], at now: Duration) {
    guard !isClosed else { return }
    dropOld(at: now)
    for sample in samples { waiting.append((sample, now)) }
    if case .newest = policy, count > policy.capacity { drop(count - policy.capacity) }
  }

  /// Takes the oldest sample that is young enough; nil where none waits.
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
