// Low and high pass for the values of a stream.

package import SpheroOrientation
package import SpheroProtocol

/// A low pass and a high pass, one after the other, as far as they were asked for.
package struct SignalFilter: Sendable {
  private var lowPass: TimedLowPassFilter<Double>?
  private var highPass: TimedHighPassFilter<Double>?

  /// Makes the filters of two time constants; nil leaves one out.
  package init(lowPass: TimeConstant? = nil, highPass: TimeConstant? = nil) {
    self.lowPass = lowPass.map { TimedFilter(timeConstant: $0) }
    self.highPass = highPass.map { TimedFilter(timeConstant: $0) }
  }

  /// Whether there is a filter at all.
  package var isOn: Bool { lowPass != nil || highPass != nil }

  /// Filters a value that comes `interval` seconds after the one before.
  package mutating func callAsFunction(_ value: Double, after interval: Double) -> Double {
    let smooth = lowPass?(value, after: interval) ?? value
    return highPass?(smooth, after: interval) ?? smooth
  }
}

extension SensorField {
  /// Whether a filter makes sense: angles jump at half a turn, and the four words of a quaternion belong together.
  package var isFilterable: Bool { scale.unit != .degrees && !SensorMask.quat.contains(SensorMask(self)) }
}
