// The battery, its states and notifications; and the temperature, which the work of the motors raises.

import SpheroLibc
import SpheroProtocol

/// The battery and the charger. The voltage is linear in the charge, since the documents give no curve.
struct Battery: Hashable, Sendable {
  /// The fraction of a full charge, 0...1.
  var charge: Double
  private(set) var isInCharger = false
  /// The voltages below which the battery is low or critical, in hundredths of a volt
  /// (Sphero API 1.50, "Set Voltage Trip Points").
  var low: UInt16 = 700
  var critical: UInt16 = 650
  /// The number of times that the robot was put into the charger; the first value is arbitrary.
  private(set) var charges: UInt16 = 37
  /// Seconds awake since it was last in the charger, for `Core.GetPowerState`.
  private(set) var secondsAwake = 0.0
  var notifies = false
  private(set) var nextNotification = Duration.zero
  private var lastState: Core.PowerState?
  /// The voltages of an empty and of a full battery, in volts.
  private let range: ClosedRange<Double>

  init(charge: Double, voltage range: ClosedRange<Double>) {
    (self.range, self.charge) = (range, charge.bounded(by: 0...1))
  }

  /// The voltage in hundredths of a volt.
  var voltage: UInt16 {
    UInt16(
      clamping: Int((100 * (range.lowerBound + (range.upperBound - range.lowerBound) * charge)).rounded()))
  }

  var state: Core.PowerState {
    if isInCharger { return .charging }
    if voltage < critical { return .critical }
    return voltage < low ? .low : .ok
  }

  mutating func setCharger(_ isIn: Bool) {
    (isInCharger, secondsAwake) = (isIn, 0)
    if isIn, charges < .max { charges += 1 }
  }

  /// Drains or charges for a time; `work` is that of the motors, in seconds of both motors at full power.
  mutating func advance(by seconds: Double, work: Double, isAsleep: Bool) {
    // A full battery lasts one hour for the motors at full power, six hours for a robot that is awake,
    // and 60 days for one that sleeps; the drains add up. Three hours in the charger fill an empty battery.
    let idle = isAsleep ? seconds / 5_184_000 : seconds / 21_600
    charge += isInCharger ? seconds / 10_800 : -(work / 3_600 + idle)
    charge = charge.bounded(by: 0...1)
    if !isAsleep, !isInCharger { secondsAwake += seconds }
  }

  /// Switches notifications on or off; the first one is due immediately.
  mutating func notify(_ isOn: Bool, at now: Duration) {
    (notifies, nextNotification, lastState) = (isOn, now, nil)
  }

  /// Returns the notification that is due: every 10 s, and immediately after a change of state.
  mutating func notification(at now: Duration) -> Core.PowerNotification? {
    guard notifies, now >= nextNotification || state != lastState else { return nil }
    nextNotification = now + .seconds(10)
    lastState = state
    return Core.PowerNotification(state: state)
  }
}

/// The temperature of the robot, for `Sensing.GetTemperature`; the documents do not define it.
struct Thermometer: Hashable, Sendable {
  /// The temperature of the air, and of the robot at the start, in degrees Celsius.
  static let air = 24.5
  /// Degrees Celsius.
  private(set) var degrees = air

  /// Updates the temperature after a time; `work` is that of the motors, in seconds of both motors at full power.
  mutating func advance(by seconds: Double, work: Double) {
    // Full power warms the robot by 15 degrees, with a time constant of ten minutes.
    let end = Self.air + 15 * min(work / seconds, 1)
    degrees += (end - degrees) * -expm1(-seconds / 600)
  }
}
