// Tilt driving: the robot rolls where a ball on the screen of the device would.

/// Drives by the tilt of a device: down is ahead, and steeper is faster.
///
///     tilt    = asin(√(forward² + right²))         of the specific force in g
///     heading = atan2(right, forward)
///     speed   = response(min(1, tilt / maximumTilt)) · velocityScale
///
/// where forward and right are how far the far and the right edge, as the hand holds the device, are lowered.
/// This is the tilt algorithm of the Sphero Android SDK, with its stop position as ``neutralTilt``.
/// `RKTiltDriveAlgorithm` of the iOS SDK names the same parts
/// `maximumTilt`, `stopOffset` and `orientationAngle`; its code is not public.
/// A level device has no direction and stops, where the originals gave out heading 0.
public struct TiltDrive: Hashable, Sendable {
  /// An edge of the screen, as printed on the device: upright in portrait, `top` is up.
  public enum Edge: Hashable, Sendable, CaseIterable {
    /// The edge at +y of the device; away from the hand in portrait.
    case top
    /// The edge at +x of the device.
    case right
    /// The edge at -y of the device.
    case bottom
    /// The edge at -x of the device.
    case left
  }

  /// The edge that points away from the hand: `top` in portrait, `right` in the landscape of the Android SDK.
  public var farEdge: Edge

  /// The tilt in degrees that gives the full speed, above 0; 25 in the Android SDK.
  public var maximumTilt: Double

  /// The angle in degrees by which the far edge is raised when the hand rests; the drive counts from there.
  public var neutralTilt: Double

  /// The speed at the maximum tilt, 0...1; other values count as the nearest of these, not a number as 0.
  public var velocityScale: Double

  /// How the speed grows with the tilt; its dead zone is a part of the maximum tilt.
  public var response: ResponseCurve

  /// Creates a tilt drive.
  ///
  /// - Parameters:
  ///   - farEdge: The edge that points away from the hand.
  ///   - maximumTilt: The tilt in degrees that gives the full speed, above 0.
  ///   - neutralTilt: The angle in degrees by which the far edge is raised when the hand rests.
  ///   - velocityScale: The speed at the maximum tilt, 0...1.
  ///   - response: How the speed grows with the tilt.
  public init(
    farEdge: Edge = .top, maximumTilt: Double = 25, neutralTilt: Double = 0, velocityScale: Double = 1,
    response: ResponseCurve = .linear
  ) {
    self.farEdge = farEdge
    self.maximumTilt = maximumTilt
    self.neutralTilt = neutralTilt
    self.velocityScale = velocityScale
    self.response = response
  }

  /// Returns the drive for a reading of an Android accelerometer.
  ///
  /// The reading is the specific force in m/s², divided by 9.81 as in the Android SDK: face up at rest, z is +9.81.
  /// A reading or a setting that is not a finite number stops.
  public func drive(specificForceX x: Double, y: Double, z: Double) -> Drive {
    drive(raisedX: x / 9.81, y: y / 9.81, z: z / 9.81)
  }

  /// Returns the drive for a direction of gravity in g, as Core Motion and `UIAccelerometer` give it.
  ///
  /// Face up at rest, z is -1.
  /// A reading or a setting that is not a finite number stops.
  public func drive(gravityX x: Double, y: Double, z: Double) -> Drive {
    drive(raisedX: -x, y: -y, z: -z)
  }

  private func drive(raisedX x: Double, y: Double, z: Double) -> Drive {
    guard z.isFinite, neutralTilt.isFinite, maximumTilt.isFinite, maximumTilt > 0 else { return .stop }
    let (far, right) = lowered(x: x, y: y)
    // Exact for the usual neutral tilt of 0, and the rotation about the right axis otherwise.
    let forward = far * cosine(degrees: neutralTilt) + z * sine(degrees: neutralTilt)
    guard let push = Deflection(x: right, y: forward) else { return .stop }
    let tilt = degrees(sine: push.magnitude)
    let speed = response.effect(of: tilt / maximumTilt) * velocityScale.clampedToUnit
    return speed > 0 ? Drive(heading: push.heading, speed: speed) : .stop
  }

  /// How far the far edge and the right edge of the held device are lowered, in g.
  private func lowered(x: Double, y: Double) -> (far: Double, right: Double) {
    switch farEdge {
    case .top: (-y, -x)
    case .right: (-x, y)
    case .bottom: (y, x)
    case .left: (x, -y)
    }
  }
}
