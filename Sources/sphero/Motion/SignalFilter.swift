// Low and high pass for what a stream prints.

import SpheroOrientation
import SpheroProtocol

/// A cut-off frequency in Hz.
struct Frequency: Argument, Comparable {
  /// The frequency in Hz, positive and finite.
  let hertz: Double
  /// The time constant of the first-order filter with this cut-off.
  let timeConstant: TimeConstant

  init?(argument: String) {
    // What Double takes beyond that, like "nan" or "0x1p3", is no frequency.
    guard argument.allSatisfy({ "0123456789.".contains($0) }), let hertz = Double(argument), hertz.isFinite,
      let timeConstant = TimeConstant(cutoff: hertz)
    else { return nil }
    (self.hertz, self.timeConstant) = (hertz, timeConstant)
  }

  /// A number of Hz without needless decimals.
  static func text(_ hertz: Double) -> String {
    let text = "\(hertz)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  var argumentText: String? { Self.text(hertz) }
  static var placeholder: String { "hz" }
  static var allowed: String? { "a frequency above 0, at most half the sample rate" }
  static func < (a: Frequency, b: Frequency) -> Bool { a.hertz < b.hertz }
}

/// A low pass and a high pass, one after the other, as far as they were asked for.
struct SignalFilter {
  private var lowPass: TimedLowPassFilter<Double>?
  private var highPass: TimedHighPassFilter<Double>?

  init(lowPass: Frequency?, highPass: Frequency?) {
    self.lowPass = lowPass.map { TimedFilter(timeConstant: $0.timeConstant) }
    self.highPass = highPass.map { TimedFilter(timeConstant: $0.timeConstant) }
  }

  /// Filters a value that comes `interval` seconds after the one before.
  mutating func callAsFunction(_ value: Double, after interval: Double) -> Double {
    let smooth = lowPass?(value, after: interval) ?? value
    return highPass?(smooth, after: interval) ?? smooth
  }
}

extension SensorField {
  /// Whether a filter makes sense: angles jump at half a turn, and the four words of a quaternion belong together.
  var isFilterable: Bool { scale.unit != .degrees && !SensorMask.quat.contains(SensorMask(self)) }
}
