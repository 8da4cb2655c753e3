// How warm the robot is: its motors warm it, the air cools it.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// How warm the robot is, for ``Sensing/GetTemperature``.
///
/// No document says how warm one gets.
/// Here motors at full power warm it by 15 degrees, with a time constant of ten minutes, in air of 24.5 degrees.
struct Thermometer: Hashable, Sendable {
  private static let (air, warming, timeConstant) = (24.5, 15.0, 600.0)
  /// Degrees Celsius.
  private(set) var degrees = air
  private var updated: Duration

  init(at now: Duration) { updated = now }

  /// Warms or cools for the time since the last call.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - work: What the motors did since then: the seconds that both would have taken at full power.
  mutating func advance(to now: Duration, work: Double) {
    guard now > updated else { return }
    let seconds = (now - updated).seconds
    updated = now
    let end = Self.air + Self.warming * min(work / seconds, 1)
    degrees += (end - degrees) * -expm1(-seconds / Self.timeConstant)
  }
}
