// What crosses the wire for all consumers together: fields, rate, frames in a packet, finite count.

import SpheroProtocol

/// The one stream that a robot has.
struct StreamLayout: Hashable, Sendable {
  /// The longest payload of a sensor packet; a decoder does not wait for much longer ones.
  static let longestPayload = 4_000
  /// The shortest time that one count lasts, so that renewals do not crowd the line.
  private static let shortestSpan = Duration.milliseconds(100)

  var mask: SensorMask
  /// The fields that consumers want; ``mask`` may have more, see ``distinct(from:)``.
  let wanted: SensorMask
  var divisor: Int
  var frames: Int
  var packets: UInt8

  /// Joins what consumers want: all fields, at the fastest rate; nil where nobody wants anything.
  ///
  /// - Parameters:
  ///   - requests: What they want; valid ones.
  ///   - roundTrip: How long answers take: five of them must pass while one count lasts.
  init?(joining requests: [StreamRequest], roundTrip: Duration) {
    guard let divisor = requests.map({ Int($0.divisor) }).min(), divisor > 0,
      let period = requests.map({ Int($0.divisor) * Int($0.frames) }).min()
    else { return nil }
    mask = requests.reduce(into: SensorMask()) { $0.formUnion($1.mask) }
    wanted = mask
    self.divisor = divisor
    let mostFrames = max(1, Self.longestPayload / max(2, wanted.wordCount * 2))
    frames = min(max(1, period / divisor), mostFrames)
    packets = requests.map { $0.packets }.max() ?? 1
    let needed = max(roundTrip * 5, Self.shortestSpan)
    guard span < needed else { return }
    packets = UInt8(min((needed / packetPeriod).rounded(.up), 255))
    guard span < needed else { return }
    let more = (needed / (framePeriod * Int(packets))).rounded(.up)
    frames = min(max(frames, Int(min(more, Double(Self.longestPayload)))), mostFrames)
  }

  /// The time between two frames at the nominal 400 Hz.
  var framePeriod: Duration { .microseconds(2_500) * divisor }
  /// The time between two packets.
  var packetPeriod: Duration { framePeriod * frames }
  /// How long one count lasts.
  var span: Duration { packetPeriod * Int(packets) }
  /// The payload bytes of each packet.
  var payloadCount: Int { mask.wordCount * 2 * frames }

  /// The command that asks for it.
  var command: Sensing.SetDataStreaming {
    Sensing.SetDataStreaming(
      divisor: UInt16(clamping: divisor), frames: UInt16(clamping: frames), mask: mask, packetCount: packets)
  }

  /// Whether what `other` carries can be taken from this one.
  func covers(_ other: StreamLayout) -> Bool {
    mask.isSuperset(of: other.wanted) && divisor <= other.divisor && packetPeriod <= other.packetPeriod
  }

  /// The bytes of payload in a second, to compare layouts.
  var cost: Double { Double(payloadCount) / packetPeriod.inSeconds }

  /// The same, with packets that cannot be taken for those of another layout.
  ///
  /// A sensor packet does not carry its layout. Where it tells by its length which one it has,
  /// the stream changes without a pause, and no late packet is read by the wrong layout.
  /// Where needed, a field that nobody wants makes the difference, one that every firmware knows if possible.
  ///
  /// - Parameter isTaken: Whether packets of the same length but of another layout may still come.
  /// - Returns: The layout; unchanged where all others are taken, too.
  func distinct(from isTaken: (StreamLayout) -> Bool) -> StreamLayout {
    let spare = SensorField.allCases.filter {
      SensorMask.all.contains(SensorMask($0)) && !wanted.contains(SensorMask($0))
    }
    for moreFrames in 0...3 {
      var other = self
      other.frames = frames + moreFrames
      for extra in [nil] + spare.prefix(4).map(Optional.some) {
        if let extra { other.mask.formUnion(SensorMask(extra)) }
        if !isTaken(other), other.payloadCount <= Self.longestPayload { return other }
      }
    }
    return self
  }

  /// How its packets are read.
  var format: StreamFormat {
    StreamFormat(mask: mask, divisor: UInt16(clamping: divisor), frames: UInt16(clamping: frames))
  }
}
