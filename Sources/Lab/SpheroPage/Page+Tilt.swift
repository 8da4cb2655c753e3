// Tilt control: the orientation of the phone moves the puck of the joystick.

import SpheroControls
import SpheroHost
import SpheroOrientation
import SpheroProtocol

extension Page {
  /// The state of tilt control.
  struct Tilt: Sendable {
    /// The time limit for the first event of the browser.
    static let firstEventTimeout = Duration.seconds(1)

    /// The rotation that makes the gravity of the level attitude point straight down; nil before the first event.
    ///
    /// The level attitude is that of the first event, such as an upright one.
    var leveling: Rotation?
    var control = TiltControl()
    /// When tilt control ends without a first event; nil after it.
    var deadline: Duration?
  }

  /// Begins tilt control; the attitude of the next event is level.
  mutating func beginTilt() {
    guard connection.isOpen else { return }
    tilt = Tilt(deadline: now + Tilt.firstEventTimeout)
  }

  /// Ends tilt control; if the browser sent no event, reports that.
  mutating func endTilt(isSilent: Bool = false) {
    guard tilt != nil else { return }
    tilt = nil
    if stick.hand == .tilt { release() }
    guard isSilent else { return }
    reportError(
      "this device does not report its orientation", "Use the joystick, or open the page on a phone.")
  }

  /// Moves the puck of the joystick to the orientation of the phone.
  ///
  /// `gravity` is in g on the axes of the phone. If the screen has turned, the present attitude becomes level.
  mutating func handleTilt(gravity: Vector3, farEdge: TiltDrive.Edge) {
    guard var tilt, connection.isOpen else { return }
    defer { self.tilt = tilt }
    if tilt.leveling == nil || farEdge != tilt.control.conversion.farEdge {
      (tilt.leveling, tilt.deadline) = (Rotation(from: gravity, to: Vector3(0, 0, -1)), nil)
      tilt.control.conversion.farEdge = farEdge
    }
    guard let leveled = tilt.leveling?.act(on: gravity) else { return }
    tilt.control.conversion.velocityScale = stick.speed
    tilt.control.update(gravity: leveled, at: now)
    guard tilt.control.state(at: now) == .active else {
      if stick.hand == .tilt { release() }
      return
    }
    push(to: stick.joystick.puck(for: tilt.control.drive(at: now)), by: .tilt)
  }
}

extension TiltDrive.Edge {
  /// The edge away from the user at an angle of `screen.orientation`: 0, 90, 180 or 270; nil for others.
  init?(screenAngle: Double) {
    switch screenAngle {
    case 0: self = .top
    case 90: self = .right
    case 180: self = .bottom
    case 270: self = .left
    default: return nil
    }
  }
}
