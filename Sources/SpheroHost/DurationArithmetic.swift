// Products and roundings of durations.

extension Duration {
  /// Multiplies by an `Int`.
  ///
  /// The standard library's operator takes any integer type and costs hundreds of instructions;
  /// each packet needs dozens of such products.
  static func * (span: Duration, count: Int) -> Duration {
    Duration(attoseconds: span.attoseconds &* Int128(count))
  }

  /// Rounds to whole microseconds, so that a sum of periods is printed with at most six decimals.
  ///
  /// Returns zero for a number that is not finite, and for one whose microseconds exceed an `Int64`.
  static func rounded(seconds: Double) -> Duration {
    let microseconds = (seconds * 1e6).rounded()
    return abs(microseconds) < 9e18 ? .microseconds(Int64(microseconds)) : .zero
  }
}
