// Collision detection by the thresholds of a client.

import SpheroProtocol

/// Detects impacts by the thresholds of a client (Sphero API 1.50, "Configure Collision Detection").
struct CollisionDetector: Hashable, Sendable {
  /// The power of an impact for 1 g, whose unit no document states: the only recorded impact has a peak of -962 counts
  /// of 1/4096 g and a power of 34.
  private static let powerPerG = 145.0
  /// The thresholds; a change does not end the dead time, so that the robot does not report one impact twice.
  var settings = Sensing.ConfigureCollisionDetection(method: .off)
  private var deadTimeEnd = Duration.zero

  var isOn: Bool { settings.method != .off }

  /// Returns the event if the accelerations `right` and `ahead`, in g without gravity, exceed a threshold.
  /// The accelerometer measures them within `range`.
  ///
  /// `speed` before the impact is a fraction of full speed, 0...1; `clock` is the time for the event in milliseconds.
  mutating func detect(
    right: Double, ahead: Double, within range: ClosedRange<Double>, speed: Double, at now: Duration,
    clock: UInt32
  ) -> Sensing.Collision? {
    guard isOn, now >= deadTimeEnd else { return nil }
    let speed = min(max(speed, 0), 1)
    let (right, ahead) = (right.bounded(by: range), ahead.bounded(by: range))
    var event = Sensing.Collision()
    func power(_ value: Double) -> Int16 { Int16((abs(value) * Self.powerPerG).rounded()) }
    func exceeds(_ power: Int16, _ threshold: UInt8, _ atFullSpeed: UInt8) -> Bool {
      threshold > 0 && Double(power) > Double(threshold) + Double(atFullSpeed) * speed
    }
    (event.xMagnitude, event.yMagnitude) = (power(right), power(ahead))
    if exceeds(event.xMagnitude, settings.xThreshold, settings.xSpeed) { event.axis.insert(.x) }
    if exceeds(event.yMagnitude, settings.yThreshold, settings.ySpeed) { event.axis.insert(.y) }
    guard !event.axis.isEmpty else { return nil }
    // The peak points to the obstacle, against the acceleration.
    func peak(_ value: Double) -> Int16 { Int16(clamping: Int((-value * 4096).rounded())) }
    // z is 0 in the document and in the recorded impact; some clients discard events with another value.
    (event.x, event.y) = (peak(right), peak(ahead))
    event.speed = UInt8((speed * 255).rounded())
    event.timestamp = clock
    deadTimeEnd = now + .milliseconds(10 * Int(settings.deadTime))
    return event
  }
}
