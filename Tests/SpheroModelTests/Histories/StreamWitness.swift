// The invariants of a stream: lengths, times and end of its packets.

/// The one stream of a robot, as the answered requests have it.
struct StreamWitness {
  private struct Stream {
    var divisor: Int
    var frames: Int
    var words: Int
    var masks: [UInt8]
    /// Packets to come, or nil without end.
    var left: Int?
    var asked: Duration
    var last: Duration?
    /// Whether it may have been under way before it was asked for.
    var mayBeRenewed: Bool
  }

  private enum State {
    case off
    case unknown
    case on(Stream)
  }

  private let clockRate: Double
  private var state = State.off

  init(clockRate: Double) { self.clockRate = clockRate }

  /// Packets come every so often: divisor times frames ticks of 2.5 ms.
  private func period(_ stream: Stream) -> Duration {
    .seconds(Double(stream.divisor * stream.frames) * 0.0025 / clockRate)
  }

  /// The stream has ended, or its state is unknown.
  mutating func end(isCertain: Bool) { state = isCertain ? .off : .unknown }

  /// A request was answered with ok.
  mutating func acknowledge(_ payload: [UInt8], at now: Duration) {
    guard payload.count == 9 || payload.count == 13 else { return }
    let masks = Array(payload[4..<8]) + (payload.count == 13 ? Array(payload[9..<13]) : [0, 0, 0, 0])
    // The lower 22 bits of the second mask have no words.
    let words =
      masks[0..<5].reduce(0) { $0 + $1.nonzeroBitCount } + (masks[5] & 0xC0).nonzeroBitCount
    let left = payload[8] == 0 ? nil : Int(payload[8])
    guard words > 0 else {
      state = .off
      return
    }
    let (divisor, frames) = (Int(payload[0]) << 8 | Int(payload[1]), Int(payload[2]) << 8 | Int(payload[3]))
    var stream = Stream(
      divisor: divisor, frames: frames, words: words, masks: masks, left: left, asked: now, last: nil,
      mayBeRenewed: false)
    switch state {
    case .unknown: stream.mayBeRenewed = true
    case .on(let old)
    where (old.divisor, old.frames) == (divisor, frames) && old.masks == masks:
      // The same again begins the count anew and keeps the rhythm.
      (stream.last, stream.asked, stream.mayBeRenewed) = (old.last, old.asked, old.mayBeRenewed)
    default: break
    }
    state = .on(stream)
  }

  /// A packet of the stream comes.
  mutating func hear(_ payload: [UInt8], at now: Duration, _ notBefore: Duration) -> String? {
    guard case .on(var stream) = state else {
      if case .unknown = state { return nil }
      return "\(now): a packet of a stream that has ended"
    }
    let length = 2 * stream.words * stream.frames
    if payload.count != length { return "\(now): \(payload.count) bytes instead of \(length)" }
    if notBefore < now || notBefore > now + .milliseconds(4) { return "\(now): held back until \(notBefore)" }
    let period = period(stream)
    if let last = stream.last {
      let error = now - last - period
      if error > .microseconds(1) || error < .microseconds(-1) { return "\(now): out of step by \(error)" }
    } else if !stream.mayBeRenewed, now - stream.asked < period - .seconds(0.0025 / clockRate) {
      return "\(now): a packet before its time"
    }
    stream.last = now
    stream.left = stream.left.map { $0 - 1 }
    state = stream.left == 0 ? .off : .on(stream)
    return nil
  }

  /// Whether a packet should have come by now.
  func misses(at now: Duration) -> String? {
    guard case .on(let stream) = state else { return nil }
    let tick = Duration.seconds(0.0025 / clockRate)
    let due =
      stream.last.map { $0 + period(stream) + .microseconds(1) }
      ?? (stream.asked + max(period(stream), .milliseconds(4) + tick) + tick)
    return now > due ? "\(now): a packet stays away that was due at \(due)" : nil
  }
}
