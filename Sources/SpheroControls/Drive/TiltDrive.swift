// Tilt control: the robot rolls in the direction in which a ball on the screen of the device would roll.

/// A control that converts the tilt of a device to a direction and a speed.
///
///     tilt    = asin(√(forward² + right²))         in degrees
///     heading = atan2(right, forward)
///     speed   = response(min(1, tilt / maximumTilt)) · velocityScale
///
/// `forward` and `right` are the components of gravity in g towards the far and the right edge of the device,
/// after a rotation by the neutral tilt; each is positive if its edge is lowered.
/// This is the tilt algorithm of the Sphero Android SDK, with its stop position as ``neutralTilt``.
/// `RKTiltDriveAlgorithm` of the iOS SDK calls the settings `maximumTilt`, `stopOffset` and `orientationAngle`.
/// A level device has no direction and stops; the vendor's SDKs return heading 0 instead.
public struct TiltDrive: Hashable, Sendable {
  /// An edge of the screen; `top` is up in portrait orientation.
  public enum Edge: Hashable, Sendable, CaseIterable {
    /// The edge at +y of the device, away from the user in portrait; the other cases follow clockwise.
    case top
    /// The right edge, up in landscape orientation.
    case right
    /// The edge that is down in portrait orientation.
    case bottom
    /// The left edge, up in the other landscape orientation.
    case left

    /// Returns the components of a vector in device coordinates towards this edge, and towards the one clockwise of it.
    package func components(ofX x: Double, y: Double) -> (far: Double, right: Double) {
      switch self {
      case .top: (y, x)
      case .right: (x, -y)
      case .bottom: (-y, -x)
      case .left: (-x, y)
      }
    }
  }

  /// The edge that points away from the user: `top` in portrait, `right` in the landscape of the Android SDK.
  public var farEdge: Edge

  /// The tilt in degrees from which the speed is ``velocityScale``; 25 in the Android SDK. Zero or less always stops.
  public var maximumTilt: Double

  /// The zero point of the tilt: the angle in degrees by which the far edge is raised when the robot stops.
  public var neutralTilt: Double

  /// The speed at the maximum tilt, clamped to 0...1; NaN counts as 0.
  public var velocityScale: Double

  /// The curve of the speed; its dead zone is a fraction of the maximum tilt.
  public var response: ResponseCurve

  public init(
    farEdge: Edge = .top, maximumTilt: Double = 25, neutralTilt: Double = 0,
    velocityScale: Double = Drive.defaultVelocityScale, response: ResponseCurve = .linear
  ) {
    (self.farEdge, self.maximumTilt, self.neutralTilt) = (farEdge, maximumTilt, neutralTilt)
    (self.velocityScale, self.response) = (velocityScale, response)
  }

  /// Returns the drive request for an Android accelerometer reading.
  ///
  /// The reading is the specific force in m/s², divided by 9.81 as in the Android SDK; z is +9.81 at rest with the screen up.
  /// Returns a stop if a reading, ``maximumTilt`` or ``neutralTilt`` is not finite.
  public func drive(specificForceX x: Double, y: Double, z: Double) -> Drive {
    drive(gravityX: -x / 9.81, y: -y / 9.81, z: -z / 9.81)
  }

  /// Returns the drive request for gravity in g, as in Core Motion and `UIAccelerometer`: z is -1 with the screen up.
  ///
  /// Returns a stop if a reading, ``maximumTilt`` or ``neutralTilt`` is not finite.
  public func drive(gravityX x: Double, y: Double, z: Double) -> Drive {
    guard z.isFinite, neutralTilt.isFinite, maximumTilt.isFinite, maximumTilt > 0 else { return .stop }
    // The components of gravity in g towards the far and the right edge of the device; z is negative with the screen up.
    let (far, right) = farEdge.components(ofX: x, y: y)
    // A rotation about the right axis; a neutral tilt of 0 does not change `far`.
    let forward = far * cosine(degrees: neutralTilt) - z * sine(degrees: neutralTilt)
    guard let push = Deflection(x: right, y: forward) else { return .stop }
    let tilt = degrees(sine: push.magnitude)
    let speed = response.response(to: tilt / maximumTilt) * velocityScale.clampedToUnit
    return speed > 0 ? Drive(heading: push.heading, speed: speed) : .stop
  }
}
