// Round numbers for axes, without logarithms.

/// A stretch of an axis between round numbers.
public struct Scale: Hashable, Sendable {
  /// The value at the lower end.
  public let lowest: Double
  /// The value at the upper end.
  public let highest: Double
  /// The difference between two ticks: 1, 2 or 5 times a power of ten.
  public let step: Double
  /// The decimals that tell ticks from each other.
  public let digits: Int

  /// Finds round numbers around values.
  ///
  /// - Parameters:
  ///   - lowest: The lowest value.
  ///   - highest: The highest value; where it is not above the lowest, half a unit lies on both sides.
  ///   - ticks: How many steps there are at most, 1 at least; one more may be at either end.
  public init(_ lowest: Double, _ highest: Double, ticks: Int = 4) {
    var (low, high) = (lowest, highest)
    guard low.isFinite, high.isFinite, abs(low) < 1e100, abs(high) < 1e100 else {
      (self.lowest, self.highest, step, digits) = (0, 1, 1, 0)
      return
    }
    // What is nearer than the digits of the numbers tell apart counts as one.
    if high - low <= max(max(abs(low), abs(high)) * 1e-9, 1e-8) { (low, high) = (low - 0.5, high + 0.5) }
    (step, digits) = Self.step(atLeast: (high - low) / Double(max(1, ticks)))
    self.lowest = (low / step + 1e-9).rounded(.down) * step
    self.highest = (high / step - 1e-9).rounded(.up) * step
  }

  /// Makes a scale that ends where the values do, with ticks at round numbers between.
  public init(exactly lowest: Double, _ highest: Double, ticks: Int) {
    let round = Scale(lowest, highest, ticks: ticks)
    (self.lowest, self.highest) = highest > lowest ? (lowest, highest) : (round.lowest, round.highest)
    (step, digits) = (round.step, round.digits)
  }

  /// The ticks, from the lowest to the highest.
  public var ticks: [Double] {
    let first = (lowest / step - 1e-9).rounded(.up)
    var ticks: [Double] = []
    while ticks.count < 64 {
      let tick = (first + Double(ticks.count)) * step
      guard tick <= highest + step * 1e-9 else { break }
      ticks.append(tick)
    }
    return ticks
  }

  /// Where a value lies: 0 at the lower end, 1 at the upper one.
  public func part(_ value: Double) -> Double { (value - lowest) / (highest - lowest) }

  /// The least round step that is not below a size, and its decimals.
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

  /// The least round number that is not below a magnitude.
  static func roundLimit(_ magnitude: Double) -> Double { step(atLeast: magnitude).step }
}
