// When the frames of a stream were measured: the packets of a live robot and of a recording go through the same value.

import SpheroProtocol

/// Follows the packets of one stream, whose format is known, and places their frames in time.
///
/// What becomes of a packet is decided here for sessions and for recordings:
/// whether it is held back for a moment, whether the robot may have begun anew before it, how many packets were lost.
struct StreamFollower: Sendable {
  /// A packet, and where its frames lie in time.
  struct Packet: Sendable {
    let payload: [UInt8]
    let frames: Int
    /// When it came.
    let arrival: Duration
    let place: Timeline.Placement
  }

  /// A packet that is kept back, to see whether it is the first of a burst.
  private struct Held: Sendable {
    let payload: [UInt8]
    let frames: Int
    let arrival: Duration
    let until: Duration
  }

  /// How long packets after a request may be those of a former program, as long as it is not answered.
  static let transit = Duration.milliseconds(250)

  /// The format of the packets that come now; nil before a stream began.
  private(set) var format: StreamFormat?
  /// How their frames are read.
  private(set) var layout = SampleLayout([])
  var timeline = Timeline()
  /// The frames that were lost on their way, by the gaps they left.
  private(set) var lostFrames = 0
  /// Whether the robot may have stopped streaming after its count, since the last gap.
  var hasStopped = false
  private var held: Held?
  /// When the last packet came, or the stream began.
  private var lastSign: Duration?

  /// When a packet that is held back is placed; nil where none is.
  var deadline: Duration? { held?.until }

  /// Begins a stream; what is held back has been released.
  mutating func begin(_ format: StreamFormat, at now: Duration?) {
    (self.format, layout, lastSign) = (format, SampleLayout(format.mask), now)
    if let divisor = format.divisor { timeline.begin(divisor: Int(divisor)) }
  }

  /// Ends a stream: what is held back is dropped, and the time until the next stream is not a gap.
  mutating func forget() {
    held = nil
    timeline.forget()
  }

  /// Puts off what is due, since the host itself stood still.
  mutating func shift(by pause: Duration) {
    lastSign = lastSign.map { $0 + pause }
    timeline.suspectRestart()
  }

  /// Whether a packet that fits a request proves that the robot took it, although it has not answered.
  ///
  /// - Parameters:
  ///   - begun: When the request went for the first time.
  ///   - now: When the packet came.
  ///   - isOwn: Whether a packet of a former program cannot have that length.
  /// - Returns: Whether it does.
  static func proves(_ begun: Duration, at now: Duration, isOwn: Bool) -> Bool {
    isOwn || now - begun >= transit
  }

  /// How long packets may stay away before something is wrong.
  static func stallLimit(packetPeriod: Duration) -> Duration { packetPeriod * 3 + .milliseconds(250) }

  /// Notes that a packet of the stream came, which ``take(_:frames:at:)`` takes then; its divisor is known.
  ///
  /// - Parameters:
  ///   - frames: How many frames it has.
  ///   - now: When it came.
  ///   - mayHaveRunOut: Whether the robot may have sent all packets that it was asked for.
  /// - Returns: The packet that was held back before it.
  mutating func noteArrival(frames: Int, at now: Duration, mayHaveRunOut: Bool) -> Packet? {
    let period = Duration.microseconds(2_500) * Int(format?.divisor ?? 1) * frames
    if mayHaveRunOut, let lastSign, now - lastSign >= Self.stallLimit(packetPeriod: period) {
      timeline.suspectRestart()
      hasStopped = true
    }
    lastSign = now
    guard let until = held?.until else { return nil }
    return release(isAlone: now >= until)
  }

  /// Takes the packet that came.
  ///
  /// - Returns: The packet, unless it is held back.
  mutating func take(_ payload: [UInt8], frames: Int, at now: Duration) -> Packet? {
    guard let wait = timeline.hold(frames, at: timeline.seconds(of: now)) else {
      return place(payload, frames, at: now, isAlone: false)
    }
    held = Held(payload: payload, frames: frames, arrival: now, until: now + .seconds(wait))
    return nil
  }

  /// Places the packet that is held back.
  ///
  /// - Parameter isAlone: Whether it is known that no burst follows.
  /// - Returns: The packet; nil where none is held back.
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
