// Where a robot says that it is, as the control laws take it.

package import SpheroControls
package import SpheroHost
import SpheroOrientation
package import SpheroProtocol

extension Odometry {
  /// What a robot has to stream for a reading.
  package static let mask = SensorMask(.yaw).union([.odometer, .velocity])

  /// Takes what a robot streams; nil where a field was not asked for.
  package init?(_ sample: TimedSample) {
    let values = sample.sample
    guard let yaw = values[.yaw], let x = values[.odometerX], let y = values[.odometerY],
      let right = values[.velocityX], let ahead = values[.velocityY],
      let heading = Heading(yaw: .degrees(yaw))
    else { return nil }
    // Millimetres a second on the wire.
    self.init(
      time: sample.hostTime / .seconds(1), position: Position(x: x, y: y),
      velocity: Position(x: right / 10, y: ahead / 10), heading: heading)
  }
}
