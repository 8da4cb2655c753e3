// Collision detection with the thresholds that a client has set.

import SpheroProtocol

/// Detects impacts in the acceleration.
///
/// The documents state no unit of the thresholds. Here, an acceleration of 1 g has a power of 145,
/// as in the only recorded impact: a peak of -962 counts of 1/4096 g with a power of 34.
/// Sphero API 1.50, "Configure Collision Detection"; Collision detection 1.2.
struct CollisionDetector: Hashable, Sendable {
  /// The power of an acceleration of 1 g.
  private static let powerPerG = 145.0
  /// The default range of the accelerometer, in g.
  private static let range = 8.0
  /// The settings; a change does not end the dead time, so that the robot does not report one impact twice.
  var settings = Sensing.ConfigureCollisionDetection(method: .off)
  /// The end of the dead time after the last impact, in which the robot detects no impact.
  private var inactiveUntil = Duration.zero

  var isOn: Bool { settings.method != .off }

  /// Compares the present acceleration with the thresholds.
  ///
  /// - Parameters:
  ///   - right: The acceleration to the right in g, without gravity.
  ///   - ahead: The acceleration ahead in g, without gravity.
  ///   - speed: The speed before the impact, 0...1 of full speed.
  ///   - now: The present time.
  ///   - clock: The robot's clock in milliseconds, for the event.
  /// - Returns: The event if a threshold is exceeded.
  mutating func detect(right: Double, ahead: Double, speed: Double, at now: Duration, clock: UInt32)
    -> Sensing.Collision?
  {
    guard isOn, now >= inactiveUntil else { return nil }
    let speed = min(max(speed, 0), 1)
    let (right, ahead) = (Self.clipped(right), Self.clipped(ahead))
    var event = Sensing.Collision()
    func power(_ value: Double) -> Int16 { Int16(min((abs(value) * Self.powerPerG).rounded(), 32_767)) }
    func exceeds(_ power: Int16, _ threshold: UInt8, _ atFullSpeed: UInt8) -> Bool {
      threshold > 0 && Double(power) > Double(threshold) + Double(atFullSpeed) * speed
    }
    (event.xMagnitude, event.yMagnitude) = (power(right), power(ahead))
    if exceeds(event.xMagnitude, settings.xThreshold, settings.xSpeed) { event.axis.insert(.x) }
    if exceeds(event.yMagnitude, settings.yThreshold, settings.ySpeed) { event.axis.insert(.y) }
    guard !event.axis.isEmpty else { return nil }
    // An impact from the right or the front accelerates the robot to the left or back; its peak is positive.
    func peak(_ value: Double) -> Int16 { Int16(min(max((-value * 4096).rounded(), -32_768), 32_767)) }
    // z remains 0, as in the document and in the recorded impact; some clients discard other events.
    (event.x, event.y) = (peak(right), peak(ahead))
    event.speed = UInt8((speed * 255).rounded())
    event.timestamp = clock
    inactiveUntil = now + .milliseconds(10 * Int(settings.deadTime))
    return event
  }

  private static func clipped(_ value: Double) -> Double { min(max(value, -range), range) }
}
