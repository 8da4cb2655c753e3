// The battery as a head line shows it.

package import SpheroProtocol

extension Core.GetPowerState.Response {
  /// Voltage and state for a head line.
  package var summary: (text: String, weight: Monitor.Weight) {
    let volts = FieldValue.integer(Int64(voltage), .centivolts)
    return ("\(volts) \(state.description)", state.weight)
  }
}

extension Core.PowerState {
  /// How much it matters.
  package var weight: Monitor.Weight {
    switch self {
    case .low: .warning
    case .critical: .alarm
    default: .note
    }
  }
}
