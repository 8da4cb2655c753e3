// Round numbers for axes, without logarithms.

/// The range of an axis with its ticks.
public struct Scale: Hashable, Sendable {
  public let lowest: Double
  public let highest: Double
  /// The difference between two ticks: 1, 2 or 5 times a power of ten.
  public let step: Double
  /// The number of decimals of the ticks.
  public let digits: Int

  /// Finds round numbers around a range.
  ///
  /// - Parameters:
  ///   - lowest: The lowest value.
  ///   - highest: The highest value; if it is not above the lowest, the range grows by 0.5 in both directions.
  ///   - ticks: The largest number of steps, at least 1; each end may add one.
  public init(_ lowest: Double, _ highest: Double, ticks: Int = 4) {
    var (low, high) = (lowest, highest)
    guard low.isFinite, high.isFinite, abs(low) < 1e100, abs(high) < 1e100 else {
      (self.lowest, self.highest, step, digits) = (0, 1, 1, 0)
      return
    }
    // Smaller differences are rounding errors.
    if high - low <= max(max(abs(low), abs(high)) * 1e-9, 1e-8) { (low, high) = (low - 0.5, high + 0.5) }
    (step, digits) = Self.step(atLeast: (high - low) / Double(max(1, ticks)))
    self.lowest = (low / step + 1e-9).rounded(.down) * step
    self.highest = (high / step - 1e-9).rounded(.up) * step
  }

  /// Makes a scale with exact ends and round ticks between them.
  public init(exactly lowest: Double, _ highest: Double, ticks: Int) {
    let round = Scale(lowest, highest, ticks: ticks)
    (self.lowest, self.highest) = highest > lowest ? (lowest, highest) : (round.lowest, round.highest)
    (step, digits) = (round.step, round.digits)
  }

  public var ticks: [Double] {
    let first = (lowest / step - 1e-9).rounded(.up)
    return (0..<64).map { (first + Double($0)) * step }.filter { $0 <= highest + step * 1e-9 }
  }

  /// The relative position of a value: 0 at the lower end, 1 at the upper end.
  public func part(_ value: Double) -> Double { (value - lowest) / (highest - lowest) }

  /// The smallest round step that is at least a size, and its number of decimals.
  static func step(atLeast size: Double) -> (step: Double, digits: Int) {
    guard size > 1e-9 else { return (1e-9, 9) }
    var (power, digits) = (1.0, 0)
    while power > size {
      power /= 10
      digits += 1
    }
    while power * 10 <= size { power *= 10 }
    for factor in [1.0, 2, 5] where power * factor >= size * (1 - 1e-9) { return (power * factor, digits) }
    return (power * 10, max(0, digits - 1))
  }
}
