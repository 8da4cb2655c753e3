// A ball with a carriage inside: how it rolls, turns, leans, slips and bounces.

public import SpheroOrientation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A ball with a carriage inside, which two wheels drive.
///
/// Frame: x to the right and y ahead of the floor's origin, z up; metres, seconds, radians;
/// yaw counter-clockwise, 0 where the nose points along y.
/// It moves in steps of ``stepLength``; the same steps give the same motion on every machine with the same libm.
public struct Body: Hashable, Sendable {
  /// What drives the wheels.
  public enum Effort: Hashable, Sendable {
    /// Nothing: the ball rolls freely.
    case none
    /// The control system: a speed in m/s on a yaw, turning at most so fast, in radians a second.
    case controlled(speed: Double, yaw: Double, turnRate: Double)
    /// Each wheel by itself: a duty of -1...1, or nil for an open motor.
    case wheels(left: Double?, right: Double?)
  }

  /// A number for each wheel.
  struct Wheels: Hashable, Sendable {
    var left = 0.0
    var right = 0.0
  }

  /// How long a step is: the control loop runs at 400 Hz (Sphero API 1.50).
  public static let stepLength = 0.0025
  /// Full speed in m/s (Sphero API 1.50, "Roll").
  public static let fullSpeed = 2.0
  /// The radius of the ball in metres.
  public static let radius = 0.037
  static let gravity = 9.80665
  /// Wheels this far apart turn the carriage as fast as seen: both ways at full speed, some 1500 degrees a second.
  static let track = 0.15
  /// How fast the control system gathers speed and brakes, in m/s².
  private static let (thrust, braking) = (4.0, 5.0)
  private static let turnAcceleration = 400.0
  /// The lean that goes with an acceleration, in radians for each m/s², and the most of it.
  private static let (leanGain, steepestLean) = (0.058, 0.5)
  private static let leanFrequency = 2 * Double.pi * 4
  /// How long a bump lasts for the accelerometer, in steps.
  private static let bumpSteps = 8

  /// What drives the wheels.
  public var effort = Effort.controlled(speed: 0, yaw: 0, turnRate: 1)
  /// How much stronger than usual the motors pull.
  var boost = 1.0
  /// The attitude in which a hand holds it, or nil on the floor.
  private(set) var hold: Rotation?
  /// How a hand shakes it: m/s² along x, y, z of the room.
  private(set) var shaking = Vector3.zero

  /// Where it is.
  public internal(set) var position: Planar
  /// How it moves over the floor.
  public internal(set) var velocity = Planar.zero
  /// How fast the wheels roll it, in m/s along its nose; not ``velocity`` where it slips.
  public internal(set) var rimSpeed = 0.0
  /// Where its nose points.
  public private(set) var yaw: Double
  /// How fast it turns.
  public private(set) var yawRate = 0.0
  /// How it is turned in the room.
  public private(set) var attitude: Rotation
  /// How fast it turns, about its own axes.
  public private(set) var angularVelocity = Vector3.zero
  /// How it was accelerated in the last step, in m/s² along x, y, z of the room, without gravity.
  public private(set) var acceleration = Vector3.zero
  /// The way it has rolled, in metres.
  private(set) var distance = 0.0

  private var pitch = 0.0
  private var pitchRate = 0.0
  private var roll = 0.0
  private var rollRate = 0.0
  private var wheels = Wheels()
  /// The acceleration of the last step without bumps.
  private var push = Planar.zero
  private var bump = Planar.zero
  private var bumpStepsLeft = 0
  /// What impacts of this step did to the velocity.
  private var struck = Planar.zero
  /// How fast it was when it was hit last.
  private var speedAtImpact = 0.0

  /// Puts a ball on the floor.
  public init(at position: Planar = .zero, yaw: Double = 0) {
    (self.position, self.yaw) = (position, yaw)
    effort = .controlled(speed: 0, yaw: yaw, turnRate: 1)
    attitude = Rotation(rotationVector: Vector3(0, 0, yaw)) ?? .identity
  }

