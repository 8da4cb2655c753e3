// When to ask a robot again for the stream it has, so that its finite count never runs out.

import SpheroProtocol

/// The requests that keep a stream going.
///
/// They go out by time, at most a third of a count apart, whether or not the one before was answered:
/// two thirds are left for repetitions and for a host that runs late.
/// One without an answer is repeated soon; any answer to any of them counts, a late one too.
struct Renewal: Hashable, Sendable {
  /// How long one count lasts at the nominal rate.
  let span: Duration
  /// When the newest request went.
  private(set) var sentAt: Duration?
  /// When the newest request went that was answered.
  private(set) var confirmedAt: Duration?
  /// The requests that went since a renewal became due; 0 once one of them was answered.
  private(set) var unconfirmed = 0
  /// When the first of them went.
  private(set) var begunAt: Duration = .zero

  /// A robot may sample 5 % too fast; then its count runs out sooner.
  private static let margin = 0.9
  private static let soonest = Duration.milliseconds(50)
  private static let patience = Duration.milliseconds(250)
  /// Beyond this many, a slow robot must not be flooded.
  private static let mostUnconfirmed = 8
  /// The longest time between two requests to a silent robot.
  static let longestPause = Duration.seconds(1)

  /// The time from one request to the next, and how long a count lasts for sure.
  private let (interval, sureSpan): (Duration, Duration)

  init(span: Duration) {
    self.span = span
    (interval, sureSpan) = (span * Self.margin / 3, span * Self.margin)
  }

  /// Tells when the next request is due; zero where none has gone.
  ///
  /// - Parameters:
  ///   - roundTrip: How long answers take.
  ///   - silentSince: The last sign of the stream, where samples stay away, though they should come; nil where they come.
  ///     The longer the silence, the longer the pause, up to ``longestPause``.
  ///   - heardAt: When the robot was last heard; one that is heard after the newest request is asked again soon.
  /// - Returns: The time.
  func due(roundTrip: Duration, silentSince: Duration? = nil, heardAt: Duration? = nil) -> Duration {
    guard let sentAt else { return .zero }
    var due: Duration
    if unconfirmed == 0 {
      due = (confirmedAt ?? sentAt) + interval
    } else if unconfirmed <= Self.mostUnconfirmed {
      due = sentAt + min(max(roundTrip * 2, Self.soonest), span / 4)
    } else {
      due = sentAt + max(span / 4, Self.patience)
    }
    if let silentSince {
      let isHeard = heardAt.map { $0 > sentAt } ?? false
      let backoff = isHeard ? .zero : min((sentAt - silentSince) / 4, Self.longestPause)
      due = min(due, sentAt + max(roundTrip * 2, Self.patience, backoff))
    }
    return due
  }

  /// Notes that a request goes.
  mutating func sent(at now: Duration) {
    if unconfirmed == 0 { begunAt = now }
    unconfirmed += 1
    sentAt = now
  }

  /// Notes that the robot answered the request that went at `time`.
  mutating func confirmed(_ time: Duration) {
    confirmedAt = max(confirmedAt ?? time, time)
    if time >= begunAt { unconfirmed = 0 }
  }

  /// Whether the robot may have sent all of its count by a time.
  func mayHaveRunOut(by now: Duration) -> Bool {
    guard let confirmedAt else { return true }
    return now >= confirmedAt + sureSpan
  }
}

extension Duration {
  fileprivate static func * (duration: Duration, factor: Double) -> Duration {
    .seconds(duration.inSeconds * factor)
  }
}
