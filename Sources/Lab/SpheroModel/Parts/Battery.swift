// The battery: how it drains, charges and complains.

import SpheroProtocol

/// The battery and the charger.
///
/// The voltage follows the charge in a straight line, 6.4 V empty and 8.4 V full; a real curve is not documented.
struct Battery: Hashable, Sendable {
  /// How full it is, 0...1.
  var charge: Double
  private(set) var isInCharger = false
  /// Trip points in hundredths of a volt (Sphero API 1.50, "Set Voltage Trip Points").
  var low: UInt16 = 700
  var critical: UInt16 = 650
  private(set) var charges: UInt16 = 37
  /// Seconds awake since it was last in the charger, for ``Core/GetPowerState``.
  private(set) var secondsAwake = 0.0
  /// Whether the client wants notifications.
  var notifies = false
  private(set) var nextNotification = Duration.zero
  private var lastState: Core.PowerState?
  private var updated: Duration

  init(charge: Double, at now: Duration) {
    self.charge = charge.isNaN ? 0 : min(max(charge, 0), 1)
    updated = now
  }

  /// Hundredths of a volt.
  var voltage: UInt16 { UInt16(clamping: Int((640 + 200 * charge).rounded())) }

  /// How it is.
  var state: Core.PowerState {
    if isInCharger { return .charging }
    if voltage < critical { return .critical }
    return voltage < low ? .low : .ok
  }

  /// Puts it into the charger, or takes it out.
  mutating func setCharger(_ isIn: Bool) {
    guard isIn != isInCharger else { return }
    (isInCharger, secondsAwake) = (isIn, 0)
    if isIn, charges < .max { charges += 1 }
  }

  /// Drains or charges for the time since the last call.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - work: What the motors did since then: the seconds that both would have taken at full power.
  ///   - isAsleep: Whether the robot slept since then.
  mutating func advance(to now: Duration, work: Double, isAsleep: Bool) {
    guard now > updated else { return }
    let seconds = (now - updated).seconds
    updated = now
    // An hour of full power, six of lying awake or two months of sleep empty it; three hours fill it.
    let idle = isAsleep ? seconds / 5_184_000 : seconds / 21_600
    charge += isInCharger ? seconds / 10_800 : -(work / 3_600 + idle)
    charge = min(max(charge, 0), 1)
    if !isAsleep, !isInCharger { secondsAwake += seconds }
  }

  /// Switches notifications on or off; one comes at once.
  mutating func notify(_ isOn: Bool, at now: Duration) {
    (notifies, nextNotification, lastState) = (isOn, now, nil)
  }

  /// The notification that is due: every 10 s, and at once on a change.
  mutating func notification(at now: Duration) -> Core.PowerNotification? {
    guard notifies, now >= nextNotification || state != lastState else { return nil }
    nextNotification = now + .seconds(10)
    lastState = state
    return Core.PowerNotification(state: state)
  }
}

extension Duration {
  /// The length in seconds.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// The whole milliseconds in it.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds &* 1_000 &+ attoseconds / 1_000_000_000_000_000
  }

  /// A length in seconds; what is not finite or beyond some 290 years is cut.
  init(seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    self = .nanoseconds(nanoseconds.isNaN ? 0 : Int64(min(max(nanoseconds, -9.2e18), 9.2e18)))
  }
}