  /// Along its nose.
  public var forward: Planar { Planar(-sin(yaw), cos(yaw)) }

  /// Whether nothing moves and nothing is about to.
  public var isResting: Bool {
    guard velocity == .zero, rimSpeed == 0, yawRate == 0, hold == nil, shaking == .zero else { return false }
    guard pitch == 0, roll == 0, pitchRate == 0, rollRate == 0, bumpStepsLeft == 0 else { return false }
    guard angularVelocity == .zero, acceleration == .zero else { return false }
    switch effort {
    case .none: return true
    case .controlled(let speed, let target, _): return speed == 0 && target == yaw
    case .wheels(let left, let right): return (left ?? 0) == 0 && (right ?? 0) == 0
    }
  }

  /// Moves on by a step.
  public mutating func step(on floor: Floor) {
    let dt = Self.stepLength
    let before = (velocity: velocity, attitude: attitude)
    struck = .zero
    if let hold {
      follow(hold, dt)
    } else {
      turn(dt)
      roll(on: floor, dt)
      let place = position
      position += velocity * dt
      distance += velocity.length * dt
      keepOff(floor, from: place)
      feel(before.velocity, dt)
      lean(floor.slope, dt)
      settle(floor.slope)
      attitude = Self.attitude(yaw: yaw, pitch: pitch, roll: roll)
    }
    angularVelocity = (before.attitude.inverse * attitude).rotationVector / dt
    if angularVelocity.length < 1e-7 { angularVelocity = .zero }
  }

  private static func attitude(yaw: Double, pitch: Double, roll: Double) -> Rotation {
    func turn(_ x: Double, _ y: Double, _ z: Double) -> Rotation {
      Rotation(rotationVector: Vector3(x, y, z)) ?? .identity
    }
    let level = turn(0, 0, yaw)
    return pitch == 0 && roll == 0 ? level : level * turn(pitch, 0, 0) * turn(0, roll, 0)
  }
}

// MARK: - Turning and rolling

extension Body {
  private mutating func turn(_ dt: Double) {
    switch effort {
    case .none:
      yawRate *= exp(-dt / 0.2)
      if abs(yawRate) < 1e-4 { yawRate = 0 }
    case .controlled(_, let target, let limit):
      let way = (target - yaw).remainder(dividingBy: 2 * .pi)
      // As fast as it can still brake in time.
      let fastest = min(limit, (1.4 * Self.turnAcceleration * abs(way)).squareRoot(), abs(way) / (2 * dt))
      let wanted = way < 0 ? -fastest : fastest
      let most = Self.turnAcceleration * dt
      yawRate += min(max(wanted - yawRate, -most), most)
      if abs(way) < 1e-5, abs(yawRate) < 0.01 { (yaw, yawRate) = (target, 0) }
    case .wheels: yawRate = (wheels.right - wheels.left) / Self.track
    }
    yaw += yawRate * dt
    if abs(yaw) > 1e3 { yaw = yaw.remainder(dividingBy: 2 * .pi) }
  }

