// Spans of time by whole numbers.

extension Duration {
  /// A span so many times.
  ///
  /// The form of the standard library takes any integer and costs hundreds of instructions; deadlines need dozens a packet.
  static func * (span: Duration, count: Int) -> Duration {
    Duration(attoseconds: span.attoseconds &* Int128(count))
  }
}
