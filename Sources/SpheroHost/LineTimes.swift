// The times of the lines of a recording, of which some may be wrong.

import SpheroProtocol

/// Finds the lines of a recording whose times are wrong: times never decrease.
///
/// Each time is held until the next one arrives, which may show that it is wrong. If a time decreases, one of the two
/// times is wrong; if the times before them do not show which one, both count as wrong. If two successive times are less
/// than the time before them, they begin another recording, whose times continue those of the previous one.
struct LineTimes: Sendable {
  private var held: (time: Duration, isWrong: Bool)?
  /// The last released time, in the recording to which it belongs; nil at the start.
  private var last: Duration?
  /// The start of the current recording, measured from the start of the first one.
  private var offset = Duration.zero
  /// The offset from which no other recording is recognized: it bounds the sum of the times of a hostile file.
  private static let maximumOffset = Duration.seconds(TimeLimit.seconds)

  /// Holds a time.
  ///
  /// If the time shows that another recording has begun, that recording starts one packet of `format` after the end of
  /// the previous one.
  ///
  /// - Returns: The time that was held before: `.some(nil)` if it is wrong, nil if no time was held.
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

  /// Releases the held time.
  ///
  /// - Returns: The time: `.some(nil)` if it is wrong, nil if no time is held.
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
