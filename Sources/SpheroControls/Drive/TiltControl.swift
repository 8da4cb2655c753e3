// Driving by the tilt of a device: zero level, the axes at it, dead zone, and a stop without input.

public import SpheroOrientation

/// A control that drives a robot by the tilt of a device in a hand, such as a second robot or a phone.
///
/// The first reading is the zero level. From then on, ``TiltDrive`` converts the tilt to a drive request.
/// The control stops the robot
///
/// * if the newest reading is older than ``inputTimeout``,
/// * after ``interrupt()``, for example if the link to the device is lost,
/// * if the device is tilted by 90 degrees or more, for example because it fell.
///
/// After a gap of up to ``longestGap`` between two readings, it continues with the next reading.
/// After any other stop, it drives again only after a reading in the dead zone around the zero level.
///
///     var control = TiltControl()
///     control.update(gravity: Vector3(0, 0, -1), at: .zero)
///     control.update(gravity: Vector3(0.2, 0, -0.98), at: .milliseconds(25))
///     control.drive(at: .milliseconds(50))   // to the right
///     control.drive(at: .milliseconds(500))  // stop
public struct TiltControl: Hashable, Sendable {
  /// Whether tilt can drive the robot, and the reason if it cannot.
  public enum State: Hashable, Sendable {
    /// There is no reading, or the newest one is older than ``longestGap``.
    case waiting
    /// The zero level is not set, because the forward axis is vertical, or the reading has no direction.
    case unusable
    /// The input was interrupted; the device must be level before it drives again.
    case interrupted
    /// Tilt drives the robot; while the newest reading is older than ``inputTimeout``, by a stop.
    case active
  }

  /// The age above which a reading has no effect: 0.2 s, or eight readings at 40 Hz.
  public static let inputTimeout = Duration.milliseconds(200)

  /// The longest time between two readings after which the control continues: 0.5 s, beyond the delays of a link.
  public static let longestGap = Duration.milliseconds(500)

  /// The fraction of the maximum tilt without response: 5 of 25 degrees, which a hand at rest does not exceed.
  public static let deadZone = 0.2

  /// The conversion of the tilt; its neutral tilt is relative to the zero level.
  public var conversion: TiltDrive

  private var frame: LevelFrame?
  private var current = Drive.stop
  private var lastTime: Duration?
  private var lastState = State.waiting

  public init(_ conversion: TiltDrive = TiltDrive(response: ResponseCurve(deadZone: deadZone))) {
    self.conversion = conversion
  }

  /// Makes the attitude at the next reading the zero level.
  public mutating func setZero() { (frame, current) = (nil, .stop) }

  /// Handles a reading: gravity in device coordinates (x right, y ahead, z up) in g, and the time of its arrival.
  ///
  /// The time is on the monotonic clock of ``drive(at:)``. It is not the time of the measurement, because readings
  /// that arrive together after a stall of the line do not replace the input that was missing.
  /// A reading that is older than the last one or not finite is ignored.
  public mutating func update(gravity: Vector3, at time: Duration) {
    guard gravity.isFinite, lastTime.map({ time >= $0 }) ?? true else { return }
    if age(at: time) > Self.longestGap { interrupt() }
    lastTime = time
    guard let frame = frame ?? LevelFrame(level: gravity) else {
      (current, lastState) = (.stop, .unusable)
      return
    }
    if self.frame == nil { (self.frame, lastState) = (frame, .active) }
    let level = frame.components(of: gravity)
    let next = conversion.drive(gravityX: level.x, y: level.y, z: level.z)
    if level.z >= 0 {
      interrupt()
    } else {
      // With a velocity scale of 0, every drive is a stop, which would not show whether the device is level.
      var unscaled = conversion
      unscaled.velocityScale = 1
      if unscaled.drive(gravityX: level.x, y: level.y, z: level.z) == .stop { lastState = .active }
    }
    current = lastState == .active ? next : .stop
  }

  /// Stops until the device is level, within the dead zone.
  public mutating func interrupt() {
    current = .stop
    if lastState == .active { lastState = .interrupted }
  }

  /// Returns the state at a time, which depends on the age of the newest reading.
  public func state(at now: Duration) -> State {
    age(at: now) > Self.longestGap ? .waiting : lastState
  }

  /// Returns the drive request at a time.
  public func drive(at now: Duration) -> Drive { age(at: now) > Self.inputTimeout ? .stop : current }

  /// The age of the newest reading; 0 without one.
  private func age(at now: Duration) -> Duration { lastTime.map { now - $0 } ?? .zero }
}

/// The axes of a device at the attitude in which a hand holds it: right, ahead and up.
///
/// Up is opposite to gravity, and ahead is the horizontal component of the device's forward axis (+y), which points
/// away from the user if the tail light of a ball faces the user. Neither the heading nor its drift has an effect.
public struct LevelFrame: Hashable, Sendable {
  /// The smallest angle in degrees between the forward axis and the vertical.
  public static let minimumAngle = 15.0

  private let right: Vector3
  private let ahead: Vector3
  private let up: Vector3

  /// Creates the frame that is level under a gravity vector in device coordinates, in any unit.
  ///
  /// Nil if the vector is zero or not finite, or if the forward axis is within ``minimumAngle`` of the vertical.
  public init?(level gravity: Vector3) {
    guard let up = (-gravity).normalized else { return nil }
    let horizontal = Axis.y.vector - up * up.y
    guard horizontal.length >= sine(degrees: Self.minimumAngle), let ahead = horizontal.normalized else {
      return nil
    }
    (self.right, self.ahead, self.up) = (ahead.cross(up), ahead, up)
  }

  /// Converts a vector from device coordinates to the axes right, ahead and up of this frame.
  public func components(of vector: Vector3) -> Vector3 {
    Vector3(vector.dot(right), vector.dot(ahead), vector.dot(up))
  }
}
