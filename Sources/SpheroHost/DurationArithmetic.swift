// Products and roundings of durations.

extension Duration {
  /// Multiplies by an `Int`.
  ///
  /// The standard library's operator takes any integer type and costs hundreds of instructions;
  /// each packet needs dozens of such products.
  static func * (span: Duration, count: Int) -> Duration {
    Duration(attoseconds: span.attoseconds &* Int128(count))
  }

  /// Rounds to whole microseconds, which prints sums of periods without a tail of digits.
  static func rounded(seconds: Double) -> Duration {
    let microseconds = (seconds * 1e6).rounded()
    return abs(microseconds) < 9e18 ? .microseconds(Int64(microseconds)) : .zero
  }
}
