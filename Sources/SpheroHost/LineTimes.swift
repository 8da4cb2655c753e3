// The times of the lines of a recording, of which some may be wrong.

import SpheroProtocol

/// Finds the lines of a recording whose times are wrong: times never decrease.
///
/// Holds each time until the next one. A time that is less than the one before it is unknown, and so is that one if either
/// may be wrong. Where two times in a row are less than those before, another recording begins, whose times continue.
struct LineTimes: Sendable {
  private var held: (time: Duration, isWrong: Bool)?
  /// The latest time before the held one that is not wrong; nil at the start.
  private var last: Duration?
  /// The sum of a time and this is the time since the start of the first recording.
  private var offset = Duration.zero
  /// From this offset on, another recording is not recognized, since the times of a file may be large and add up.
  private static let maximumOffset = Duration.seconds(TimeLimit.seconds)

  /// Holds a time.
  ///
  /// Another recording begins a packet of `format` after the previous one. Returns the held time, which is nil if it was
  /// wrong; returns nil if none was held.
  mutating func append(_ time: Duration, in format: StreamFormat?) -> Duration?? {
    guard let held else {
      self.held = (time, isWrong: false)
      return nil
    }
    guard let last else {
      // Of the first two times, either may be wrong.
      self.held = (time, isWrong: time < held.time)
      return time < held.time ? .some(nil) : release(held.time)
    }
    if held.isWrong {
      self.held = (time, isWrong: time < last)
      guard held.time < last, time < last, offset < Self.maximumOffset else { return .some(nil) }
      let period = format.map { $0.framePeriod * Double($0.frames ?? 1) } ?? 0
      offset += last - held.time + .rounded(seconds: period)
      self.held?.isWrong = time < held.time
      return release(held.time)
    }
    self.held = (time, isWrong: time < held.time)
    return time < held.time && time >= last ? .some(nil) : release(held.time)
  }

  /// Releases the held time, which is nil if it was wrong; returns nil if none is held.
  mutating func release() -> Duration?? {
    defer { held = nil }
    guard let held else { return nil }
    return held.isWrong ? .some(nil) : release(held.time)
  }

  private mutating func release(_ time: Duration) -> Duration {
    last = time
    return time + offset
  }
}
