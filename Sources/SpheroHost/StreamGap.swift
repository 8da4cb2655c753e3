// An interval without samples, and its reason.

import SpheroProtocol

/// An interval of a stream without samples.
public struct StreamGap: Hashable, Sendable {
  /// Why samples are missing.
  @nonexhaustive public enum Reason: Hashable, Sendable {
    /// The stream's fields or rate changed.
    case layout
    /// The link lost ``StreamGap/frames``.
    case lost
    /// The stream stopped and was restarted.
    case restart
    /// The line was lost and reopened.
    case reconnection
  }

  public let reason: Reason
  /// The length of the gap in reconstructed time.
  public let duration: Duration
  /// The number of lost frames; nil for other reasons.
  public let frames: Int?

  init(reason: Reason, duration: Duration, frames: Int? = nil) {
    (self.reason, self.duration, self.frames) = (reason, duration, frames)
  }
}

extension StreamGap: CustomStringConvertible {
  /// One sentence without a full stop.
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
