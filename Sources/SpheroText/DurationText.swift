// Durations as numbers of seconds, and from text.

/// The limit of times in files, from clocks and in arguments.
@usableFromInline package enum TimeLimit {
  /// About 30,000 years: no clock reaches it, `Duration` does not overflow, and `Double` has a resolution of 0.1 ms.
  @inlinable package static var seconds: Int64 { 1_000_000_000_000 }
}

extension Duration {
  /// The number of seconds; the error is at most two units in the last place.
  package var inSeconds: Double {
    // Called for each packet: each part is converted by one instruction, but a division of durations takes hundreds.
    // Up to a year, `middle` is exact.
    let attoseconds = attoseconds
    let upper = Int64(truncatingIfNeeded: attoseconds &>> 64)
    let lower = UInt64(truncatingIfNeeded: attoseconds)
    let middle = Double(upper) * 0x1p64 + Double(lower >> 32) * 0x1p32
    return (middle + Double(lower & 0xFFFF_FFFF)) / 1e18
  }

  /// Whole milliseconds, rounded toward zero.
  package var wholeMilliseconds: Int64 {
    components.seconds &* 1_000 &+ components.attoseconds / 1_000_000_000_000_000
  }

  /// The forms that ``init(written:)`` accepts, for help pages and errors.
  package static let writtenForms = "seconds, or like 500ms, 2min, 1h"

  /// Reads a duration like `10s`, `500ms`, `2min` or `1h`; a number without a unit is seconds.
  ///
  /// The units are `ms`, `s`, `m`, `min` and `h`. The value is 0...10^8 s, rounded to nanoseconds; nil for any other text.
  package init?(written text: some StringProtocol) {
    let units: [(suffix: String, seconds: Double)] = [
      ("ms", 0.001), ("min", 60), ("s", 1), ("m", 60), ("h", 3_600),
    ]
    let unit = units.first { text.hasSuffix($0.suffix) }
    let digits = text.dropLast(unit?.suffix.count ?? 0)
    // `Double` also reads "nan", "1e3" and "0x1p3".
    guard digits.allSatisfy({ "0123456789.".contains($0) }), let number = Double(String(digits)) else {
      return nil
    }
    let seconds = number * (unit?.seconds ?? 1)
    guard seconds <= 1e8 else { return nil }
    self = .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