  private mutating func roll(on floor: Floor, _ dt: Double) {
    switch effort {
    case .none:
      // A free ball rolls down the slope, and slows down slowly.
      velocity += floor.slope * (5.0 / 7 * dt)
      let friction = 0.15 * dt
      velocity = velocity.length <= friction ? .zero : velocity * (1 - friction / velocity.length)
      rimSpeed = velocity.dot(forward)
      wheels = Wheels(left: rimSpeed, right: rimSpeed)
      return
    case .controlled(let target, _, _):
      let wanted = (target - rimSpeed) / 0.12
      let isBraking = abs(target) < abs(rimSpeed)
      let most = isBraking ? Self.braking : Self.thrust * boost
      rimSpeed += min(max(wanted, -most), most) * dt
      if abs(target - rimSpeed) < 1e-4 { rimSpeed = target }
      let half = yawRate * Self.track / 2
      wheels = Wheels(left: rimSpeed - half, right: rimSpeed + half)
    case .wheels(let left, let right):
      func driven(_ speed: Double, _ duty: Double?) -> Double {
        guard let duty else { return speed * exp(-dt / 1.5) }
        return speed + (duty * Self.fullSpeed - speed) * -expm1(-dt / 0.25)
      }
      wheels = Wheels(left: driven(wheels.left, left), right: driven(wheels.right, right))
      if abs(wheels.left) + abs(wheels.right) < 1e-3, (left ?? 0) == 0, (right ?? 0) == 0 {
        wheels = Wheels()
      }
      rimSpeed = (wheels.left + wheels.right) / 2
    }
    // Friction takes the ball along with its shell, as far as the floor grips.
    velocity += floor.slope * dt
    let missing = forward * rimSpeed - velocity
    let most = floor.grip * Self.gravity * dt
    velocity += missing.length <= most ? missing : missing * (most / missing.length)
  }

  /// What the back EMF of a motor stands for, in m/s; the left wheel and the right one.
  var wheelSpeeds: Wheels { wheels }

  /// The duty of each motor, -1...1.
  var duties: Wheels {
    switch effort {
    case .none: return Wheels()
    case .controlled(let speed, _, _):
      let thrust = 0.2 * (speed - rimSpeed)
      return Wheels(
        left: Self.clamped((wheels.left + thrust) / Self.fullSpeed),
        right: Self.clamped((wheels.right + thrust) / Self.fullSpeed))
    case .wheels(let left, let right): return Wheels(left: left ?? 0, right: right ?? 0)
    }
  }

  private static func clamped(_ value: Double) -> Double { min(max(value, -1), 1) }
}

// MARK: - Leaning, and what is felt

extension Body {
  private mutating func feel(_ velocityBefore: Planar, _ dt: Double) {
    var change = velocity - velocityBefore - struck
    push = change / dt
    // A bump is spread over its length, which is longer than a step.
    if bumpStepsLeft > 0 {
      change += bump / Double(Self.bumpSteps)
      bumpStepsLeft -= 1
    }
    acceleration = Vector3(change.x / dt, change.y / dt, 0) + shaking
    if acceleration.length < 1e-9 { acceleration = .zero }
  }

  /// The carriage climbs where the ball is to be pushed, as a pendulum of 4 Hz that does not swing back.
  private mutating func lean(_ slope: Planar, _ dt: Double) {
    // A bump is over before the carriage moves.
    let pushed = push - slope
    func target(_ push: Double) -> Double {
      min(max(push * Self.leanGain, -Self.steepestLean), Self.steepestLean)
    }
    let right = -forward.left
    let frequency = Self.leanFrequency
    func swing(_ angle: inout Double, _ rate: inout Double, to target: Double) {
      rate += (frequency * frequency * (target - angle) - 2 * frequency * rate) * dt
      angle += rate * dt
    }
    swing(&pitch, &pitchRate, to: target(pushed.dot(forward)))
    swing(&roll, &rollRate, to: -target(pushed.dot(right)))
  }

  /// Comes to rest where next to nothing moves.
  private mutating func settle(_ slope: Planar) {
    guard velocity == .zero, rimSpeed == 0, acceleration == .zero, yawRate == 0, slope == .zero else {
      return
    }
    guard abs(pitch) + abs(roll) < 1e-5, abs(pitchRate) + abs(rollRate) < 1e-4 else { return }
    (pitch, roll, pitchRate, rollRate) = (0, 0, 0, 0)
  }

  /// How far the carriage leans from upright, in radians.
  var tilt: Double { attitude.tilt.radians }
}

// MARK: - Impacts

extension Body {
  /// The hardest knock that is taken, in m/s: a faster ball would pass a wall between two steps.
  private static let fastest = 10.0

