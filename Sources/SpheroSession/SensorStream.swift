// The state of the one stream a robot has: its layout, its finite count, and when to renew it.

public import SpheroProtocol
import SpheroTransport

/// Sensor values with the time they were measured.
public struct TimedSample: Sendable {
  /// Since the first sample, by the robot's nominal rate; jumps where samples stayed away.
  public let time: Duration
  /// When its packet came, by this machine's clock, since the first packet did; late by what the link takes.
  public let arrival: Duration
  /// The values.
  public let sample: Sample
}

/// What to stream, and how.
public struct StreamRequest: Sendable, Hashable {
  /// The values of a frame.
  public var mask: SensorMask
  /// A frame is taken every `divisor`/400 s; 1...65535.
  public var divisor: UInt16
  /// Frames in a packet; 1...65535.
  public var frames: UInt16
  /// The packets of one request, 1...255: what a robot still sends when the program dies.
  public var packets: UInt8

  /// Asks for values, by default 20 times a second.
  ///
  /// The defaults are the vendor's advice for display; 200 packets and renewal follow its streaming sample.
  public init(mask: SensorMask, divisor: UInt16 = 20, frames: UInt16 = 1, packets: UInt8 = 200) {
    (self.mask, self.divisor, self.frames, self.packets) = (mask, divisor, frames, packets)
  }

  /// The time between two frames at the nominal 400 Hz.
  public var framePeriod: Duration { .microseconds(2_500) * Int(divisor) }
  /// The time between two packets.
  public var packetPeriod: Duration { framePeriod * Int(frames) }

  /// The payload bytes of each packet.
  var payloadCount: Int { mask.wordCount * 2 * Int(frames) }

  /// The command that asks the robot for it.
  var command: Sensing.SetDataStreaming {
    Sensing.SetDataStreaming(divisor: divisor, frames: frames, mask: mask, packetCount: packets)
  }

  /// Makes sure that a robot can send it.
  func validate() throws(SessionError) {
    guard !mask.isEmpty else { throw .invalidStream("a stream needs at least one sensor field") }
    guard mask.isDocumented else { throw .invalidStream("a stream must not have reserved fields") }
    guard divisor > 0 else { throw .invalidStream("the divisor must be 1...65535") }
    guard frames > 0, packets > 0 else { throw .invalidStream("frames and packets must be at least 1") }
    // Longer packets than a decoder waits for would never be seen.
    guard payloadCount <= 4_000 else {
      throw .invalidStream("a packet of \(payloadCount) bytes is too long; use fewer frames")
    }
  }
}

/// A running stream.
struct SensorStream {
  let id: Int
  let request: StreamRequest
  let mailbox: Mailbox<TimedSample>
  /// Whether the robot has acknowledged the request, so that frames belong to it.
  var isAcknowledged = false
  var isRenewing = false
  /// Packets that the robot will still send.
  var packetsLeft = 0
  /// When the last packet came, or the robot acknowledged the request.
  var lastPacket: Duration
  /// Requests in a row that brought no packet.
  var fruitlessRenewals = 0
  private var startedAt: Duration?
  private var nextTime = Duration.zero

  init(id: Int, request: StreamRequest, at now: Duration) {
    (self.id, self.request, lastPacket) = (id, request, now)
    mailbox = Mailbox(capacity: 8_192)
  }

  /// How long packets may stay away before the stream is asked for again.
  var patience: Duration { request.packetPeriod * 3 + .milliseconds(250) }

  /// Takes a sensor packet.
  ///
  /// A packet whose length does not fit belongs to an earlier request and is dropped.
  mutating func take(_ payload: [UInt8], at now: Duration) {
    guard isAcknowledged,
      let samples = Sample.samples(in: payload, mask: request.mask, frames: Int(request.frames))
    else { return }
    lastPacket = now
    fruitlessRenewals = 0
    packetsLeft = max(0, packetsLeft - 1)
    let start = startedAt ?? now
    startedAt = start
    // Samples are evenly spaced by the robot's clock, whatever the link does to their arrival.
    // Where they come much later than that, some stayed away, and time goes on with the arrival.
    let arrival = now - start - request.framePeriod * (samples.count - 1)
    if arrival - nextTime > patience { nextTime = arrival }
    mailbox.push(
      samples.enumerated().map { index, sample in
        TimedSample(time: nextTime + request.framePeriod * index, arrival: now - start, sample: sample)
      })
    nextTime += request.framePeriod * samples.count
  }

  /// Whether to ask again, so that the new count begins before the old one runs out.
  ///
  /// - Parameter roundTrip: The longest that an answer took lately.
  /// - Returns: True from the last quarter of the packets on, or earlier where the link is slow.
  func needsRenewal(roundTrip: Duration) -> Bool {
    guard isAcknowledged, !isRenewing else { return false }
    let margin = (roundTrip * 4 + .milliseconds(100)) / request.packetPeriod
    let packets = Int(request.packets)
    // At least the last quarter, as the vendor's sample does; at most the last three quarters.
    let threshold = min(max(margin, Double(packets) / 4), Double(packets) * 3 / 4)
    return Double(packetsLeft) <= threshold
  }
}
