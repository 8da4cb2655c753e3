// Date and time in UTC, with ISO 8601 text.

import SpheroProtocol

public struct WallTime: Hashable, Sendable {
  /// The time since the beginning of 1970 in UTC, without leap seconds.
  public let sinceEpoch: Duration

  /// The beginning of year 1, and the last nanosecond of year 9999.
  private static let earliest = Duration.seconds(-62_135_596_800 as Int64)
  private static let latest = Duration.seconds(253_402_300_800 as Int64) - .nanoseconds(1)

  /// Creates a time, clamped to the years 1...9999.
  public init(sinceEpoch: Duration) { self.sinceEpoch = min(max(sinceEpoch, Self.earliest), Self.latest) }

  /// Parses a time of the years 1...9999, such as `2026-11-21T13:36:46.25Z`; the fraction is optional.
  ///
  /// Returns nil if the text has another form, or if there is no such date or time.
  public init?(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    /// Removes a number of `count` digits and the character `end` after it.
    func number(_ count: Int, _ end: Unicode.Scalar) -> Int64? {
      let digits = rest.prefix(count)
      rest = rest.dropFirst(count)
      guard digits.count == count, digits.allSatisfy({ $0.isDigit }),
        rest.popFirst() == UInt8(ascii: end)
      else { return nil }
      return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    guard let year = number(4, "-"), let month = number(2, "-"), let day = number(2, "T"),
      let hour = number(2, ":"), let minute = number(2, ":"), year > 0, hour < 24, minute < 60
    else { return nil }
    let dayNumber = Self.dayNumber(year, month, day)
    // A date that does not exist, such as 30 February, has the number of another date.
    guard Self.date(dayNumber) == (year, month, day) else { return nil }
    var scanner = LineScanner(rest, line: 1)
    guard rest.prefix(while: { $0.isDigit }).count == 2, rest.dropLast().last?.isDigit == true,
      let second = try? scanner.optionalTime(), second < .seconds(60), scanner.skip("Z"), scanner.peek == nil
    else { return nil }
    self.init(sinceEpoch: .seconds((dayNumber * 24 + hour) * 3_600 + minute * 60) + second)
  }

  // MARK: - Calendar
  // The functions `days_from_civil` and `civil_from_days` of Howard Hinnant's date algorithms.

  /// The days from 1 March of year 0 to 1 January 1970; in a year that begins in March, a leap day is the last day.
  private static let epoch: Int64 = 719_468

  /// The days from 1 January 1970 to a date of the Gregorian calendar, in year 1 or later.
  private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - epoch
  }

  /// The date of a day number; an era is a period of 400 years, which are 146,097 days.
  private static func date(_ dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (dayNumber + epoch).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (era * 400 + yearOfEra + (month >= 10 ? 1 : 0), (month + 2) % 12 + 1, day)
  }
}

extension WallTime: CustomStringConvertible {
  /// ISO 8601 text such as `2026-11-21T13:36:46.250000Z`, truncated to microseconds.
  public var description: String {
    var (seconds, attoseconds) = sinceEpoch.components
    if attoseconds < 0 { (seconds, attoseconds) = (seconds - 1, attoseconds + 1_000_000_000_000_000_000) }
    let secondsOfDay = ((seconds % 86_400) + 86_400) % 86_400
    let (year, month, day) = Self.date((seconds - secondsOfDay) / 86_400)
    func text(_ number: Int64, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return "\(text(year, 4))-\(text(month, 2))-\(text(day, 2))T\(text(secondsOfDay / 3_600, 2)):"
      + "\(text(secondsOfDay / 60 % 60, 2)):\(text(secondsOfDay % 60, 2))."
      + "\(text(attoseconds / 1_000_000_000_000, 6))Z"
  }
}
