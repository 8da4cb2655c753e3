// The battery: how it drains, charges and complains.

import SpheroProtocol

/// The battery and the charger.
///
/// The voltage follows the charge in a straight line, 6.4 V empty and 8.4 V full; a real curve is not documented.
struct Battery: Hashable, Sendable {
  /// How full it is, 0...1.
  var charge: Double
  var isInCharger = false
  /// Trip points in hundredths of a volt (Sphero API 1.50, "Set Voltage Trip Points").
  var low: UInt16 = 700
  var critical: UInt16 = 650
  var charges: UInt16 = 37
  /// When it was last full, for ``Core/GetPowerState``.
  var lastCharged: Duration
  /// Whether the client wants notifications.
  var notifies = false
  private(set) var nextNotification = Duration.zero
  private var lastState: Core.PowerState?
  private var updated: Duration

  init(charge: Double, at now: Duration) {
    self.charge = min(max(charge, 0), 1)
    (lastCharged, updated) = (now, now)
  }

  /// Hundredths of a volt.
  var voltage: UInt16 { UInt16(clamping: Int((640 + 200 * charge).rounded())) }

  /// How it is.
  var state: Core.PowerState {
    if isInCharger { return .charging }
    if voltage < critical { return .critical }
    return voltage < low ? .low : .ok
  }

  /// Drains or charges for the time since the last call; `load` is what the motors take, 0...1.
  mutating func advance(to now: Duration, load: Double) {
    guard now > updated else { return }
    let seconds = (now - updated).seconds
    updated = now
    // An hour of full power, or six of lying awake, empty it; three hours fill it.
    let rate = isInCharger ? 1.0 / 10_800 : -(load / 3_600 + 1.0 / 21_600)
    charge = min(max(charge + rate * seconds, 0), 1)
    if charge == 1 { lastCharged = now }
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
