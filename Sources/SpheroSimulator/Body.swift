// The body of the simulated robot: how it moves, and what its sensors feel of it.

import SpheroOrientation
import SpheroProtocol

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A ball that turns to its heading, gathers speed towards the one it was told, and feels both.
///
/// Simple on purpose: numbers change as a driver expects, no physics beyond that.
/// Frame: X to the right, Y forward, Z up; metres, seconds, degrees.
struct Body {
  /// Full speed in metres a second (Sphero API 1.50, "Roll": about 2 m/s).
  static let fullSpeed = 2.0
  /// How fast speed follows the command: the time for 63 % of the way.
  private static let speedTime = 0.35
  /// The fastest turn in degrees a second.
  private static let turnRate = 400.0
  private static let gravity = 9.80665
  private static let longestStep = 0.0025

  /// What the driver asked for, as a fraction of full speed.
  var targetSpeed = 0.0
  /// The heading asked for: degrees clockwise from the aim.
  var targetHeading = 0.0
  /// Whether the control system keeps the ball upright and on its heading.
  var isStabilized = true

  /// Metres a second over the floor, along the heading.
  private(set) var speed = 0.0
  /// Degrees clockwise from the aim.
  private(set) var heading = 0.0
  /// Place in metres: right and ahead of where it began.
  private(set) var position = (x: 0.0, y: 0.0)

  private var acceleration = 0.0
  private var turning = 0.0
  private var clock: Duration
  private var noise: SplitMix64

  init(at time: Duration, seed: UInt64) { (clock, noise) = (time, SplitMix64(state: seed)) }

  /// Makes the present orientation the given heading.
  mutating func setHeading(_ degrees: Double) { (heading, targetHeading) = (degrees, degrees) }

  /// Moves on to a time; a time gone by changes nothing.
  mutating func advance(to time: Duration) {
    guard time > clock else { return }
    let (whole, fraction) = (time - clock).components
    let seconds = Double(whole) + Double(fraction) * 1e-18
    clock = time
    // A long silence is crossed in coarser steps, so that an hour costs no more than ten seconds.
    let count = min(max(1, (seconds / Self.longestStep).rounded(.up)), 4_000)
    for _ in 0..<Int(count) { step(seconds / count) }
  }

  private mutating func step(_ seconds: Double) {
    let target = isStabilized ? targetSpeed * Self.fullSpeed : 0
    let change = (target - speed) * -expm1(-seconds / Self.speedTime)
    acceleration = change / seconds
    speed += change

    var turn = isStabilized ? (targetHeading - heading).remainder(dividingBy: 360) : 0
    let limit = Self.turnRate * seconds
    turn = min(max(turn, -limit), limit)
    turning = turn / seconds
    heading = (heading + turn).remainder(dividingBy: 360)

    let direction = heading * .pi / 180
    position.x += speed * sin(direction) * seconds
    position.y += speed * cos(direction) * seconds
  }

  /// The shell leans back while it gathers speed.
  private var attitude: Rotation {
    let lean = Angle(degrees: 10 * min(max(acceleration / 3, -1), 1))
    let yaw = Angle(degrees: -heading)
    return Convention.sphero.attitude(of: PitchRollYaw(pitch: lean, roll: Angle(degrees: 0), yaw: yaw))
      ?? .identity
  }

  /// One moment of the selected sensors, as words of the wire; reserved bits are zero words.
  mutating func sample(_ mask: SensorMask) -> Sample {
    let attitude = attitude
    let direction = heading * .pi / 180
    let pushed = Vector3(acceleration * sin(direction), acceleration * cos(direction), 0) * (1 / Self.gravity)
    let force = attitude.specificForce(acceleration: attitude.inverse.act(on: pushed))
    let rate = Vector3(0, 0, -turning)
    let angles = Convention.sphero.pitchRollYaw(of: attitude)
    let words = Convention.sphero.words(of: attitude)
    let motor = isStabilized ? targetSpeed : 0

    func value(_ field: SensorField) -> Double {
      switch field {
      case .accelRawX, .accelX: force.x + noise.next(within: 0.003)
      case .accelRawY, .accelY: force.y + noise.next(within: 0.003)
      case .accelRawZ, .accelZ: force.z + noise.next(within: 0.003)
      case .gyroRawX, .gyroX: rate.x + noise.next(within: 0.2)
      case .gyroRawY, .gyroY: rate.y + noise.next(within: 0.2)
      case .gyroRawZ, .gyroZ: rate.z + noise.next(within: 0.2)
      case .emfRawRight, .emfRawLeft, .emfRight, .emfLeft: speed * 100 / 22.5
      case .pwmLeft, .pwmRight: motor * 2047
      case .pitch: angles.pitch.degrees
      case .roll: angles.roll.degrees
      case .yaw: angles.yaw.degrees
      case .q0: words.q0
      case .q1: words.q1
      case .q2: words.q2
      case .q3: words.q3
      case .odometerX: position.x * 100
      case .odometerY: position.y * 100
      case .accelOne: force.length
      case .velocityX: speed * sin(direction) * 1000
      case .velocityY: speed * cos(direction) * 1000
      case .speed: speed.magnitude * 1000
      }
    }
    let bits = (UInt8(22)...63).reversed().filter { mask.rawValue >> UInt64($0) & 1 == 1 }
    return Sample(
      mask: mask,
      words: bits.map { bit in
        guard let field = SensorField(rawValue: bit) else { return 0 }
        let count = (value(field) / field.scale.perCount).rounded()
        return Int16(min(max(count, -32_768), 32_767))
      })
  }
}

/// A small generator of random numbers, the same for the same seed on every machine.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func next(within amplitude: Double) -> Double {
    Double.random(in: -amplitude...amplitude, using: &self)
  }
}
