// The time of day and year, in UTC, as text after ISO 8601.

/// A moment by the wall clock.
public struct WallTime: Hashable, Sendable {
  /// The time since the beginning of 1970 in UTC, leap seconds not counted.
  public let sinceEpoch: Duration

  private static let earliest = Duration.seconds(-62_135_596_800 as Int64)
  private static let latest = Duration.seconds(253_402_300_800 as Int64) - .nanoseconds(1)

  /// Takes the time since the beginning of 1970; outside the years 1...9999 the nearest moment within is taken.
  public init(sinceEpoch: Duration) { self.sinceEpoch = min(max(sinceEpoch, Self.earliest), Self.latest) }

  /// Reads a moment in UTC; nil where the text has another form, or where there is no such day or time.
  ///
  /// - Parameter text: Like `2026-11-21T13:36:46.25Z`, with or without a fraction; the years are 1...9999.
  public init?(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    /// Takes so many digits and the character after them.
    func number(_ count: Int, _ end: Unicode.Scalar) -> Int64? {
      let digits = rest.prefix(count)
      rest = rest.dropFirst(count)
      guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }),
        let byte = rest.popFirst(),
        UInt32(byte) == end.value
      else { return nil }
      return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    guard let year = number(4, "-"), let month = number(2, "-"), let day = number(2, "T"),
      let hour = number(2, ":"), let minute = number(2, ":"), year > 0, (1...12).contains(month),
      (1...Self.dayCount(month, of: year)).contains(day), hour < 24, minute < 60
    else { return nil }
    var attoseconds: Int64 = 0
    let fraction = rest.count > 3 && rest[rest.startIndex + 2] == UInt8(ascii: ".")
    guard let second = number(2, fraction ? "." : "Z"), second < 60 else { return nil }
    if fraction {
      var unit: Int64 = 100_000_000_000_000_000
      while let byte = rest.first, (0x30...0x39).contains(byte) {
        attoseconds += Int64(byte - 0x30) * unit
        unit /= 10
        rest = rest.dropFirst()
      }
      guard rest.popFirst() == UInt8(ascii: "Z") else { return nil }
    }
    guard rest.isEmpty else { return nil }
    let seconds = (Self.dayNumber(year, month, day) * 24 + hour) * 3_600 + minute * 60 + second
    self.init(sinceEpoch: Duration(secondsComponent: seconds, attosecondsComponent: attoseconds))
  }

  // MARK: - Calendar

  private static func isLeap(_ year: Int64) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func dayCount(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days from the beginning of year 1 to the beginning of a year, of years 1 and later.
  private static func days(before year: Int64) -> Int64 {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400
  }

  /// The days from the beginning of 1970.
  private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    var number = days(before: year) - days(before: 1970) + day - 1
    for earlier in 1..<month { number += dayCount(earlier, of: year) }
    return number
  }
}

extension WallTime: CustomStringConvertible {
  /// The moment as text, like `2026-11-21T13:36:46.250000Z`; what is shorter than a microsecond is cut off.
  public var description: String {
    var (seconds, attoseconds) = sinceEpoch.components
    if attoseconds < 0 { (seconds, attoseconds) = (seconds - 1, attoseconds + 1_000_000_000_000_000_000) }
    let secondsOfDay = ((seconds % 86_400) + 86_400) % 86_400
    var day = (seconds - secondsOfDay) / 86_400 + Self.days(before: 1970)
    var year = day / 366 + 1
    while Self.days(before: year + 1) <= day { year += 1 }
    day -= Self.days(before: year)
    var month: Int64 = 1
    while day >= Self.dayCount(month, of: year) {
      day -= Self.dayCount(month, of: year)
      month += 1
    }
    func text(_ number: Int64, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return "\(text(year, 4))-\(text(month, 2))-\(text(day + 1, 2))T\(text(secondsOfDay / 3_600, 2)):"
      + "\(text(secondsOfDay / 60 % 60, 2)):\(text(secondsOfDay % 60, 2))."
      + "\(text(attoseconds / 1_000_000_000_000, 6))Z"
  }
}

extension WallTime: Comparable {
  /// Whether one moment is before another.
  public static func < (left: Self, right: Self) -> Bool { left.sinceEpoch < right.sinceEpoch }
}
