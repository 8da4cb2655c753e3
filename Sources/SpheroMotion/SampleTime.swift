// The times that a sample can have beside the robot's own.

package import SpheroHost
package import SpheroProtocol

/// A time of a sample beside the robot's own.
package enum SampleTime: String, CaseIterable, Sendable {
  /// When the sample was measured, since 1970.
  case wall
  /// When its packet came, since the first packet did.
  case arrival

  /// The time of a sample.
  package func value(of sample: TimedSample) -> FieldValue {
    switch self {
    case .wall: .seconds(sample.wallClock == .zero ? nil : sample.wallClock)
    case .arrival: .seconds(sample.arrival)
    }
  }
}
