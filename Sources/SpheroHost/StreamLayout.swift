// The layouts of streams on the wire, and when each is requested again.

import SpheroProtocol

/// The layout of the one stream that a robot has.
struct StreamLayout: Hashable, Sendable {
  /// The maximum payload of a sensor packet in bytes; the decoder does not wait for much longer packets.
  static let maximumPayload = 4_000
  /// The minimum duration of one count: renewals at 30 % of it are at most 11 a second.
  private static let minimumSpan = Duration.milliseconds(300)
  /// The minimum count. A smaller one could run out before a late renewal, and a robot that restarts its period
  /// with each renewal could send no packet between two of them.
  private static let minimumPackets: UInt8 = 10

  var mask: SensorMask
  /// The fields that consumers requested; ``mask`` may have more, see ``distinct(from:)``.
  let requestedMask: SensorMask
  var divisor: Int
  var frames: Int
  var packets: UInt8

  /// Joins valid requests: all fields, at the fastest rate; nil without any.
  ///
  /// One count has at least ``minimumPackets``, and lasts for at least five times `roundTrip` and ``minimumSpan``.
  init?(joining requests: [StreamRequest], roundTrip: Duration) {
    guard let divisor = requests.map({ Int($0.divisor) }).min(), divisor > 0,
      let period = requests.map({ Int($0.divisor) * Int($0.frames) }).min()
    else { return nil }
    mask = requests.reduce(into: SensorMask()) { $0.formUnion($1.mask) }
    requestedMask = mask
    self.divisor = divisor
    let maximumFrames = max(1, Self.maximumPayload / max(2, requestedMask.wordCount * 2))
    frames = min(max(1, period / divisor), maximumFrames)
    packets = requests.map { $0.packets }.reduce(Self.minimumPackets, max)
    let needed = max(roundTrip * 5, Self.minimumSpan)
    guard span < needed else { return }
    packets = UInt8(min((needed / packetPeriod).rounded(.up), 255))
    guard span < needed else { return }
    let more = (needed / (framePeriod * Int(packets))).rounded(.up)
    frames = min(max(frames, Int(min(more, Double(Self.maximumPayload)))), maximumFrames)
  }

  /// The time between two frames at the nominal 400 Hz.
  var framePeriod: Duration { .microseconds(2_500) * divisor }
  var packetPeriod: Duration { framePeriod * frames }
  var span: Duration { packetPeriod * Int(packets) }
  var payloadCount: Int { mask.wordCount * 2 * frames }

  var command: Sensing.SetDataStreaming {
    Sensing.SetDataStreaming(
      divisor: UInt16(clamping: divisor), frames: UInt16(clamping: frames), mask: mask, packetCount: packets)
  }

  /// Whether the requested fields and rates of `other` are part of this layout.
  func covers(_ other: StreamLayout) -> Bool {
    mask.isSuperset(of: other.requestedMask) && divisor <= other.divisor && packetPeriod <= other.packetPeriod
  }

  var cost: Double { Double(payloadCount) / packetPeriod.inSeconds }

  /// Returns this layout with a packet length that no other recent layout has.
  ///
  /// A sensor packet does not carry its layout. If its length identifies the layout, the stream changes without a pause,
  /// and no late packet is decoded by the wrong layout. If needed, additional frames or fields change the length,
  /// preferably fields that every firmware knows.
  ///
  /// - Parameter isTaken: Whether packets of the same length but of another layout may still arrive.
  /// - Returns: The layout; unchanged if no length is free.
  func distinct(from isTaken: (StreamLayout) -> Bool) -> StreamLayout {
    // The bits of the first mask come first; every firmware streams them.
    let spare = SensorField.allCases.filter {
      SensorMask.all.contains(SensorMask($0)) && !requestedMask.contains(SensorMask($0))
    }
    for moreFrames in 0...3 {
      var other = self
      other.frames = frames + moreFrames
      for extra in [nil] + spare.prefix(4).map(Optional.some) {
        if let extra { other.mask.formUnion(SensorMask(extra)) }
        if !isTaken(other), other.payloadCount <= Self.maximumPayload { return other }
      }
    }
    return self
  }

  var format: StreamFormat {
    StreamFormat(mask: mask, divisor: UInt16(clamping: divisor), frames: UInt16(clamping: frames))
  }
}

/// The schedule of the requests that keep a stream running.
///
/// A request is due at most a third of a count after the last confirmed one, whether or not others are in flight:
/// two thirds remain for retries and for a host that runs late.
/// An unanswered request is repeated soon; any answer to any of them counts, including a late one.
struct Renewal: Hashable, Sendable {
  /// How long one count lasts at the nominal rate.
  let span: Duration
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
  /// The maximum time between two requests to a silent robot.
  static let maximumDelay = Duration.seconds(1)

  /// How long a count lasts at least: 90 % of ``span``, since a robot may sample 5 % too fast, with a margin.
  private var certainSpan: Duration { .seconds(span.inSeconds * 0.9) }

  /// When the next request is due; zero before the first.
  ///
  /// `silentSince` is the last sign of a stream whose samples are missing: the interval then grows with the silence,
  /// up to ``maximumDelay``. It does not grow if `lastResponse`, when the robot last sent anything but samples,
  /// is after the newest request.
  func due(roundTrip: Duration, silentSince: Duration? = nil, lastResponse: Duration? = nil) -> Duration {
    guard let sentAt else { return .zero }
    var due: Duration
    if unconfirmed == 0 {
      due = (confirmedAt ?? sentAt) + certainSpan / 3
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
