// A piece of a stream's time without samples, and why.

import SpheroProtocol

/// A piece of a stream's time without samples.
public struct StreamGap: Hashable, Sendable {
  /// Why samples are missing; later versions of the library may distinguish more, so a switch has a `default`.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `layout`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The stream's fields or rate changed.
    public static let layout = Reason("layout")
    /// Frames were lost on their way: ``StreamGap/frames``.
    public static let lost = Reason("lost")
    /// The stream had stopped and was begun again.
    public static let restart = Reason("restart")
    /// The line was lost and came back.
    public static let reconnection = Reason("reconnection")
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
    default: "a gap of \(length) in the samples"
    }
  }
}

extension Duration {
  /// Seconds with two decimals, for sentences.
  var seconds: String { Decimal.text(inSeconds, digits: 2) + " s" }
}
