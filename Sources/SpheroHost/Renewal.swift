// When a stream is requested again.

import SpheroProtocol

/// The schedule of the requests that keep a stream running.
///
/// A request is due at most a third of a count after the last confirmed one, whether or not others are in flight:
/// two thirds remain for retries and for a host that runs late.
/// An unanswered request is repeated soon; any answer to any of them counts, including a late one.
struct Renewal: Hashable, Sendable {
  /// How long one count lasts at the nominal rate.
  let span: Duration
  /// How long a count lasts at least: 90 % of ``span``, since a robot may sample 5 % too fast, with a margin.
  private let certainSpan: Duration
  /// The time from a confirmed request to the next one; stored, because each packet compares it.
  private let interval: Duration
  private(set) var sentAt: Duration?
  private(set) var confirmedAt: Duration?
  /// The number of requests sent since a renewal became due; 0 after a confirmation.
  private(set) var unconfirmed = 0
  /// When the first of the ``unconfirmed`` requests was sent.
  private(set) var begunAt: Duration = .zero

  private static let minimumRetry = Duration.milliseconds(50)
  private static let minimumSlowRetry = Duration.milliseconds(250)
  /// Beyond this number of unanswered requests, retries slow down to spare the robot.
  private static let maximumFastRetries = 8
  /// The maximum of the delay that grows with the silence; two round trips may be longer.
  private static let maximumDelay = Duration.seconds(1)

  init(span: Duration) {
    self.span = span
    certainSpan = .seconds(span.inSeconds * 0.9)
    interval = certainSpan / 3
  }

  /// When the next request is due; zero before the first.
  ///
  /// `silentSince` is the last sign of a stream whose samples are missing: the interval is then at most a quarter of the
  /// silence, limited to 1 s, or 250 ms or two round trips if that is more. This limit does not grow if `lastResponse`,
  /// when the robot last sent anything but samples, is after the newest request.
  func due(roundTrip: Duration, silentSince: Duration? = nil, lastResponse: Duration? = nil) -> Duration {
    guard let sentAt else { return .zero }
    var due: Duration
    if unconfirmed == 0 {
      due = (confirmedAt ?? sentAt) + interval
    } else if unconfirmed <= Self.maximumFastRetries {
      due = sentAt + min(max(roundTrip * 2, Self.minimumRetry), span / 4)
    } else {
      due = sentAt + max(span / 4, Self.minimumSlowRetry)
    }
    if let silentSince {
      let responds = lastResponse.map { $0 > sentAt } ?? false
      let backoff = responds ? .zero : min((sentAt - silentSince) / 4, Self.maximumDelay)
      due = min(due, sentAt + max(roundTrip * 2, Self.minimumSlowRetry, backoff))
    }
    return due
  }

  mutating func sent(at now: Duration) {
    if unconfirmed == 0 { begunAt = now }
    unconfirmed += 1
    sentAt = now
  }

  /// Records that the robot confirmed the request that was sent at `time`.
  mutating func confirmed(_ time: Duration) {
    confirmedAt = max(confirmedAt ?? time, time)
    if time >= begunAt { unconfirmed = 0 }
  }

  /// Whether the robot may have sent its whole count by `now`.
  func mayHaveRunOut(by now: Duration) -> Bool {
    guard let confirmedAt else { return true }
    return now >= confirmedAt + certainSpan
  }
}
