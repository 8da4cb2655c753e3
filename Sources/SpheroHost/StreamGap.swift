// A piece of a stream's time without samples, and why.

import SpheroProtocol

/// A piece of a stream's time without samples.
public struct StreamGap: Hashable, Sendable {
  /// Why samples are missing.
  @nonexhaustive public enum Reason: Hashable, Sendable {
    /// The stream's fields or rate changed.
    case layout
    /// Frames were lost on their way: ``StreamGap/frames``.
    case lost
    /// The stream had stopped and was begun again.
    case restart
    /// The line was lost and came back.
    case reconnection
  }

  /// Why samples are missing.
  public let reason: Reason
  /// How long the gap is, by reconstructed time.
  public let duration: Duration
  /// How many frames were lost; nil for another reason.
  public let frames: Int?

  init(reason: Reason, duration: Duration, frames: Int? = nil) {
    (self.reason, self.duration, self.frames) = (reason, duration, frames)
  }
}

extension StreamGap: CustomStringConvertible {
  /// One sentence for people, without a full stop.
  public var description: String {
    let isShort = duration < .milliseconds(10)
    let length = isShort ? Decimal.text(duration.inSeconds * 1_000, digits: 1) + " ms" : duration.seconds
    return switch reason {
    case .layout: "a gap of \(length) in the samples: the stream's layout changed"
    case .lost: "a gap of \(length) in the samples: \(frames ?? 0) \(frames == 1 ? "was" : "were") lost"
    case .restart: "a gap of \(length) in the samples: the stream stopped and was restarted"
    case .reconnection: "a gap of \(length) in the samples: the link was lost"
    }
  }
}

extension Duration {
  /// Seconds with two decimals, for sentences.
  var seconds: String { Decimal.text(inSeconds, digits: 2) + " s" }
}