  /// Bounces off the walls that it touches, and passes none.
  ///
  /// - Parameters:
  ///   - floor: The floor with its walls.
  ///   - place: Where it was before it moved; it goes back there where walls and other balls leave no other way.
  mutating func keepOff(_ floor: Floor, from place: Planar) {
    guard hold == nil else { return }
    for wall in floor.walls { keepOff(wall, floor.bounce) }
    if floor.walls.contains(where: { $0.separates(place, position) }) { position = place }
  }

  private mutating func keepOff(_ wall: Floor.Wall, _ bounce: Double) {
    let nearest = wall.nearest(to: position)
    let away = position - nearest
    let distance = away.length
    guard distance < Self.radius else { return }
    let fallback = (wall.end - wall.start).left
    let normal =
      distance > 1e-9 ? away / distance : (fallback.length > 0 ? fallback / fallback.length : Planar(0, 1))
    position = nearest + normal * Self.radius
    let approach = velocity.dot(normal)
    if approach < 0 { hit(normal * (-(1 + bounce) * approach)) }
  }

  /// Takes a change of velocity at once.
  mutating func hit(_ change: Planar) {
    guard change.isFinite, hold == nil else { return }
    let change = change.length <= 2 * Self.fastest ? change : change * (2 * Self.fastest / change.length)
    if bumpStepsLeft == 0 { speedAtImpact = velocity.length }
    bump = bump * (Double(bumpStepsLeft) / Double(Self.bumpSteps)) + change
    (bumpStepsLeft, struck) = (Self.bumpSteps, struck + change)
    velocity += change
    if velocity.length > Self.fastest { velocity *= Self.fastest / velocity.length }
    // The shell does not slip through an impact.
    rimSpeed = velocity.dot(forward)
    wheels = Wheels(left: rimSpeed, right: rimSpeed)
  }

  /// How fast it was before the bump that it feels, or is now, in m/s.
  var speedBeforeBump: Double { bumpStepsLeft > 0 ? speedAtImpact : abs(rimSpeed) }

  /// Moves it, keeping all else.
  mutating func move(to place: Planar) { position = place }

  /// Shakes it: m/s² along x, y, z of the room, cut to what a hand can do; zero ends that.
  mutating func shake(_ acceleration: Vector3) {
    let most = 1_000.0
    func cut(_ value: Double) -> Double { min(max(value, -most), most) }
    shaking =
      acceleration.isFinite ? Vector3(cut(acceleration.x), cut(acceleration.y), cut(acceleration.z)) : .zero
  }
}

// MARK: - In the hand

extension Body {
  /// Takes it up and turns it to an attitude; nil puts it down as it points now.
  mutating func hold(_ pose: Rotation?) {
    if pose == nil {
      guard hold != nil else { return }
      // The carriage swings upright from where it is.
      let (nose, up) = (attitude.act(on: Vector3(0, 1, 0)), attitude.inverse.act(on: Vector3(0, 0, 1)))
      if abs(nose.x) + abs(nose.y) > 1e-6 { yaw = atan2(-nose.x, nose.y) }
      (pitch, roll) = (asin(min(max(up.y, -1), 1)), atan2(-up.x, up.z))
      (pitchRate, rollRate, shaking) = (0, 0, .zero)
    }
    hold = pose
    (velocity, rimSpeed, yawRate, wheels) = (.zero, 0, 0, Wheels())
  }

  /// A hand turns it at most a turn a second.
  private mutating func follow(_ pose: Rotation, _ dt: Double) {
    let way = (attitude.inverse * pose).rotationVector
    let most = 2 * Double.pi * dt
    let part = way.length <= most ? way : way * (most / way.length)
    attitude = attitude * (Rotation(rotationVector: part) ?? .identity)
    yaw = attitude.twistAngle(about: Vector3(0, 0, 1))?.radians ?? yaw
    acceleration = shaking
  }
}
