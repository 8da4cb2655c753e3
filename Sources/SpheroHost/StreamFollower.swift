// The times of the frames of a stream, by the same rules for a live robot and a recording.

import SpheroProtocol

/// Follows the packets of one stream of known format, and places their frames in time, for sessions and recordings alike.
struct StreamFollower: Sendable {
  /// A packet with the times of its frames.
  struct Packet: Sendable {
    let payload: [UInt8]
    let frames: Int
    let arrival: Duration
    let place: Timeline.Placement
  }

  /// The time after an unanswered request in which packets may still belong to the stream of a former program.
  static let transit = Duration.milliseconds(250)

  /// The format of the stream; nil before the first stream.
  private(set) var format: StreamFormat?
  private(set) var layout = SampleLayout([])
  /// The axes of the model for position and velocity.
  var axes = ModelTraits.LocatorAxes.rightAhead { didSet { turnedPairs = axes.turnedPairs(in: layout.mask) } }
  /// The words of a frame that ``sample(in:frame:)`` converts from these axes.
  private var turnedPairs: [(x: Int, y: Int)] = []
  var timeline = Timeline()
  private(set) var lostFrames = 0
  /// Whether, since the last reported gap, a stall occurred in which the robot may have restarted the stream.
  var mayHaveStopped = false
  /// The packet that is held back because it may be the first of a burst.
  private var held: (payload: [UInt8], frames: Int, arrival: Duration, until: Duration)?
  /// When the last packet arrived, or the stream began.
  private(set) var lastActivity: Duration?

  /// When the packet that is held back has to be released; nil without one.
  var deadline: Duration? { held?.until }

  /// Begins a stream; the caller has released the packet that was held back.
  mutating func begin(_ format: StreamFormat, at now: Duration?) {
    (self.format, layout, lastActivity) = (format, SampleLayout(format.mask), now)
    turnedPairs = axes.turnedPairs(in: format.mask)
    if let divisor = format.divisor { timeline.begin(divisor: Int(divisor)) }
  }

  /// Ends a stream: discards the packet that is held back; the time until the next stream is not a gap.
  mutating func forget() {
    held = nil
    timeline.forget()
  }

  /// Excludes a suspension of the host from the detection of stalls; the robot may have restarted its stream during it.
  mutating func shift(by pause: Duration) {
    lastActivity = lastActivity.map { $0 + pause }
    held?.until += pause
    timeline.suspectRestart()
  }

  /// The silence after which a stream counts as stalled.
  static func stallLimit(packetPeriod: Duration) -> Duration { packetPeriod * 3 + .milliseconds(250) }

  /// Places a packet in time, unless it is held back, and the packet that was held back before it; the divisor is known.
  ///
  /// After a stall, the robot may have restarted its stream if its count may have run out,
  /// or if it confirmed a request that was sent during the stall. `renewal` is nil if the requests are unknown.
  mutating func receive(
    _ payload: [UInt8], frames: Int, at now: Duration, _ renewal: Renewal?
  ) -> (before: Packet?, own: Packet?) {
    // A robot samples at 400 Hz.
    let period = Duration.microseconds(2_500) * Int(format?.divisor ?? 1) * frames
    if let stalled = lastActivity.map({ $0 + Self.stallLimit(packetPeriod: period) }), now >= stalled,
      renewal.map({ $0.mayHaveRunOut(by: now) || $0.isConfirmed(since: stalled) }) ?? true
    {
      timeline.suspectRestart()
      mayHaveStopped = true
    }
    lastActivity = now
    var before: Packet?
    if let until = held?.until { before = release(isAlone: now >= until) }
    guard let wait = timeline.hold(frames, at: timeline.seconds(of: now)) else {
      return (before, place(payload, frames, at: now, isAlone: false))
    }
    held = (payload, frames, arrival: now, until: now + .seconds(wait))
    return (before, nil)
  }

  /// Reads a frame of a packet, with position and velocity on the axes right and ahead; nil if there is no such frame.
  @inline(__always) func sample(in payload: Span<UInt8>, frame: Int) -> Sample? {
    guard var sample = layout.sample(in: payload, frame: frame) else { return nil }
    if !turnedPairs.isEmpty { sample.turn(turnedPairs) }
    return sample
  }

  /// Places the packet that is held back, if any; `isAlone` states that no burst follows it.
  mutating func release(isAlone: Bool) -> Packet? {
    guard let packet = held else { return nil }
    held = nil
    return place(packet.payload, packet.frames, at: packet.arrival, isAlone: isAlone)
  }

  private mutating func place(
    _ payload: [UInt8], _ frames: Int, at arrival: Duration, isAlone: Bool
  ) -> Packet {
    let place = timeline.place(frames, at: timeline.seconds(of: arrival), isAlone: isAlone)
    lostFrames &+= place.lost
    return Packet(payload: payload, frames: frames, arrival: arrival, place: place)
  }
}
